// Coverage of access tests: finds the policies that affect no verdict.
import type { AccessTest } from '../../model/access/accessTest.ts';
import { reachesIn } from '../flows/reaches.ts';
import type { AccessState } from '../state/accessState.ts';
import { judgeTests } from './judgeTests.ts';

/** A policy, and the states without it and with it disabled. */
export interface Mutated {
  readonly policy: string;
  readonly states: readonly AccessState[];
}

/**
 * The policies that affect no verdict. All verdicts are the same without the policy, and with the
 * policy disabled.
 */
export function uncoveredPolicies(
  state: AccessState,
  mutated: Iterable<Mutated>,
  tests: readonly AccessTest[],
): readonly string[] {
  const verdicts = verdictsText(state, tests);
  const uncovered: string[] = [];
  for (const { policy, states } of mutated)
    if (states.every(one => verdictsText(one, tests) === verdicts)) uncovered.push(policy);
  return uncovered;
}

// The verdicts as a string. A selector that no longer matches anything counts as a change too.
function verdictsText(state: AccessState, tests: readonly AccessTest[]): string {
  const { verdicts, diagnostics } = judgeTests(reachesIn(state), tests);
  if (diagnostics.length > 0) return 'invalid';
  return verdicts
    .map(({ failures }) => failures.map(({ line, at }) => `${line} ${at.line}:${at.column}`))
    .join(';');
}
