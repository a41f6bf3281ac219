// The machines of groups of which a plan shows something else than of their future members. A machine that joins such a group later
// takes part in what the plan shows of the future members; a machine that was in it does not.
import { accessName } from '../../model/access/accessName.ts';
import { type AccessChangeEntry, lastingId } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { indexesIn } from '../sets/bits.ts';
import type { World } from '../world/world.ts';

/** The worlds before and after a plan; they have one roster. */
export interface Worlds {
  readonly before: { readonly world: World };
  readonly after: { readonly world: World };
}

/** A machine of a group, before or after a plan. */
export interface GroupMachine {
  /** Its name, as changes of access list it. */
  readonly key: string;
  /** Its id, or its name if it has none. */
  readonly id: string;
}

/** The machines of each group before and after a plan, by the name of the group in lines: `group/on-call`. */
export function machinesByGroup({
  before,
  after,
}: Worlds): ReadonlyMap<string, readonly GroupMachine[]> {
  const found = new Map<string, Map<number, GroupMachine>>();
  for (const { world } of [before, after])
    for (const { key: group } of world.state.groups) {
      const name = accessName('group', group);
      const machines = found.get(name) ?? new Map<number, GroupMachine>();
      found.set(name, machines);
      for (const index of indexesIn(world.inGroups([group]))) {
        const { type, key, id } = world.members[index] ?? {};
        if (type !== 'machine' || key === undefined) continue;
        machines.set(index, { key, id: lastingId({ kind: type, name: key, ...(id && { id }) }) });
      }
    }
  return new Map([...found].map(([name, machines]) => [name, [...machines.values()]]));
}

/**
 * By group, the ids of its machines, for each group of which a change concerns the future members but not all machines, among its
 * sources or among its destinations.
 */
export function groupMachinesOf(
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
  const known = machinesByGroup(worlds);
  const found = new Map<string, readonly string[]>();
  for (const { machines, toCome } of concerned) {
    const listed = new Set(machines);
    for (const name of toCome) {
      const inGroup = known.get(name) ?? [];
      if (found.has(name) || inGroup.every(({ key }) => listed.has(key))) continue;
      found.set(name, inGroup.map(({ id }) => id).sort());
    }
  }
  return Object.fromEntries([...found].sort(([one], [other]) => compareTexts(one, other)));
}
