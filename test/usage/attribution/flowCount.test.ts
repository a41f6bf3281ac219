// The number of flows: the same wherever it is said.
import { expect, test } from 'vitest';
import { flowCount, repeatedFlows } from '../../../src/usage/attribution/flowCount.ts';
import { usedDaysAmong } from '../../../src/usage/attribution/usedDays.ts';
import type { ObservedFlow } from '../../../src/usage/observed.ts';
import { FIRST_DAY, flow, machine } from '../observations.ts';

const counts = (...days: readonly (readonly [day: number, starts: number, drops?: number])[]) =>
  new Map(days.map(([day, starts, drops = 0]) => [FIRST_DAY + day, { starts, drops }]));

const seen = (given: Partial<ObservedFlow>) => flow(machine('p1'), machine('p3'), given);

const countOf = (...flows: readonly ObservedFlow[]): number => {
  const used = usedDaysAmong(flows);
  const times = repeatedFlows(flows, used).reduce((sum, one) => sum + one.times, 0);
  expect(flowCount(flows, used)).toBe(times);
  return times;
};

const FROM_SOURCE = { direction: 'out', reporters: ['p1'] } as const;
const FROM_DESTINATION = { direction: 'in', reporters: ['p3'] } as const;

test('a flow that both ends report counts once, by the end that saw more on each day', () => {
  const out = seen({ ...FROM_SOURCE, days: counts([0, 3], [1, 1]) });
  const back = seen({ ...FROM_DESTINATION, days: counts([0, 2], [1, 4]) });
  expect(countOf(out)).toBe(4);
  expect(countOf(out, back)).toBe(7);
});

test('flows before and after a change of the account are added', () => {
  const before = seen({ days: counts([0, 2]), states: [0] });
  const after = seen({ days: counts([0, 3]), states: [1] });
  expect(countOf(before, after)).toBe(5);
});

test('a flow that began before it was observed is one flow, and so is a flow that lasts for days', () => {
  expect(countOf(seen({ days: counts([0, 0], [1, 0]) }))).toBe(1);
  expect(countOf(seen({ days: counts([0, 1], [1, 0]) }))).toBe(1);
});

test('a refused flow does not count', () => {
  const attempt = seen({ ...FROM_SOURCE, days: counts([0, 3], [1, 2]) });
  const refusal = seen({ ...FROM_DESTINATION, days: counts([0, 0, 3]) });
  expect(countOf(attempt, refusal)).toBe(2);
  expect(countOf(refusal)).toBe(0);
});
