// The members of groups and users, if a plan shows the current and the future members of the group
// or user differently. If a machine joins such a group later, the lines of the plan about future
// members apply to it. If it was in the group already, they do not.
import { accessName } from '../../model/access/accessName.ts';
import { type AccessChangeEntry, lastingId } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { memberName } from '../ask/memberSetNames.ts';
import { type Bits, bitsOf, has, indexesIn } from '../sets/bits.ts';
import type { World } from '../world/world.ts';

/** The compiled states before and after a plan, with the same roster. */
export interface Worlds {
  readonly before: { readonly world: World };
  readonly after: { readonly world: World };
}

/** A member of a group, or a machine of a user, before or after a plan. */
export interface ShownMember {
  /** The name of the member in changes of access: `mia`, `user/mia@example.com`. */
  readonly listed: string;
  /** The id of the member, or its name if it has no id. */
  readonly id: string;
}

/**
 * The members before and after a plan, by the name of the group or user in lines. For a group
 * (`group/on-call`), its machines, users and setup keys; for a user (`user/mia@example.com`), the
 * machines of the user. Machines that await approval, or whose user is blocked, are left out,
 * because no line is about them.
 */
export function membersByName({
  before,
  after,
}: Worlds): ReadonlyMap<string, readonly ShownMember[]> {
  const found = new Map<string, Map<number, ShownMember>>();
  for (const { world } of [before, after])
    for (const [name, bits] of [...groupsIn(world), ...usersIn(world)]) {
      const members = found.get(name) ?? new Map<number, ShownMember>();
      found.set(name, members);
      for (const index of indexesIn(bits)) {
        const member = memberAt(world, index);
        if (member !== undefined && member.listed !== name) members.set(index, member);
      }
    }
  return new Map([...found].map(([name, members]) => [name, [...members.values()]]));
}

const groupsIn = (world: World): readonly (readonly [string, Bits])[] =>
  world.state.groups.map(({ key }) => [accessName('group', key), world.inGroups([key])]);

function usersIn(world: World): readonly (readonly [string, Bits])[] {
  const owned = Map.groupBy(world.state.machines, ({ user }) => user);
  return world.members.flatMap(({ type, id }, index): (readonly [string, Bits])[] => {
    const machines = type === 'user' && id !== undefined ? (owned.get(id) ?? []) : [];
    if (machines.length === 0) return [];
    const indexes = machines.flatMap(({ key }) => world.machineOf(key) ?? []);
    return [[memberName(world, index), bitsOf(indexes)]];
  });
}

function memberAt(world: World, index: number): ShownMember | undefined {
  const { type, key, id } = world.members[index] ?? {};
  if (type === undefined || key === undefined || type === 'internet') return undefined;
  if (has(world.awaiting, index) || has(world.loggedOut, index)) return undefined;
  const listed = type === 'machine' ? key : memberName(world, index);
  return { listed, id: lastingId({ kind: type, name: listed, ...(id && { id }) }) };
}

/**
 * The ids of the members of groups and users, by the name of the group or user in lines. Contains a
 * group or user if a change concerns its future members, on either side, but not all of its current
 * members.
 */
export function shownMembersOf(
  changes: readonly AccessChangeEntry[],
  worlds: Worlds,
): Readonly<Record<string, readonly string[]>> {
  const sides = changes.flatMap(
    ({ machines, members_to_come: toCome, to_machines = [], to_members_to_come = [] }) => [
      { machines, toCome },
      { machines: to_machines, toCome: to_members_to_come },
    ],
  );
  const concerned = sides.filter(({ toCome }) => toCome.length > 0);
  if (concerned.length === 0) return {};
  const known = membersByName(worlds);
  const found = new Map<string, readonly string[]>();
  for (const { machines, toCome } of concerned) {
    const listed = new Set([...machines, ...toCome]);
    for (const name of toCome) {
      const members = known.get(name) ?? [];
      if (found.has(name) || members.every(one => listed.has(one.listed))) continue;
      found.set(name, members.map(({ id }) => id).sort());
    }
  }
  return Object.fromEntries([...found].sort(([one], [other]) => compareTexts(one, other)));
}
