// The enabled rules that have a member on one of their sides. Rules share the sets of their sides,
// so the index contains the sets instead of the rules. Thousands of rules about All therefore cost
// no more than a single rule.
import { type Bits, indexesIn } from '../sets/bits.ts';
import type { CompiledPolicy, CompiledRule } from './compiledPolicies.ts';

export interface Sides {
  /** The enabled rules with the member among their sources, whatever its posture. */
  readonly asSource: (index: number) => readonly CompiledRule[];
  readonly asDestination: (index: number) => readonly CompiledRule[];
}

/** Indexes the enabled rules of a state by the members on their sides. */
export function sidesOf(policies: readonly CompiledPolicy[], size: number): Sides {
  const active = policies.flatMap(({ rules }) => rules.filter(({ isActive }) => isActive));
  return {
    asSource: indexed(active, ({ sources }) => sources, size),
    asDestination: indexed(active, ({ destinations }) => destinations, size),
  };
}

function indexed(
  rules: readonly CompiledRule[],
  side: (rule: CompiledRule) => Bits,
  size: number,
): (index: number) => readonly CompiledRule[] {
  const bySet = [...Map.groupBy(rules, side)];
  const sets: (number[] | undefined)[] = new Array<undefined>(size).fill(undefined);
  for (const [number, [bits]] of bySet.entries())
    for (const index of indexesIn(bits)) {
      const known = sets[index];
      if (known) known.push(number);
      else sets[index] = [number];
    }
  const known: (readonly CompiledRule[] | undefined)[] = new Array<undefined>(size).fill(undefined);
  return index => {
    const found = known[index] ?? (sets[index] ?? []).flatMap(number => bySet[number]?.[1] ?? []);
    known[index] = found;
    return found;
  };
}
