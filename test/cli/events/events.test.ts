// `events` prints every event of a log once, as lines or as a table.
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../api/loopback.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import {
  AUDIT,
  access,
  audit,
  idsIn,
  linesOf,
  newestFirst,
  PROXY,
  START,
  time,
} from './loggedEvents.ts';
import { type LogServer, serveLog } from './logServer.ts';

const run = ({ env }: LogServer, ...argv: string[]) =>
  meshform(['events', ...argv], { env, now: START + 3_600_000 });

describe('a log', () => {
  test('prints one event per line, as the server returned it, newest first', async () => {
    const rows = newestFirst(3, audit);
    const server = await serveLog(AUDIT, () => rows);
    const ended = await run(server, 'audit');
    expect(ended).toEqual({
      code: 0,
      stdout: rows.map(row => `${JSON.stringify(row)}\n`).join(''),
      stderr: '',
    });
  });

  test('prints the events of the emulator', async () => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await account.call('POST', '/api/groups', { name: 'engineers' });
    const { stdout, code } = await meshform(['events', 'audit'], { env: environmentOf(account) });
    expect(code).toBe(0);
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ activity_code: 'group.add' }));
  });

  test('is a table on a terminal, without control characters', async () => {
    const rows = [{ ...audit(1, 0), activity_code: 'group.add\u001b[2J' }];
    const { env } = await serveLog(AUDIT, () => rows);
    const { stdout } = await meshform(['events', 'audit'], { env, isTerminal: true });
    const [head, line] = stdout.split('\n');
    expect(head).toContain('time');
    expect(line).toContain('2026-01-02T03:04:05Z  group.add\\u001b[2J');
    expect(line).toContain('ada@example.com           group 1 g1');
  });

  test('ends if the server returns the same page again and again', async () => {
    const page = { data: newestFirst(3, access), page: 1, page_size: 3, total_pages: 1e9 };
    let asked = 0;
    const port = await serve((_, response) => {
      asked++;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
    });
    const env = { MESHFORM_URL: `http://127.0.0.1:${port}`, MESHFORM_TOKEN: 'test' };
    const { code, stdout, stderr } = await meshform(['events', 'proxy'], { env });
    expect(code).toBe(1);
    expect(linesOf(stdout)).toHaveLength(3);
    expect(stderr).toContain('pages 1 to 6 of GET');
    expect(stderr).toContain('the server is at fault');
    expect(asked).toBe(6);
  });

  test('prints all pages, and repeats no row that new events pushed to the next page', async () => {
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

  test('is filtered as the contract says, and requested by time', async () => {
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

  test('is filtered by meshform if the server cannot filter by time', async () => {
    const server = await serveLog(AUDIT, () => newestFirst(100, audit));
    const { stdout } = await run(server, 'audit', '--since', time(42), '--until', time(44));
    expect(idsIn(stdout)).toEqual([44, 43, 42]);
    expect(server.asked[0]?.search).toBe('');
  });

  test('says that it does not reach back as far as requested', async () => {
    const rows = newestFirst(10_001, audit);
    const { stderr } = await run(await serveLog(AUDIT, () => rows), 'audit', '--since', time(0));
    expect(stderr).toContain('the server shows only the newest 10000 events');
  });

  test('ends if a page cannot be read, and skips no page', async () => {
    const rows = newestFirst(120, access);
    const server = await serveLog(
      PROXY,
      () => rows,
      url => (url.searchParams.get('page') === '2' ? 503 : 'answered'),
    );
    const ended = await run(server, 'proxy');
    expect(ended.code).toBe(1);
    expect(idsIn(ended.stdout)).toHaveLength(50);
    expect(ended.stderr).toContain('returned 503');
    expect(server.asked.some(url => url.searchParams.get('page') === '3')).toBe(false);
  });

  test('a log is an error, and not an empty log, if the response is not a log', async () => {
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
  ])('%j is refused before any request', async (argv, message) => {
    const server = await serveLog(PROXY, () => []);
    const ended = await run(server, ...argv);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(message);
    expect(server.asked).toEqual([]);
  });
});
