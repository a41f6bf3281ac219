// One pace for all requests of a run: what was asked for, what a 429 asks for, and what the server is found to allow.
import fc from 'fast-check';
import pLimit from 'p-limit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { retryAfterMs } from '../../src/api/transport/retry.ts';
import { newThrottle, type Pacing } from '../../src/api/transport/throttle.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { startAccount } from '../support/account.ts';
import { virtualTime } from '../support/virtualTime.ts';

const LATENCY = 40;

/** What a server that counts requests says to one that comes at this time: null for yes, or its `Retry-After`. */
type Limit = (at: number) => null | { readonly retryAfter: string | undefined };

/** A bucket that fills at a steady rate, and does not say when. */
function bucket(perMinute: number, burst: number): Limit {
  let level = burst;
  let before = 0;
  return at => {
    level = Math.min(burst, level + ((at - before) * perMinute) / 60_000);
    before = at;
    if (level < 1 - 1e-6) return { retryAfter: undefined };
    level -= 1;
    return null;
  };
}

interface Served {
  /** When each request was sent, and whether it was refused. */
  readonly sent: readonly { readonly at: number; readonly isRefused: boolean }[];
  readonly refused: number;
  /** Workers that gave up. */
  readonly lost: number;
  readonly took: number;
  readonly limits: readonly number[];
}

/** `count` requests of several workers to a server behind `limit`. */
async function served(
  limit: Limit,
  { count, workers = 4, ...pacing }: { count: number; workers?: number } & Partial<Pacing>,
): Promise<Served> {
  const time = virtualTime();
  const sent: { at: number; isRefused: boolean }[] = [];
  const limits: number[] = [];
  const throttle = newThrottle({
    now: time.now,
    sleep: time.sleep,
    random: () => 0.5,
    ...pacing,
    onLimit: perMinute => limits.push(perMinute),
  });
  const room = pLimit(workers);
  const ask = async (): Promise<boolean> => {
    for (;;) {
      const permit = await throttle.turn();
      if (permit === null) return false;
      const at = time.now();
      const refusal = limit(at);
      sent.push({ at, isRefused: refusal !== null });
      await time.sleep(LATENCY);
      if (refusal === null) {
        permit.passed();
        return true;
      }
      if (permit.throttled(retryAfterMs(refusal.retryAfter, time.now())) === null) return false;
    }
  };
  const all = await Promise.all(Array.from({ length: count }, () => room(ask)));
  const refused = sent.filter(({ isRefused }) => isRefused).length;
  const lost = all.filter(isServed => !isServed).length;
  return { sent, refused, lost, took: time.now(), limits };
}

const gaps = (sent: readonly { readonly at: number }[]): number[] =>
  sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0));

describe('an interval', () => {
  test('lies between any two requests, whoever sends them; the first is sent immediately', async () => {
    const { sent } = await served(() => null, { count: 5, interval: 500 });
    expect(sent.map(({ at }) => at)).toEqual([0, 500, 1000, 1500, 2000]);
  });

  test('grows with a smaller limit, and never shrinks', async () => {
    const time = virtualTime();
    const throttle = newThrottle({ interval: 300, now: time.now, sleep: time.sleep });
    throttle.limit(60_000);
    expect(throttle.rate()).toBe(200);
    throttle.limit(60);
    expect(throttle.rate()).toBe(60);
    (await throttle.turn())?.passed();
    (await throttle.turn())?.passed();
    expect(time.now()).toBe(1000);
  });

  test('is kept whatever passes in between', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2000), { maxLength: 20 }), async pauses => {
        const time = virtualTime();
        const throttle = newThrottle({ interval: 300, now: time.now, sleep: time.sleep });
        const starts: number[] = [];
        for (const pause of pauses) {
          (await throttle.turn())?.passed();
          starts.push(time.now());
          await time.sleep(pause);
        }
        for (const [i, start] of starts.slice(1).entries()) {
          const idle = (starts[i] ?? 0) + (pauses[i] ?? 0);
          expect(start).toBe(Math.max(idle, (starts[i] ?? 0) + 300));
        }
      }),
      { seed: 1, numRuns: 100 },
    ));

  test('does not wait beyond the time limit of the run', async () => {
    const { sent, lost, took } = await served(() => null, { count: 5, interval: 500, until: 1200 });
    expect([sent.length, lost]).toEqual([3, 2]);
    expect(took).toBeLessThan(1200);
  });
});

