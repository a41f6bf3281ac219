// Compared pictures against the difference of access that plans are judged by, over drawn accounts.
import { expect, test } from 'vitest';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { itselfIn, type Target } from '../../../src/access/flows/targets.ts';
import { comparedPictures } from '../../../src/access/picture/picture.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { frameOf } from '../../../src/access/world/world.ts';
import type { ComparedPictures, PairChange } from '../../../src/model/access/accessPicture.ts';
import { changedPairs } from '../../../src/report/page/mapList.ts';
import { fc } from '../../support/seeded.ts';
import { comparedStates, renamedStates, type States } from './comparedStates.ts';

/** By source and target, a member or an address, how the matrices differ. */
function pictured({ before, after }: ComparedPictures): ReadonlyMap<string, Set<PairChange>> {
  const found = new Map<string, Set<PairChange>>();
  const { rows, columns, members: names } = after.matrix;
  const isMachine = (member: number) => names[member]?.startsWith('peer');
  for (const { change, row, columns: own } of changedPairs(before.matrix, after.matrix))
    for (const source of rows[row]?.members ?? [])
      for (const column of own) {
        const { members = [], address } = columns[column] ?? {};
        const targets = address === undefined ? members : [`at ${address}`];
        for (const target of targets)
          if (target !== source || !isMachine(source)) note(found, `${source} > ${target}`, change);
      }
  return found;
}

const note = <T>(found: Map<string, Set<T>>, name: string, value: T) =>
  found.set(name, (found.get(name) ?? new Set<T>()).add(value));

/** The same as the difference of access has it. `isMoved`: the access that is allowed at best differs. */
function judged([before, after]: States): ReadonlyMap<string, { readonly isMoved: boolean }> {
  const { first, last } = frameOf(before, after, true);
  const pool = rowPool();
  const { changes } = accessChanges(reachesOf(first, pool), reachesOf(last, pool));
  const found = new Map<string, { readonly isMoved: boolean }>();
  const nameOf = (target: Target) =>
    target.type === 'machine' ? String(target.index) : `at ${target.address}`;
  for (const { sources, targets, kind } of changes)
    for (const source of indexesIn(sources))
      for (const target of targets) {
        if (itselfIn(first, target) === source || itselfIn(last, target) === source) continue;
        const name = `${source} > ${nameOf(target)}`;
        found.set(name, {
          isMoved: kind === 'gained' || kind === 'lost' || found.get(name)?.isMoved === true,
        });
      }
  return found;
}

/** By pair, the verdicts of both states. */
function verdictsOf({ before, after }: ComparedPictures): (pair: string) => readonly string[] {
  const found = [before.matrix, after.matrix].map(({ rows, columns, cells, verdicts }) => {
    const statuses = new Map<string, string>();
    for (const [row, runs] of cells.entries())
      for (let at = 0; at < runs.length; at += 3) {
        const first = runs[at] ?? 0;
        const { status = '' } = verdicts[runs[at + 1] ?? -1] ?? {};
        for (const { address, members } of columns.slice(first, first + (runs[at + 2] ?? 0)))
          for (const source of rows[row]?.members ?? [])
            for (const target of address === undefined ? members : [`at ${address}`])
              statuses.set(`${source} > ${target}`, status);
      }
    return statuses;
  });
  return pair => found.map(statuses => statuses.get(pair) ?? 'none');
}

// Sources that fail the checks of every rule have no access, whatever the rules grant. Of sources about whom nothing is known, a
// picture says that it is unknown before and after, while a plan is judged by what may become possible.
const isOpen = (statuses: readonly string[]): boolean =>
  !statuses.includes('fail') && statuses.join() !== 'unknown,unknown';

test('the matrices differ exactly where access differs, with renames, posture checks and the internet', () => {
  let changed = 0;
  fc.assert(
    fc.property(comparedStates, states => {
      const pictures = comparedPictures(...states);
      const inPictures = pictured(pictures);
      const inAccess = judged(states);
      const statuses = verdictsOf(pictures);
      const unjudged = [...inPictures.keys()].filter(pair => !inAccess.has(pair));
      expect(unjudged.filter(pair => isOpen(statuses(pair)))).toEqual([]);
      const moved = [...inAccess].flatMap(([pair, { isMoved }]) =>
        isMoved && isOpen(statuses(pair)) ? [pair] : [],
      );
      expect(moved.filter(pair => !inPictures.has(pair))).toEqual([]);
      changed += moved.length;
    }),
    { numRuns: 100, seed: 1 },
  );
  expect(changed).toBeGreaterThan(500);
});

test('renames alone change no pair, no mark and no name in a picture', () => {
  fc.assert(
    fc.property(renamedStates, states => {
      const { before, after, changes } = comparedPictures(...states);
      expect(changedPairs(before.matrix, after.matrix)).toEqual([]);
      expect(changes).toEqual([]);
      expect(before.policies.map(({ name }) => name).sort()).toEqual(
        after.policies.map(({ name }) => name).sort(),
      );
      expect(before.networks.map(({ name }) => name).sort()).toEqual(
        after.networks.map(({ name }) => name).sort(),
      );
    }),
    { numRuns: 60, seed: 1 },
  );
});
