// The gates of a plan: the findings of its tests and guards, and faults of the guards themselves.

import { allowancesByIds, unguardedTargets } from '../../access/gates/acceptedAccess.ts';
import type { Evaluation } from '../../access/gates/evaluation.ts';
import { withFormer } from '../../access/gates/formerAccess.ts';
import { aboutTheSame } from '../../access/gates/formerVerdicts.ts';
import { gatesOf, idleGuards, inStableOrder } from '../../access/gates/gates.ts';
import { missedNames, movedGuardedNames, movedOtherNames } from '../../access/gates/movedNames.ts';
import { takenAddresses } from '../../access/gates/takenAddresses.ts';
import { unguardedNameservers } from '../../access/gates/unguardedNameservers.ts';
import type { IsEnding } from '../../access/gates/usedFindings.ts';
import type { PlannedAccount } from '../../access/plan/comparison.ts';
import { stateOfFiles } from '../../access/state/stateOfFiles.ts';
import { withPlaces } from '../../access/tests/decidingPlaces.ts';
import type { AccessGates, AccessGuards } from '../../model/access/accessGates.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { AccessSettings } from './accessSettings.ts';
import type { MeantGuards } from './meantGuards.ts';

/** What a plan is judged by. */
export interface Judging {
  readonly evaluation: Evaluation;
  /** The evaluation of the plan in an account from which everything that has ended is gone. */
  readonly afterEnds: Evaluation | undefined;
  /** Tells the rules that files end. */
  readonly isEnding: IsEnding;
  readonly meant: MeantGuards;
  /** Whether the plan changes nothing. */
  readonly isAtRest: boolean;
}

/** What the gates found in a plan. */
export interface JudgedPlan {
  readonly gates: AccessGates | undefined;
  readonly guards: AccessGuards | undefined;
  /** The errors of the gates. */
  readonly diagnostics: readonly Diagnostic[];
  /** Allowances that name nothing that is guarded. */
  readonly warnings: readonly Diagnostic[];
}

/** Judges a plan by the tests and guards of its run. */
export function judgedPlan(
  { evaluation, afterEnds, isEnding, meant, isAtRest }: Judging,
  settings: AccessSettings,
): JudgedPlan {
  const { own, former, lost } = meant;
  const { desired } = settings;
  // A plan without changes violates no guard that was applied before.
  const guards = isAtRest ? undefined : withFormer(own, former);
  const tests = isAtRest
    ? meant.tests
    : [...meant.tests, ...aboutTheSame(former.tests, evaluation.states)];
  const byFlag = allowancesByIds(settings.allowances.byFlag, guards?.guarded);
  const allowances = { ...settings.allowances, byFlag };
  // Only the existence of the names matters here, and the dialect does not affect it.
  const declared = () => stateOfFiles(desired, objects => objects);
  const ends = { afterEnds, isEnding };
  const judging = { ...settings, ...ends, tests, guards, allowances, declared, lost };
  const found = gatesOf(evaluation, judging);
  const gates = found.gates ?? (isAtRest ? gatesAtRest(settings) : undefined);
  const counting = guards ?? own;
  const guarded = counting?.guarded ?? [];
  return {
    gates: gates && placedGates(gates, desired),
    guards: counting,
    diagnostics: found.diagnostics,
    warnings: unguardedTargets(byFlag, { guarded, tests, missing: found.missing }),
  };
}

/** An account, and a plan with its changes. */
type ChangedAccount = PlannedAccount & { readonly plan: Pick<Plan, 'changes'> };

/**
 * The findings about guarded names that a plan moves. For a plan without changes, the findings about guards that match nothing.
 */
export function findingsAboutGuards(
  { evaluation, meant, isAtRest }: Judging,
  account: ChangedAccount,
  guards: AccessGuards | undefined,
): readonly Diagnostic[] {
  const { states } = evaluation;
  if (isAtRest) return idleGuards(states, meant.own ?? { guarded: [] });
  const { changes } = account.plan;
  const guarded = guards?.guarded ?? [];
  return [
    ...movedGuardedNames(states, account, guarded),
    ...missedNames(states, changes, guarded),
    ...movedOtherNames(states, account, guarded),
    ...unguardedNameservers(states, changes, guarded),
    ...takenAddresses(states, account),
  ];
}

/** The gates of a plan without changes, which has no hazards and grants nothing. */
export function gatesAtRest({
  tests,
  guards,
}: Pick<AccessSettings, 'tests' | 'guards'>): AccessGates | undefined {
  if (tests.length === 0 && guards === undefined) return undefined;
  return {
    ...(tests.length > 0 && { tests: { tests: inStableOrder(tests) } }),
    ...(guards && { guards }),
    findings: [],
  };
}

// The gates, with the places in files that decide each failed test.
function placedGates(gates: AccessGates, desired: readonly Desired[]): AccessGates {
  const { tests } = gates;
  if (tests?.verdicts === undefined) return gates;
  return { ...gates, tests: { ...tests, verdicts: withPlaces(tests.verdicts, () => desired) } };
}
