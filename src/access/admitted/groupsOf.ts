// Finds the groups on a rule's sides that contain the source or the target of a flow.
import type { Target } from '../flows/targets.ts';
import { has } from '../sets/bits.ts';
import type { Side } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** The groups of a side; empty if the side is a single object. */
export const groupsOf = (side: Side): readonly string[] =>
  side.type === 'groups' ? side.groups : [];

/** Returns the groups of a side that contain a member. */
export type Membership = (index: number) => readonly string[];

/**
 * The memberships in the sides of the rules of a state. `nameOf`: the name of a group; groups
 * without a name are left out.
 */
export function membershipsOf(
  world: World,
  nameOf: (group: string) => string | undefined,
): (side: Side) => Membership {
  const known = new Map<Side, Membership>();
  return side => {
    const found = known.get(side) ?? membership(world, groupsOf(side), nameOf);
    known.set(side, found);
    return found;
  };
}

// Members of the same groups share one list of names. Most members are in only one group, so there are few different lists.
function membership(
  world: World,
  groups: readonly string[],
  nameOf: (group: string) => string | undefined,
): Membership {
  const named = groups.flatMap(group => {
    const name = nameOf(group);
    return name === undefined ? [] : [{ name, members: world.inGroups([group]) }];
  });
  const known = new Map<string, readonly string[]>();
  return index => {
    let text = '';
    for (const { members } of named) text += has(members, index) ? '1' : '0';
    const found =
      known.get(text) ?? named.filter((_, at) => text[at] === '1').map(({ name }) => name);
    known.set(text, found);
    return found;
  };
}

/**
 * The groups of a side that contain one of the targets. Groups of network resources and access-control groups of routes are
 * included.
 */
export function groupsToward(
  world: World,
  side: Side,
  targets: readonly Target[],
): readonly string[] {
  const found = targets.flatMap(target => {
    if (target.type === 'machine')
      return groupsOf(side).filter(group => has(world.inGroups([group]), target.index));
    const offered = new Set([
      ...target.resources.flatMap(({ resource }) => resource.groups),
      ...target.routes.flatMap(({ accessControl }) => accessControl),
    ]);
    return groupsOf(side).filter(group => offered.has(group));
  });
  return [...new Set(found)];
}
