// Machines that await approval. Such a machine receives nothing and admits nothing. But if it is
// the single source or destination of a rule, the machines on the other side know it, and treat it
// as an ordinary member of its groups in every rule.
import { add, and, type Bits, count, has, indexesIn, noBits } from '../sets/bits.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { CountedMembers } from '../world/reading.ts';
import type { World } from '../world/world.ts';

/**
 * For each machine, the machines awaiting approval that it knows. Machines that know none are
 * omitted.
 */
export function knownAwaiting(
  { policies, awaiting, machineOf }: World,
  counting: (policy: CompiledRule['policy']) => CountedMembers,
): ReadonlyMap<number, Bits> {
  const known = new Map<number, Bits>();
  if (count(awaiting) === 0) return known;
  const tell = (knowing: Bits, waiting: number) => {
    for (const index of indexesIn(knowing)) {
      const bits = known.get(index) ?? noBits();
      add(bits, waiting);
      known.set(index, bits);
    }
  };
  const awaitingAt = (key: string) => {
    const index = machineOf(key);
    return index !== undefined && has(awaiting, index) ? index : undefined;
  };
  for (const compiled of policies.flatMap(({ rules }) => rules)) {
    if (!compiled.isActive) continue;
    const { source, destination } = compiled.rule;
    const from = source.type === 'machine' ? awaitingAt(source.machine) : undefined;
    const to = destination.type === 'machine' ? awaitingAt(destination.machine) : undefined;
    if (from !== undefined) tell(compiled.destinations, from);
    if (to !== undefined) tell(knowingSources(compiled, counting), to);
  }
  return known;
}

// If a machine is a source through a group, it knows the destination only if it passes the policy's posture checks.
function knowingSources(
  { policy, rule, sources }: CompiledRule,
  counting: (policy: CompiledRule['policy']) => CountedMembers,
): Bits {
  if (rule.source.type === 'machine') return sources;
  return and(sources, counting(policy).opens);
}
