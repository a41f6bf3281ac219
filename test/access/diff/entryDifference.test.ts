// What differs at a machine, in two states or between three, is the same whether it is found from the rules or from the rows that they
// add up to.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  differencesOfEntries,
  movedIntervalsOfEntries,
} from '../../../src/access/diff/entryDifference.ts';
import {
  type Differences,
  differencesOf,
  type MovedInterval,
  movedIntervals,
} from '../../../src/access/diff/rowDifference.ts';
import { exceedingEntries } from '../../../src/access/outcomes/exceedingEntries.ts';
import { bitsOf, has, indexesIn } from '../../../src/access/sets/bits.ts';
import { type Row, rowOf, trafficFrom } from '../../../src/access/sets/row.ts';
import { type PooledEntry, rowPool } from '../../../src/access/sets/rowPool.ts';
import { common, onlyIn } from '../../../src/access/sets/rowSets.ts';
import {
  ALL_TRAFFIC,
  intervalsText,
  joinedIntervals,
  portsOf,
  SPAN,
  type Traffic,
} from '../../../src/access/sets/traffic.ts';

const SIZE = 6;
const TRAFFICS = [
  ALL_TRAFFIC,
  [SPAN.tcp],
  [SPAN.icmp],
  portsOf('tcp', [{ from: 22, to: 22 }]),
  portsOf('tcp', [
    { from: 0, to: 40_000 },
    { from: 50_000, to: 65_535 },
  ]),
  portsOf('tcp', [{ from: 20, to: 50_000 }]),
  [...portsOf('tcp', [{ from: 443, to: 443 }]), ...portsOf('udp', [{ from: 0, to: 65_535 }])],
];

const written = fc.record({
  isDrop: fc.constantFrom(false, false, true),
  traffic: fc.constantFrom(...TRAFFICS),
  sources: fc.subarray([...Array.from({ length: SIZE }).keys()]),
});

// Of each rule it is generated in which of three states it is.
const rules = fc.uniqueArray(fc.record({ written, when: fc.integer({ min: 1, max: 7 }) }), {
  maxLength: 9,
});

test('rules and rows report the same difference', () => {
  fc.assert(
    fc.property(rules, generated => {
      const [was, is] = statesOf(generated);
      const ofRows = differencesOf(rowOf(was), rowOf(is));
      expect(shown(differencesOfEntries(was, is))).toEqual(shown(ofRows));
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test('rules and rows report the same difference at each port', () => {
  fc.assert(
    fc.property(rules, generated => {
      const [was, is] = statesOf(generated);
      const ofRows = movedIntervals(rowOf(was), rowOf(is));
      expect(portsOfEach(movedIntervalsOfEntries(was, is))).toEqual(portsOfEach(ofRows));
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test('rules and rows find the same access that one state has and two other states lack', () => {
  let beyond = 0;
  fc.assert(
    fc.property(rules, generated => {
      const [first, step, last] = statesOf(generated);
      const was = rowOf(first);
      const now = rowOf(step);
      const is = rowOf(last);
      const { gap, opening } = exceedingEntries({ step, first, last });
      expect(pointsOf(gap)).toEqual(pointsOf(onlyIn(common(was, is), now)));
      expect(pointsOf(opening)).toEqual(pointsOf(onlyIn(onlyIn(now, was), is)));
      beyond += gap.length + opening.length;
    }),
    { numRuns: 2_000, seed: 1 },
  );
  expect(beyond).toBeGreaterThan(1_000);
});

function statesOf(
  generated: readonly { readonly written: Written; readonly when: number }[],
): readonly [PooledEntry[], PooledEntry[], PooledEntry[]] {
  const pool = rowPool();
  const at = (bit: number): PooledEntry[] =>
    generated
      .filter(({ when }) => (when & bit) > 0)
      .map(({ written: { isDrop, traffic, sources } }) =>
        pool.entry(isDrop, traffic, bitsOf(sources)),
      );
  return [at(1), at(2), at(4)];
}

interface Written {
  readonly isDrop: boolean;
  readonly traffic: Traffic;
  readonly sources: readonly number[];
}

/** By source its traffic, wherever the segments of the row begin. */
const pointsOf = (row: Row): readonly string[] =>
  Array.from({ length: SIZE }, (_, source) => intervalsText(trafficFrom(row, source)));

/** By source, the traffic that it gains and the traffic that it loses. */
const portsOfEach = (intervals: readonly MovedInterval[]): readonly string[] =>
  Array.from({ length: SIZE }, (_, source) =>
    (['gained', 'lost'] as const)
      .map(way => intervalsText(joinedIntervals(intervals.filter(one => has(one[way], source)))))
      .join(' / '),
  );

function shown(differences: Differences): readonly string[] {
  return [...differences]
    .map(([protocol, { gained, lost }]) => ({
      protocol,
      moved: [gained, lost].map(bits => [...indexesIn(bits)].join()).join(' / '),
    }))
    .filter(({ moved }) => moved !== ' / ')
    .map(({ protocol, moved }) => `${protocol}: ${moved}`)
    .sort();
}
