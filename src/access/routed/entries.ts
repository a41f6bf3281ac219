// The rules of a policy as a routing machine has them for what it delivers.
import { and, type Bits } from '../sets/bits.ts';
import type { RowPool } from '../sets/rowPool.ts';
import { type CompiledPolicy, type CompiledRule, routedTraffic } from '../world/policies.ts';
import type { Counting } from '../world/reading.ts';
import type { RoutedEntry } from './delivery.ts';

/**
 * All enabled rules of a policy, whatever their own destination is: the routing machine gets the whole policy.
 * Posture counts for single sources too. `eligible`: who may be a source here at all.
 */
export function routedEntries(
  { rules }: CompiledPolicy,
  { opens, closes }: Counting,
  eligible: Bits,
  pool: RowPool,
): readonly RoutedEntry[] {
  return rules.filter(isRouted).map(compiled => {
    const { rule, sources } = compiled;
    const counting = and(and(sources, rule.isDrop ? closes : opens), eligible);
    return { compiled, entry: pool.entry(rule.isDrop, routedTraffic(compiled), counting) };
  });
}

const isRouted = (compiled: CompiledRule): boolean =>
  compiled.isActive && routedTraffic(compiled).length > 0;