describe('a 429', () => {
  test.each([
    ['seconds', '30', 30_000],
    ['a date', new Date(47_000).toUTCString(), 47_000],
    ['minutes', '1800', 1_800_000],
  ])('makes all requests wait as long as it says, in %s', async (_, retryAfter, until) => {
    let isFirst = true;
    const { sent, lost } = await served(
      () => {
        const refusal = isFirst ? { retryAfter } : null;
        isFirst = false;
        return refusal;
      },
      { count: 40, workers: 8 },
    );
    const later = sent.filter(({ at }) => at > LATENCY);
    expect(Math.min(...later.map(({ at }) => at))).toBeGreaterThanOrEqual(until);
    expect(lost).toBe(0);
  });

  test('is followed by one request, and by the others only after that request passed', async () => {
    let refusals = 4 + 3;
    const { sent } = await served(() => (refusals-- > 0 ? { retryAfter: undefined } : null), {
      count: 12,
    });
    const first = sent.slice(0, 4);
    const probes = sent.slice(4, 8);
    expect(first.every(({ at, isRefused }) => at === 0 && isRefused)).toBe(true);
    expect(probes.map(({ isRefused }) => isRefused)).toEqual([true, true, true, false]);
    expect(Math.min(...gaps(probes))).toBeGreaterThanOrEqual(1000);
    expect((sent[8]?.at ?? 0) - (probes[3]?.at ?? 0)).toBe(LATENCY);
  });

  test('all requests give up after an hour if 429 responses never end', async () => {
    const { lost, took } = await served(() => ({ retryAfter: undefined }), { count: 10 });
    expect(lost).toBe(10);
    expect(took).toBeGreaterThan(3_500_000);
    expect(took).toBeLessThan(3_800_000);
  });

  test('a 429 that demands a wait of more than an hour is not waited for', async () => {
    const { lost, took } = await served(() => ({ retryAfter: '7200' }), { count: 10 });
    expect([lost, took < 1000]).toEqual([10, true]);
  });
});

describe('a limit', () => {
  test('a limit of 120 a minute after 50 is learnt: every request succeeds, and few are refused', async () => {
    const { lost, refused, took, limits } = await served(bucket(120, 50), { count: 280 });
    expect(lost).toBe(0);
    expect(refused).toBeLessThan(14);
    expect(took).toBeLessThan(1.1 * 115_000);
    expect(limits).toHaveLength(1);
  });

  test.each([
    [5, 1],
    [5, 8],
    [50, 4],
    [200, 8],
  ])(
    'a limit of 120 a minute after %i is reported as such, with %i workers',
    async (burst, workers) => {
      const { limits } = await served(bucket(120, burst), { count: burst + 250, workers });
      expect(limits).toHaveLength(1);
      expect(limits[0]).toBeGreaterThan(115);
      expect(limits[0]).toBeLessThan(121);
    },
  );

  test('is not reported before it was measured for a minute', async () => {
    const { limits, refused } = await served(bucket(120, 50), { count: 50 + 100 });
    expect(refused).toBeGreaterThan(1);
    expect(limits).toEqual([]);
  });

  test('equal to the configured pace refuses nothing', async () => {
    const { refused } = await served(bucket(120, 1), { count: 100, interval: 500 });
    expect(refused).toBe(0);
  });

  test('a limit that the server has lifted is not obeyed forever', async () => {
    const limited = bucket(120, 10);
    const { took } = await served(at => (at < 60_000 ? limited(at) : null), { count: 3000 });
    expect(took).toBeLessThan(240_000);
  });

  test('every request succeeds in the end, whatever the limit, the burst before it and the number of workers', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 8 }),
        async (perMinute, burst, workers) => {
          const count = 150;
          const { lost, refused, took } = await served(bucket(perMinute, burst), {
            count,
            workers,
          });
          expect(lost).toBe(0);
          expect(refused).toBeLessThan(0.2 * count + 8);
          const atBest = (Math.max(0, count - burst) * 60_000) / perMinute;
          // What a small bucket has no room for is lost while nothing is sent.
          const slack = burst < 5 ? 240_000 : 90_000;
          expect(took).toBeLessThan(2 * atBest + slack);
        },
      ),
      { seed: 2, numRuns: 60 },
    ));
});

test('every request of a transport waits for its turn', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const time = virtualTime();
  const starts: number[] = [];
  const transport = writeTransport({
    ...account.transport,
    now: time.now,
    sleep: time.sleep,
    interval: 200,
    deadline: () => {
      starts.push(time.now());
      return new AbortController().signal;
    },
  });
  await Promise.all([1, 2, 3].map(() => transport.get('/api/groups')));
  expect(starts).toEqual([0, 200, 400]);
});
