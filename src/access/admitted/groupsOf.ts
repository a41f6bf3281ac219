// The groups of a rule's sides by which a flow comes to it.
import type { Target } from '../flows/targets.ts';
import { has } from '../sets/bits.ts';
import type { Side } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** The groups of a side; none if it is a single object. */
export const groupsOf = (side: Side): readonly string[] =>
  side.type === 'groups' ? side.groups : [];

/** The groups of a side that have a member. */
export const groupsWith = (world: World, side: Side, index: number): readonly string[] =>
  groupsOf(side).filter(group => has(world.inGroups([group]), index));

/** The groups of a side that have one of the targets: also those of network resources, and access control groups of routes. */
export const groupsToward = (
  world: World,
  side: Side,
  targets: readonly Target[],
): readonly string[] => {
  const found = targets.flatMap(target => {
    if (target.type === 'machine') return groupsWith(world, side, target.index);
    const offered = new Set([
      ...target.resources.flatMap(({ resource }) => resource.groups),
      ...target.routes.flatMap(({ accessControl }) => accessControl),
    ]);
    return groupsOf(side).filter(group => offered.has(group));
  });
  return [...new Set(found)];
};
