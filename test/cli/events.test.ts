// `events`: every page of a log, once, as lines or as a table; and a log that is followed while it grows and breaks.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount } from '../support/account.ts';
import { environmentOf, meshform } from '../support/cli.ts';
import { type Fate, type LogServer, serveLog } from './logServer.ts';

const START = Date.parse('2026-01-02T03:04:05Z');
const time = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const AUDIT = '/api/events/audit';
const PROXY = '/api/events/proxy';
const TRAFFIC = '/api/events/network-traffic';

const audit = (id: number, seconds: number): JsonObject => ({
  id,
  timestamp: time(seconds),
  activity: 'Group created',
  activity_code: 'group.add',
  initiator_id: 'u1',
  initiator_name: 'Ada',
  initiator_email: 'ada@example.com',
  target_id: `g${id}`,
  meta: { name: `group ${id}` },
});
const access = (id: number, seconds: number): JsonObject => ({
  id: `r${id}`,
  timestamp: time(seconds),
  method: 'GET',
  host: 'wiki.example.com',
  path: `/page/${id}`,
  status_code: 200,
  source_ip: '192.0.2.7',
});
const newestFirst = (count: number, row: (id: number, seconds: number) => JsonObject) =>
  Array.from({ length: count }, (_, i) => row(count - i, count - i));

const linesOf = (stdout: string): JsonObject[] =>
  stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
const idsIn = (stdout: string) => linesOf(stdout).map(({ id }) => id);
const run = ({ env }: LogServer, ...argv: string[]) =>
  meshform(['events', ...argv], { env, now: START + 3_600_000 });

describe('a log that is read', () => {
  test('is an event a line, as the server gave it, newest first', async () => {
    const rows = newestFirst(3, audit);
    const server = await serveLog(AUDIT, () => rows);
    const ended = await run(server, 'audit');
    expect(ended).toEqual({
      code: 0,
      stdout: rows.map(row => `${JSON.stringify(row)}\n`).join(''),
      stderr: '',
    });
  });

  test('is the emulator’s own', async () => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await account.call('POST', '/api/groups', { name: 'engineers' });
    const { stdout, code } = await meshform(['events', 'audit'], { env: environmentOf(account) });
    expect(code).toBe(0);
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ activity_code: 'group.add' }));
  });

  test('is a table on a terminal, which does not obey it', async () => {
    const rows = [{ ...audit(1, 0), activity_code: 'group.add\u001b[2J' }];
    const { env } = await serveLog(AUDIT, () => rows);
    const { stdout } = await meshform(['events', 'audit'], { env, isTerminal: true });
    const [head, line] = stdout.split('\n');
    expect(head).toContain('time');
    expect(line).toContain('2026-01-02T03:04:05Z  group.add\\u001b[2J');
    expect(line).toContain('ada@example.com           group 1 g1');
  });

  test('has all its pages, and no row twice that new ones have pushed to the next', async () => {
    const rows = newestFirst(120, access);
    const server = await serveLog(
      PROXY,
      () => rows,
      url => {
        if (url.searchParams.get('page') === '2') rows.unshift(access(121, 121), access(122, 122));
        return 'answered';
      },
    );
    const { stdout } = await run(server, 'proxy');
    expect(idsIn(stdout)).toEqual(newestFirst(120, access).map(({ id }) => id));
    expect(server.asked).toHaveLength(3);
  });

  test('is filtered as the contract says, and asked for times', async () => {
    const server = await serveLog(PROXY, () => []);
    const argv = [
      '--status',
      'failed',
      '--status-code',
      '502',
      '--user-email',
      'ada@',
      '--page-size',
      '100',
    ];
    await run(server, 'proxy', ...argv, '--since', '1h', '--until', '2026-01-02T03:30:00+00:00');
    expect(Object.fromEntries(server.asked[0]?.searchParams ?? [])).toEqual({
      status: 'failed',
      status_code: '502',
      user_email: 'ada@',
      page_size: '100',
      page: '1',
      start_date: '2026-01-02T03:04:05.000Z',
      end_date: '2026-01-02T03:30:00.000Z',
    });
  });

  test('is cut here where the server cannot be asked for times', async () => {
    const server = await serveLog(AUDIT, () => newestFirst(100, audit));
    const { stdout } = await run(server, 'audit', '--since', time(42), '--until', time(44));
    expect(idsIn(stdout)).toEqual([44, 43, 42]);
    expect(server.asked[0]?.search).toBe('');
  });

  test('says where it does not reach back as far as it is asked', async () => {
    const rows = newestFirst(10_001, audit);
    const { stderr } = await run(await serveLog(AUDIT, () => rows), 'audit', '--since', time(0));
    expect(stderr).toContain('the server shows only the newest 10000 events');
  });

  test('ends where a page cannot be had: none is passed over', async () => {
    const rows = newestFirst(120, access);
    const server = await serveLog(
      PROXY,
      () => rows,
      url => (url.searchParams.get('page') === '2' ? 503 : 'answered'),
    );
    const ended = await run(server, 'proxy');
    expect(ended.code).toBe(1);
    expect(idsIn(ended.stdout)).toHaveLength(50);
    expect(ended.stderr).toContain('was answered 503');
    expect(server.asked.some(url => url.searchParams.get('page') === '3')).toBe(false);
  });

  test('that is no log is not taken for an empty one', async () => {
    const { env } = await serveLog(AUDIT, () => []);
    const odd = { env: { ...env, MESHFORM_URL: `${env.MESHFORM_URL}/elsewhere` } };
    expect((await meshform(['events', 'audit'], odd)).code).toBe(1);
  });

  test.each([
    [['proxy', '--since', 'yesterday'], '`yesterday` of --since'],
    [['proxy', '--status', 'odd'], "argument 'odd' is invalid"],
    [['proxy', '--status-code', 'odd'], 'a whole number'],
    [['audit', '--status', 'failed'], "unknown option '--status'"],
    [['audit', '--follow', '--interval', '0'], 'at least 0.1'],
    [['proxy', '--follow', '--sort-by', 'url'], 'cannot be used with'],
    [['audit', '--follow', '--until', '1h'], 'cannot be used with'],
  ])('%j is refused before anything is asked', async (argv, message) => {
    const server = await serveLog(PROXY, () => []);
    const ended = await run(server, ...argv);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(message);
    expect(server.asked).toEqual([]);
  });
});

