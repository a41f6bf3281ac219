// Finds the members that the outsiders of a service may be: users who sign in, and single callers.
import { add, type Bits, bitsOf, copyOf } from '../sets/bits.ts';
import type { Outsiders } from '../state/accessState.ts';
import { existingGroups } from './existingGroups.ts';
import type { World } from './world.ts';

/**
 * The members that stand for users of these groups: the members of the groups, and the machines of
 * each user who has one of the groups as an auto-group. Such a user can sign in even if the machine
 * has not joined the group.
 */
export function signedInOf({ state, positions, inGroups }: World, groups: readonly string[]): Bits {
  const members = copyOf(inGroups(groups));
  const there = new Set(existingGroups(groups, state));
  const ids = new Set(
    state.enrolments
      .filter(one => one.by === 'user' && one.groups.some(group => there.has(group)))
      .map(({ id }) => id),
  );
  for (const { key, user } of state.machines) {
    const index = positions.machine.get(key);
    if (index !== undefined && user !== undefined && ids.has(user)) add(members, index);
  }
  return members;
}

/**
 * The members that these outsiders may be, if they are limited to single members of a group; undefined if they may be any member.
 */
export function singleOnes({ positions }: World, { single }: Outsiders): Bits | undefined {
  if (single === undefined) return undefined;
  return bitsOf(single.flatMap(({ type, key }) => positions[type].get(key) ?? []));
}
