// Routes, with the machines that serve them and the machines to which they are distributed.
import { and, type Bits, indexesIn } from '../sets/bits.ts';
import type { Route } from '../state/accessState.ts';
import type { World } from '../world/world.ts';
import { perWorld } from './computedOnce.ts';
import { ableForRoutes, everyServer, serversOf } from './servers.ts';

/** A route with its machines. */
export interface ServedRoute {
  readonly route: Route;
  /** The machines that deliver the route. */
  readonly servers: readonly number[];
  /** All machines that serve the route, including future machines and machines that cannot deliver it. */
  readonly serving: Bits;
  /** The connected members of the distribution groups of the route. */
  readonly distribution: Bits;
}

/** The routes of a state, including disabled routes. */
export const servedRoutes = perWorld((world: World): readonly ServedRoute[] =>
  world.state.routes.map(route => ({
    route,
    servers: [...indexesIn(serversOf(world, route.servers, ableForRoutes(world)))],
    serving: everyServer(world, route.servers),
    distribution: and(world.inGroups(route.distribution), world.connected),
  })),
);
