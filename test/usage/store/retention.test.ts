// What is old enough to be deleted, by a clock that may be wrong.
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/usage/observed.ts';
import { deletedBefore } from '../../../src/usage/store/retention.ts';

const NOW = 1000 * DAY_MS;
const KEEP = 180 * DAY_MS;

test.each([
  ['agrees with the server', { now: NOW, skew: 200_000, newest: null }, NOW - KEEP],
  ['differs from the server', { now: NOW, skew: -300_000, newest: NOW }, null],
  [
    'is far from the newest record',
    { now: NOW, skew: undefined, newest: 100 * DAY_MS },
    101 * DAY_MS - KEEP,
  ],
  ['is near the newest record', { now: NOW, skew: undefined, newest: NOW }, NOW - KEEP],
])('a clock that %s', (_, clock, before) => {
  expect(deletedBefore(KEEP, clock)).toBe(before);
});
