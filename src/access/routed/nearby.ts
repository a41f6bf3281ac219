// What the server sends to a routing machine because of routes: the routes that the machine serves or whose distribution groups
// contain it, the groups of these routes, and the source groups of rules.
import { and, has } from '../sets/bits.ts';
import type { Posture } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { controlOf, isNear, loadedGroups, namesAny } from './loadedGroups.ts';
import type { ServedRoute } from './servedRoutes.ts';
import { fitting, type SourcesAt } from './sourcesAtRouters.ts';

export interface Nearby {
  /** The access-control groups of the enabled routes that a machine serves or whose distribution groups contain it. */
  readonly controlAt: (machine: number) => readonly string[];
  /** The sources of a rule at a routing machine, for the machine's routes. */
  readonly sourcesAt: SourcesAt;
}

/** The sources and groups at the routing machines of these routes. */
export function nearbyOf(
  world: World,
  reading: Posture,
  routes: readonly ServedRoute[],
  sourcesAt: SourcesAt,
): Nearby {
  const fits = fitting(world, reading);
  const controlAt = remembered((machine: number) =>
    controlOf(routes.filter(served => isNear(served, machine))),
  );
  const loadedWith = (isDrop: boolean) =>
    remembered((machine: number) => loadedGroups(world, routes, machine, fits(isDrop)));
  const forDrops = loadedWith(true);
  const forAccepts = loadedWith(false);
  return {
    controlAt,
    sourcesAt: router => compiled => {
      const { rule, destinations } = compiled;
      const sources = sourcesAt(router)(compiled);
      if (rule.source.type !== 'groups') return sources;
      if (has(destinations, router) || namesAny(rule.destination, controlAt(router)))
        return sources;
      const loaded = (rule.isDrop ? forDrops : forAccepts)(router);
      return and(sources, world.inGroups(rule.source.groups.filter(group => loaded.has(group))));
    },
  };
}

function remembered<T>(find: (machine: number) => T): (machine: number) => T {
  const known = new Map<number, T>();
  return machine => {
    const found = known.get(machine) ?? find(machine);
    known.set(machine, found);
    return found;
  };
}
