// Drop rules that remove traffic from a source.
import { has } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import { overlap } from '../sets/traffic.ts';
import { trafficText } from '../sets/trafficText.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { byRule, type Obstacle, ruleName, type Wanted } from './obstacles.ts';

/** The drop rules among these that prevent the requested access. */
export function dropsAmong(
  entries: readonly { readonly compiled: CompiledRule; readonly entry: PooledEntry }[],
  source: number,
  { traffic }: Wanted,
): readonly Obstacle[] {
  const found = entries.filter(
    ({ entry }) => entry.isDrop && has(entry.sources, source) && overlap(entry.traffic, traffic),
  );
  return [...new Map(found.map(one => [one.compiled, one])).values()].map(
    ({ compiled, entry }) => ({
      code: 'DROPPED_BY',
      message: `${ruleName(compiled)} drops ${trafficText(entry.traffic)}`,
      ...byRule(compiled),
    }),
  );
}
