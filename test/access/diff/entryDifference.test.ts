// What differs at a machine is the same whether it is found from the rules or from the rows that they add up to.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Differences, differencesOf } from '../../../src/access/diff/difference.ts';
import { differencesOfEntries } from '../../../src/access/diff/entryDifference.ts';
import { bitsOf, indexesIn } from '../../../src/access/sets/bits.ts';
import { rowOf } from '../../../src/access/sets/row.ts';
import { type PooledEntry, rowPool } from '../../../src/access/sets/rowPool.ts';
import { ALL_TRAFFIC, portsOf, SPAN } from '../../../src/access/sets/traffic.ts';

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

// Of each rule it is generated whether it is before, after or both.
const rules = fc.uniqueArray(fc.record({ written, when: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 9,
});

test('rules and rows tell the same difference', () => {
  fc.assert(
    fc.property(rules, generated => {
      const pool = rowPool();
      const at = (bit: number): PooledEntry[] =>
        generated
          .filter(({ when }) => (when & bit) > 0)
          .map(({ written: { isDrop, traffic, sources } }) =>
            pool.entry(isDrop, traffic, bitsOf(sources)),
          );
      const was = at(1);
      const is = at(2);
      const ofRows = differencesOf(rowOf(was), rowOf(is));
      expect(shown(differencesOfEntries(was, is))).toEqual(shown(ofRows));
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

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
