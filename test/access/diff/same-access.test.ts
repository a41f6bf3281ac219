// Two states are the same for access unless a value differs, but for the names of policies, routes and routers.
import { expect, test } from 'vitest';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { areSameForAccess } from '../../../src/access/state/sameAccess.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';
import { stateOf } from '../names.ts';

type Path = readonly (string | number)[];

/** The paths of all texts, numbers and truth values. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [path];
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([name, item]) => leavesOf(item, [...path, name]));
}

const other = (value: unknown): unknown =>
  typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : `${value}x`;

/** A copy in which one leaf is another. */
function edited(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return other(value);
  if (Array.isArray(value))
    return value.map((item, at) => (at === name ? edited(item, rest) : item));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [name]: edited(object[name], rest) };
}

/** The name of a policy, a route or a router, to which nothing refers. */
const isIdle = (path: Path): boolean =>
  path.at(-1) === 'key' &&
  ((path.length === 3 && (path[0] === 'policies' || path[0] === 'routes')) ||
    path[2] === 'routers');

function changesBetween(before: AccessState, after: AccessState) {
  const pool = rowPool();
  const [one, two] = worldsOf([before, after]).map(world => reachesOf(world, pool));
  if (!one || !two) throw new Error('two states have two worlds');
  return accessChanges(one, two).changes;
}

test('a state with one different value is a different state, except for names that nothing refers to', () => {
  const seen = { idle: 0, others: 0 };
  fc.assert(
    fc.property(generatedPair, fc.nat(), ([account], choice) => {
      const state = stateOf(account);
      expect(areSameForAccess(state, structuredClone(state))).toBe(true);
      const leaves = leavesOf({ ...state, unread: [] });
      const path = leaves[choice % leaves.length];
      if (path === undefined) return;
      const after = edited(state, path) as AccessState;
      expect({ path, isSame: areSameForAccess(state, after) }).toEqual({
        path,
        isSame: isIdle(path),
      });
      seen[isIdle(path) ? 'idle' : 'others'] += 1;
      if (isIdle(path)) expect(changesBetween(state, after)).toEqual([]);
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(seen.idle).toBeGreaterThan(3);
});

test('a state with another unreadable list is a different state', () => {
  fc.assert(
    fc.property(generatedPair, ([account]) => {
      const state = stateOf(account);
      const unread = new Map([...state.unread, ['routes', 'it is away'] as const]);
      expect(areSameForAccess(state, { ...state, unread })).toBe(false);
    }),
    { numRuns: 5, seed: 1 },
  );
});
