// The counts of a flow by day are a map like any other.
import { expect, test } from 'vitest';
import { FewDays } from '../../../src/usage/store/fewDays.ts';

test('days are counted, and read like those of a map', () => {
  const days = new FewDays(20_000, { starts: 1, drops: 0 });
  days.add(20_001, { starts: 2, drops: 3 });
  days.add(20_000, { starts: 4, drops: 5 });
  const map = new Map([
    [20_000, { starts: 5, drops: 5 }],
    [20_001, { starts: 2, drops: 3 }],
  ]);
  expect(new Map(days)).toEqual(map);
  expect([...days.keys()]).toEqual([...map.keys()]);
  expect([...days.values()]).toEqual([...map.values()]);
  expect([...days.entries()]).toEqual([...map]);
  expect([days.size, days.get(20_001), days.get(1), days.has(20_000), days.has(1)]).toEqual([
    2,
    { starts: 2, drops: 3 },
    undefined,
    true,
    false,
  ]);
  const each: unknown[] = [];
  days.forEach((counts, day) => void each.push([day, counts]));
  expect(each).toEqual([...map]);
});
