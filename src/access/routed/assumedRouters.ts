// A state in which each group of routing machines has a machine. When a machine joins such a group,
// access begins without a plan. So what rules grant is judged as if a machine had already joined.
import type { Route, Router } from '../state/accessState.ts';
import type { World } from '../world/world.ts';
import { ableForNetworks, ableForRoutes, groupsWithoutMachine } from './servers.ts';

/**
 * The same state, with a routing machine assumed for each group that has none; the given state if
 * each group has one.
 */
export function assumingRouters(world: World): World {
  const { state } = world;
  if (state.areRoutersAssumed === true) return world;
  const routers = state.networks.flatMap(network => network.routers);
  const isLacking = [...routers, ...state.routes].some(one => lackingIn(world, one).length > 0);
  return isLacking ? { ...world, state: { ...state, areRoutersAssumed: true } } : world;
}

/**
 * The groups that a machine must join before anybody is served; empty if a machine already serves.
 */
export function groupsToJoin(
  world: World,
  serving: readonly (Router | Route)[],
): readonly string[] {
  const isServed = serving.some(one => {
    const { machine, groups } = one.servers;
    return one.isEnabled && (machine !== undefined || lackingIn(world, one).length < groups.length);
  });
  return isServed ? [] : [...new Set(serving.flatMap(one => lackingIn(world, one)))];
}

// A disabled router or route serves nobody.
function lackingIn(world: World, one: Router | Route): readonly string[] {
  const able = 'networkId' in one ? ableForRoutes(world) : ableForNetworks(world);
  return one.isEnabled ? groupsWithoutMachine(world, one.servers, able) : [];
}
