// The members of groups: their current machines, and their future members.
import { add, type Bits, noBits, orInto } from '../sets/bits.ts';
import type { AccessState } from '../state/accessState.ts';
import { type Member, namesOf, type Positions } from './roster.ts';

/** The members of groups of a state, including future members. */
export const membersOfGroups = (
  state: AccessState,
  positions: Positions,
  members: readonly Member[],
): ((groups: readonly string[]) => Bits) => unions(membershipOf(state, positions, members));

/** Whether a member stands for future machines. */
export const isToCome = ({ type }: Member): boolean => type !== 'machine' && type !== 'internet';

/** The indexes of the items for which a condition holds. */
export function* indexesWhere<T>(
  list: readonly T[],
  holds: (item: T, index: number) => boolean,
): Generator<number> {
  for (const [index, item] of list.entries()) if (holds(item, index)) yield index;
}

// The members of each group: its current machines, its own future member, and the future members of
// enrolments that join it. All contains every future member, even if the group, key or user of the
// member exists only in another state.
function membershipOf(
  state: AccessState,
  positions: Positions,
  members: readonly Member[],
): ReadonlyMap<string, Bits> {
  const groups = new Map<string, Bits>();
  for (const group of state.groups) {
    const bits = noBits();
    for (const key of group.machines) addKnown(bits, positions.machine.get(key));
    addKnown(bits, positions.group.get(group.key));
    if (group.isAll) for (const at of indexesWhere(members, isToCome)) add(bits, at);
    for (const name of namesOf(group)) groups.set(name, bits);
  }
  for (const enrolment of state.enrolments) {
    // Several setup keys may have the same name, so their ids identify them.
    const name = namesOf(enrolment).at(-1) ?? enrolment.key;
    for (const group of enrolment.groups) {
      const bits = groups.get(group);
      if (bits) addKnown(bits, positions[enrolment.by].get(name));
    }
  }
  return groups;
}

// Cached, because rules use the same few combinations of groups.
function unions(groups: ReadonlyMap<string, Bits>): (keys: readonly string[]) => Bits {
  const known = new Map<string, Bits>();
  return keys => {
    const name = keys.toSorted().join('\n');
    const found = known.get(name);
    if (found) return found;
    const bits = noBits();
    for (const key of keys) {
      const group = groups.get(key);
      if (group) orInto(bits, group);
    }
    known.set(name, bits);
    return bits;
  };
}

function addKnown(bits: Bits, index: number | undefined): void {
  if (index !== undefined) add(bits, index);
}
