// Policy edges. A member has an edge to a routing machine if the two are on opposite sides of an
// enabled rule. The server distributes routes along edges.
import { type Bits, has, orAndInto, orInto, roomFor } from '../sets/bits.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { countedMembersIn, type Posture } from '../world/reading.ts';
import type { World } from '../world/world.ts';

export interface Edges {
  /**
   * The members with an edge to a machine, in either direction. Drop rules count, and rules for any
   * port count.
   */
  readonly to: (machine: number) => Bits;
  /** Whether an enabled rule has the machine on one of its sides. */
  readonly touches: (compiled: CompiledRule, machine: number) => boolean;
}

/** The edges of a state. Sources in a group count only if they pass posture checks. */
export function edgesIn(world: World, reading: Posture): Edges {
  const counting = countedMembersIn(world, reading);
  const countingOthers = countedMembersIn(world, reading, 'ofOthers');
  const isFit = ({ rule, policy }: CompiledRule, machine: number) =>
    rule.source.type === 'machine' || has(countingOthers(policy).opens, machine);
  const addFitSources = (edges: Bits, { rule, sources, policy }: CompiledRule) =>
    rule.source.type === 'machine'
      ? orInto(edges, sources)
      : orAndInto(edges, sources, counting(policy).opens);
  const known = new Map<number, Bits>();
  return {
    to: machine => {
      const found = known.get(machine);
      if (found) return found;
      const edges = roomFor(world.size);
      for (const compiled of world.sides.asDestination(machine)) addFitSources(edges, compiled);
      for (const compiled of world.sides.asSource(machine))
        if (isFit(compiled, machine)) orInto(edges, compiled.destinations);
      known.set(machine, edges);
      return edges;
    },
    touches: (compiled, machine) =>
      has(compiled.destinations, machine) ||
      (has(compiled.sources, machine) && isFit(compiled, machine)),
  };
}
