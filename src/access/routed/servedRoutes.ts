// Routes with the machines that serve them and those that they are distributed to.
import { and, type Bits } from '../sets/bits.ts';
import type { Route } from '../state/accessState.ts';
import type { World } from '../world/world.ts';
import { ableServers, everyServer, serversOf } from './servers.ts';

/** A route with its machines. */
export interface ServedRoute {
  readonly route: Route;
  /** The machines that deliver it. */
  readonly servers: readonly number[];
  /** Everyone who serves it, those to come and those who cannot deliver it too. */
  readonly serving: Bits;
  /** Who is in its distribution groups. */
  readonly distribution: Bits;
}

/** The routes of a world, disabled ones too. */
export function servedRoutes(world: World): readonly ServedRoute[] {
  return world.state.routes.map(route => ({
    route,
    servers: ableServers(world, serversOf(world, route.servers), true),
    serving: everyServer(world, route.servers),
    distribution: and(world.inGroups(route.distribution), world.approved),
  }));
}
