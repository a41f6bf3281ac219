// The sources of a rule at a routing machine. The server sends only a part of the account to each machine. So at the machine, a
// rule may have fewer sources than it names, and posture may be unknown.
import { and, type Bits, has, indexesIn, noBits } from '../sets/bits.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import { countedMembersIn, type Posture } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { countedSingles } from './knownFailures.ts';
import type { Fits } from './readPolicies.ts';

/** The sources of a rule at a routing machine. */
export type SourcesAt = (router: number) => (compiled: CompiledRule) => Bits;

/**
 * The sources of rules at the routing machines of a state, for machines that receive all groups of
 * the rule.
 */
export function sourcesAtRouters(world: World, reading: Posture): SourcesAt {
  const counting = countedMembersIn(world, reading);
  const countsSingle = countedSingles(world, reading, fitting(world, reading));
  const nobody = noBits();
  return router => compiled => {
    const { rule, policy, sources } = compiled;
    if (rule.source.type === 'groups') {
      const { opens, closes } = counting(policy);
      return and(sources, rule.isDrop ? closes : opens);
    }
    const [single] = indexesIn(sources);
    if (single === undefined) return nobody;
    return countsSingle(compiled, single, router) ? sources : nobody;
  };
}

/** Whether the sources of a policy's rules may differ from router to router. */
export function isOfRouter({ verdicts }: World, { policy, rules }: CompiledPolicy): boolean {
  const hasSingle = rules.some(({ rule, isActive }) => isActive && rule.source.type === 'machine');
  return hasSingle && verdicts.checksOf(policy).length > 0;
}

/**
 * Returns whether a routing machine passes the checks of a policy. Accept rules and drop rules are
 * evaluated separately.
 */
export function fitting(world: World, reading: Posture): (isDrop: boolean) => Fits {
  const counting = countedMembersIn(world, reading, 'ofOthers');
  return isDrop => (policy, index) => {
    const { opens, closes } = counting(policy);
    return has(isDrop ? closes : opens, index);
  };
}
