// Requests of a run are spread over time where the server is known to count them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paced } from '../../src/api/pace.ts';
import { writeTransport } from '../../src/api/transport.ts';
import { startAccount } from '../support/account.ts';

/** A clock that moves only while somebody sleeps. */
function clock() {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    sleep: (milliseconds: number) => {
      slept.push(milliseconds);
      return Promise.resolve();
    },
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('turns', () => {
  test('the first is at once, those after it one interval apart', async () => {
    const { now, sleep, slept } = clock();
    const turn = paced(500, { now, sleep });
    await Promise.all([turn(), turn(), turn()]);
    expect(slept).toEqual([500, 1000]);
  });

  test('time that passes by itself is not waited for again', async () => {
    const { now, sleep, slept, pass } = clock();
    const turn = paced(500, { now, sleep });
    await turn();
    pass(400);
    await turn();
    pass(10_000);
    await turn();
    expect(slept).toEqual([100]);
  });

  test('no two are closer than the interval, whatever passes between them', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2000), { maxLength: 20 }), async pauses => {
        const { now, sleep, slept, pass } = clock();
        const turn = paced(300, { now, sleep });
        const starts: number[] = [];
        for (const pause of pauses) {
          const before = slept.length;
          await turn();
          starts.push(now() + slept.slice(before).reduce((sum, one) => sum + one, 0));
          pass(pause);
        }
        const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
        expect(gaps.every(gap => gap >= 300)).toBe(true);
      }),
      { seed: 1, numRuns: 200 },
    ));
});

test('every request of a transport takes its turn', async () => {
  const account = await startAccount();
  const { now, sleep, slept } = clock();
  const transport = writeTransport({ ...account.transport, now, sleep, interval: 200 });
  try {
    await Promise.all([1, 2, 3].map(() => transport.get('/api/groups')));
    expect(slept).toEqual([200, 400]);
  } finally {
    await account.close();
  }
});
