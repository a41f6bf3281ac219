// Policy edges: which members have a routing machine on the other side of an enabled rule. Routes are distributed along them.
import { and, type Bits, has, noBits, orInto } from '../sets/bits.ts';
import type { CompiledRule } from '../world/policies.ts';
import { countingIn, type Reading } from '../world/reading.ts';
import type { World } from '../world/world.ts';

export interface Edges {
  /** Who has an edge to a machine: in any direction, by drop rules and by rules of any ports too. */
  readonly to: (router: number) => Bits;
  /** Whether an enabled rule has the machine on one of its sides. */
  readonly touches: (compiled: CompiledRule, router: number) => boolean;
}

/** The edges of a world. Sources by group count only if they pass posture. */
export function edgesIn(world: World, reading: Reading): Edges {
  const counting = countingIn(world, reading);
  const sides = world.policies
    .flatMap(({ rules }) => rules)
    .filter(({ isActive }) => isActive)
    .map(compiled => {
      const { rule, sources, policy, destinations } = compiled;
      const isSingle = rule.source.type === 'machine';
      return { sources: isSingle ? sources : and(sources, counting(policy).opens), destinations };
    });
  const known = new Map<number, Bits>();
  return {
    to: router => {
      const found = known.get(router);
      if (found) return found;
      const edges = noBits(world.size);
      for (const { sources, destinations } of sides) {
        if (has(destinations, router)) orInto(edges, sources);
        if (has(sources, router)) orInto(edges, destinations);
      }
      known.set(router, edges);
      return edges;
    },
    touches: ({ rule, sources, policy, destinations }, router) => {
      if (has(destinations, router)) return true;
      if (!has(sources, router)) return false;
      return rule.source.type === 'machine' || has(counting(policy).opens, router);
    },
  };
}
