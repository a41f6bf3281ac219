// The access diff of two states of an account.
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { worldsOf } from '../../../src/access/world/world.ts';

/** Every change of access from one state to another. */
export function changesBetween(one: AccessState, other: AccessState) {
  const pool = rowPool();
  const [before, after] = worldsOf([one, other]).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('there are two states');
  return accessChanges(before, after).changes;
}
