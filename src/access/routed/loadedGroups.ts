// The groups that the server sends to a routing machine. If the server does not send a source
// group, the rules of a route have no sources from this group at the machine, even rules that drop
// traffic.
import { has } from '../sets/bits.ts';
import type { Side } from '../state/accessState.ts';
import type { World } from '../world/world.ts';
import { type Fits, readPolicies } from './readPolicies.ts';
import type { ServedRoute } from './servedRoutes.ts';

/**
 * The groups that a machine gets. `fits` returns whether a member counts as a source through a
 * group.
 */
export function loadedGroups(
  world: World,
  routes: readonly ServedRoute[],
  machine: number,
  fits: Fits,
): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (groups: readonly string[]) => {
    for (const group of groups) loaded.add(group);
  };
  for (const { key } of world.state.groups) if (has(world.inGroups([key]), machine)) load([key]);
  const near = routes.filter(served => isNear(served, machine));
  for (const { route } of near) load([...route.servers.groups, ...route.distribution]);
  const control = controlOf(near);
  load(control);
  for (const { rule, policy, isActive, sources, destinations } of world.policies.flatMap(
    ({ rules }) => rules,
  )) {
    if (!isActive) continue;
    const isNamed = namesAny(rule.destination, control);
    const isSource =
      has(sources, machine) && (rule.source.type === 'machine' || fits(policy, machine));
    if (isNamed || has(destinations, machine)) load(groupsOf(rule.source));
    if (isNamed || isSource) load(groupsOf(rule.destination));
  }
  for (const { policy, isLoaded } of readPolicies(world, machine, fits))
    for (const { rule } of isLoaded ? policy.rules : [])
      load([...groupsOf(rule.source), ...groupsOf(rule.destination)]);
  return loaded;
}

/**
 * Whether the server sends a route to a machine. It does if the machine serves the route or is in
 * its distribution groups.
 */
export function isNear({ route, serving, distribution }: ServedRoute, machine: number): boolean {
  return has(serving, machine) || (route.isEnabled && has(distribution, machine));
}

/** The access-control groups of the enabled routes among these. */
export function controlOf(routes: readonly ServedRoute[]): readonly string[] {
  return routes.flatMap(({ route }) => (route.isEnabled ? route.accessControl : []));
}

/** Whether one side of a rule names one of these groups. */
export function namesAny(side: Side, groups: readonly string[]): boolean {
  return side.type === 'groups' && side.groups.some(group => groups.includes(group));
}

const groupsOf = (side: Side): readonly string[] => (side.type === 'groups' ? side.groups : []);