/** Follows a log while `grow` is called at every pause, until it says that it is done; a few more questions follow. */
async function follow(
  { env }: LogServer,
  argv: readonly string[],
  grow: (now: number) => boolean,
  more = 3,
) {
  let now = START;
  let left = more;
  let interrupt: (signal: 'SIGINT' | 'SIGTERM') => void = () => {};
  const ended = await meshform(['events', ...argv, '--follow'], {
    env,
    clock: {
      now: () => now,
      sleep: async milliseconds => {
        now += milliseconds;
        if (grow(now)) left -= 1;
        if (left < 0) interrupt('SIGINT');
      },
    },
    onStart: handle => {
      interrupt = handle;
    },
  });
  return ended;
}

describe('a log that is followed', () => {
  test('over 10,000 events, with resets in between, gives each exactly once, in order', async () => {
    const COUNT = 10_500;
    // Half of them share their second with others, and of two written together the later one comes first.
    const events = Array.from({ length: COUNT }, (_, i) => audit(i ^ 1, 10 + Math.floor(i / 50)));
    const before = newestFirst(20, (id, seconds) => audit(100_000 + id, seconds / 4));
    let written = 0;
    let requests = 0;
    const shown = () =>
      [...before, ...events.slice(0, written)].toSorted(
        (a, b) =>
          Date.parse(String(b.timestamp)) - Date.parse(String(a.timestamp)) ||
          Number(b.id) - Number(a.id),
      );
    const fates: readonly Fate[] = ['answered', 'reset', 'answered', 'cut', 503];
    const server = await serveLog(
      AUDIT,
      shown,
      () => fates[requests++ % fates.length] ?? 'answered',
    );
    const { stdout, stderr, code } = await follow(server, ['audit', '--interval', '1'], () => {
      written = Math.min(COUNT, written + 351);
      return written === COUNT;
    });
    const inOrder = events
      .map(({ id, timestamp }) => ({ id: Number(id), timestamp: String(timestamp) }))
      .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp) || a.id - b.id);
    expect(idsIn(stdout)).toEqual(inOrder.map(({ id }) => id));
    expect(code).toBe(0);
    expect(stderr).not.toContain('may be missing');
  }, 30_000);

  test('goes on after a server that was away for longer than a call is repeated', async () => {
    const rows = newestFirst(2, audit);
    let isAway = false;
    let pauses = 0;
    const server = await serveLog(
      AUDIT,
      () => rows,
      () => (isAway ? 503 : 'answered'),
    );
    const ended = await follow(server, ['audit', '--interval', '60'], () => {
      pauses += 1;
      isAway = pauses > 2 && pauses < 20;
      if (pauses === 10) rows.unshift(audit(3, 30));
      return pauses > 30;
    });
    expect(idsIn(ended.stdout)).toEqual([3]);
    expect(ended.stderr).toContain('asking again in 60 s');
    expect(ended.code).toBe(0);
  });

  test('ends where it may not be seen, with what was held', async () => {
    const rows = [audit(1, 0)];
    let pauses = 0;
    const server = await serveLog(
      AUDIT,
      () => rows,
      () => (pauses > 1 ? 403 : 'answered'),
    );
    const ended = await follow(server, ['audit', '--interval', '1', '--grace', '60'], () => {
      pauses += 1;
      if (pauses === 1) rows.unshift(audit(2, 1));
      return false;
    });
    expect(ended.code).toBe(1);
    expect(idsIn(ended.stdout)).toEqual([2]);
  });

  test('tells that events may be missing where it no longer shows the last one', async () => {
    const rows = newestFirst(10, audit);
    let pauses = 0;
    const server = await serveLog(AUDIT, () => rows);
    const ended = await follow(server, ['audit'], () => {
      pauses += 1;
      if (pauses === 1) rows.splice(0, rows.length, ...newestFirst(10_500, audit).slice(0, 10_000));
      return true;
    });
    expect(ended.stderr).toContain('events may be missing');
  });

  test('begins with --since, in the order of time', async () => {
    const server = await serveLog(AUDIT, () => newestFirst(9, audit));
    const ended = await follow(server, ['audit', '--since', time(5)], () => true);
    expect(idsIn(ended.stdout)).toEqual([5, 6, 7, 8, 9]);
  });

  test('page by page, is asked for what is new and a minute before, and gives none twice', async () => {
    const rows = newestFirst(130, (id, seconds) => access(id, seconds - 300));
    let id = 130;
    const server = await serveLog(PROXY, () => rows);
    const ended = await follow(server, ['proxy', '--interval', '10', '--page-size', '40'], now => {
      for (let i = 0; i < 90 && id < 900; i++) {
        id += 1;
        // Every third is written late.
        rows.unshift(access(id, (now - START) / 1000 - (id % 3 === 0 ? 30 : 0)));
      }
      rows.sort((a, b) => String(b.timestamp).localeCompare(String(a.timestamp)));
      return id >= 900;
    });
    const printed = idsIn(ended.stdout);
    expect(printed).toHaveLength(new Set(printed).size);
    expect(new Set(printed)).toEqual(
      new Set(Array.from({ length: id - 130 }, (_, i) => `r${i + 131}`)),
    );
    const last = server.asked.at(-1)?.searchParams.get('start_date') ?? '';
    expect(Date.parse(last)).toBeGreaterThan(START);
  });

  test('of flows, tells each thing that happens to one', async () => {
    const flow = (events: readonly string[]): JsonObject => ({
      flow_id: 'f1',
      reporter_id: 'p1',
      events: events.map((type, i) => ({ type, timestamp: time(i) })),
    });
    let rows = [flow(['TYPE_START'])];
    const server = await serveLog(TRAFFIC, ({ searchParams }) =>
      searchParams.has('start_date') ? rows.map(row => ({ ...row, timestamp: time(1) })) : rows,
    );
    const ended = await follow(server, ['traffic'], () => {
      rows = [flow(['TYPE_START', 'TYPE_END'])];
      return true;
    });
    expect(linesOf(ended.stdout)).toEqual([
      expect.objectContaining({ events: [expect.anything(), expect.anything()] }),
    ]);
  });
});
