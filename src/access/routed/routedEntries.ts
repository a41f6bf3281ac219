// The rules of a policy at a routing machine, for its deliveries.
import { and, type Bits } from '../sets/bits.ts';
import type { RowPool } from '../sets/rowPool.ts';
import {
  type CompiledPolicy,
  type CompiledRule,
  routedTraffic,
} from '../world/compiledPolicies.ts';
import type { RoutedEntry } from './delivery.ts';

/**
 * The entries of all enabled rules of a policy. Rules with other destinations are included, because
 * the routing machine gets the whole policy. `eligible`: the sources that may count at the machine.
 * `sourcesOf` returns the sources of a rule at the machine.
 */
export function routedEntries(
  { rules }: CompiledPolicy,
  eligible: Bits,
  sourcesOf: (compiled: CompiledRule) => Bits,
  pool: RowPool,
): readonly RoutedEntry[] {
  return rules.filter(isRouted).map(compiled => {
    const sources = and(sourcesOf(compiled), eligible);
    return {
      compiled,
      entry: pool.entry(compiled.rule.isDrop, routedTraffic(compiled), sources),
    };
  });
}

const isRouted = (compiled: CompiledRule): boolean =>
  compiled.isActive && routedTraffic(compiled).length > 0;
