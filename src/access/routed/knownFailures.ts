// Failed posture checks that the server knows when it computes the rules of a routing machine. The
// server evaluates posture for members of source groups. A single source passes a check of its
// rule, unless the server evaluated this check for it because of another policy.
import { has } from '../sets/bits.ts';
import type { Policy } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { type Posture, possibleResultsOf } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { type Fits, readPolicies } from './readPolicies.ts';

/** Whether a single source of a rule counts at a routing machine. */
export type CountsSingle = (compiled: CompiledRule, source: number, router: number) => boolean;

/**
 * Returns whether a single source counts at a routing machine. `fits` returns whether a member passes the checks of a
 * policy, for accept rules or for drop rules.
 */
export function countedSingles(
  world: World,
  reading: Posture,
  fits: (isDrop: boolean) => Fits,
): CountsSingle {
  const { verdicts, sides } = world;
  const known = new Map<string, ReadonlySet<string>>();
  // Records the first check that each member fails.
  const record = (failures: Set<string>, policy: Policy, at: number, drop: boolean) => {
    const { fails, passes } = possibleResultsOf(reading, drop);
    for (const check of verdicts.checksOf(policy)) {
      const judged =
        typeof reading === 'object'
          ? verdicts.judgeIf(check, at, reading.ofSource)
          : verdicts.judge(check, at);
      if (fails(judged)) failures.add(check.key);
      if (!passes(judged)) return;
    }
  };
  const failuresOf = (source: number, router: number, drop: boolean): ReadonlySet<string> => {
    const name = `${source} ${router} ${drop}`;
    const found = known.get(name);
    if (found) return found;
    const failures = new Set<string>();
    for (const { rule, policy } of sides.asSource(source))
      if (rule.source.type === 'groups') record(failures, policy, source, drop);
    // If the server reads more policies, it knows more failures. These reduce the access of an
    // accept rule, and the dropped traffic of a drop rule. So the opposite evaluation determines
    // which policies the server reads.
    for (const { policy, evaluated } of readPolicies(world, router, fits(!drop)))
      if (has(evaluated, source)) record(failures, policy.policy, source, drop);
    known.set(name, failures);
    return failures;
  };
  return ({ policy, rule }, source, router) => {
    const checks = verdicts.checksOf(policy);
    if (checks.length === 0) return true;
    const failures = failuresOf(source, router, rule.isDrop);
    return !checks.some(({ key }) => failures.has(key));
  };
}
