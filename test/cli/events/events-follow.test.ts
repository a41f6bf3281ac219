// `events --follow` prints each new event once, in order, while the log grows and the server fails.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { meshform } from '../../support/cli.ts';
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
import { type Fate, type LogServer, serveLog } from './logServer.ts';

const TRAFFIC = '/api/events/network-traffic';

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

describe('a followed log', () => {
  test('a followed log of more than 10,000 events, with connection resets, prints each exactly once, in order', async () => {
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

  test('continues after the server was unreachable for longer than the retries of a call', async () => {
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
    expect(ended.stderr).toContain('returned 503: refused; trying again in 60 s');
    expect(ended.code).toBe(0);
  });

  test('prints the events that it held back, and ends, if the log may no longer be read', async () => {
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

  test('warns that events may be missing if the log no longer shows the last printed one', async () => {
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

  test('begins at --since, in the order of time', async () => {
    const server = await serveLog(AUDIT, () => newestFirst(9, audit));
    const ended = await follow(server, ['audit', '--since', time(5)], () => true);
    expect(idsIn(ended.stdout)).toEqual([5, 6, 7, 8, 9]);
  });

  test('a followed log with pages is asked for new events and the minute before them, and prints none twice', async () => {
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

  test('a followed log of aggregated flows prints each aggregate once, from a given time', async () => {
    const sum = (id: string, seconds: number): JsonObject => ({
      id,
      flow_id: 'f1',
      reporter_id: 'm1',
      protocol: 6,
      events: [],
      window_start: time(seconds - 5),
      window_end: time(seconds),
      num_of_starts: 1,
    });
    const server = await serveLog(TRAFFIC, () => [sum('r3', 20), sum('r2', 10), sum('r1', 0)]);
    const once = await meshform(['events', 'traffic', '--since', time(5), '--format', 'jsonl'], {
      env: server.env,
      now: START + 60_000,
    });
    expect(linesOf(once.stdout).map(({ id }) => id)).toEqual(['r3', 'r2']);
    const followed = await follow(server, ['traffic', '--since', time(-5)], () => true);
    expect(linesOf(followed.stdout).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });

  test('a followed log of flows prints each event of a flow', async () => {
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
