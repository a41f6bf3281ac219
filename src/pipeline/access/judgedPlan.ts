// The gates of a plan: the findings of its tests and guards, and faults of the guards themselves.

import { allowancesByIds, unguardedTargets } from '../../access/gates/acceptedAccess.ts';
import type { Evaluation } from '../../access/gates/evaluation.ts';
import { withFormer } from '../../access/gates/formerAccess.ts';
import { aboutTheSame } from '../../access/gates/formerVerdicts.ts';
import { gatesOf, idleGuards, inStableOrder, withUnprovided } from '../../access/gates/gates.ts';
import { matchesIn } from '../../access/gates/matchingSelectors.ts';
import { type MovingNote, movingFindings } from '../../access/gates/movingNotes.ts';
import type { IsEnding } from '../../access/gates/usedFindings.ts';
import { stateOfFiles } from '../../access/state/stateOfFiles.ts';
import { withPlaces } from '../../access/tests/decidingPlaces.ts';
import type { AccessGates, AccessGuards } from '../../model/access/accessGates.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import type { AccessSettings } from './accessSettings.ts';
import type { MeantGuards } from './meantGuards.ts';

/** The facts with which a plan is judged. */
export interface Judging {
  readonly evaluation: Evaluation;
  /** The evaluation of the plan in an account without everything that has ended. */
  readonly afterEnds: Evaluation | undefined;
  /** Returns whether a rule has an end time in the files. */
  readonly isEnding: IsEnding;
  readonly meant: MeantGuards;
  /** Whether the plan changes nothing. */
  readonly isAtRest: boolean;
}

/** The result of the gates for a plan. */
export interface JudgedPlan {
  readonly gates: AccessGates | undefined;
  readonly guards: AccessGuards | undefined;
  /** The errors of the gates. */
  readonly diagnostics: readonly Diagnostic[];
  /** Warnings about allowances that match no guard. */
  readonly warnings: readonly Diagnostic[];
}

/** Judges a plan by the tests and guards of its run. */
export function judgedPlan(
  { evaluation, afterEnds, isEnding, meant, isAtRest }: Judging,
  settings: AccessSettings,
): JudgedPlan {
  const { own, former, lost } = meant;
  const { desired } = settings;
  // A plan without changes cannot violate a guard of the last apply.
  const guards = isAtRest ? undefined : withFormer(own, former);
  const tests = isAtRest
    ? meant.tests
    : [...meant.tests, ...aboutTheSame(former.tests, evaluation.states)];
  const byFlag = allowancesByIds(settings.allowances.byFlag, guards?.guarded);
  const allowances = { ...settings.allowances, byFlag };
  // Only the existence of the names matters here, and it does not depend on the dialect.
  const isDeclared = matchesIn([() => stateOfFiles(desired, objects => objects)]);
  const ends = { afterEnds, isEnding };
  const judging = { ...settings, ...ends, tests, guards, allowances, isDeclared, lost };
  const found = gatesOf(evaluation, judging);
  const gates = found.gates ?? (isAtRest ? gatesAtRest(settings) : undefined);
  const counting = guards ?? own;
  const guarded = counting?.guarded ?? [];
  return {
    gates: gates && placedGates(gates, desired),
    guards: counting && withUnprovided(counting, evaluation.states),
    diagnostics: found.diagnostics,
    warnings: unguardedTargets(byFlag, { guarded, tests, missing: found.missing }),
  };
}

/**
 * The findings about guarded names that a plan moves or, for a plan without changes, about guards
 * that match nothing.
 */
export function findingsAboutGuards(
  { evaluation, meant, isAtRest }: Judging,
  moves: readonly MovingNote[],
): readonly Diagnostic[] {
  if (isAtRest) return idleGuards(evaluation.states, meant.own ?? { guarded: [] });
  return movingFindings(moves);
}

/** The gates of a plan without changes. Such a plan has no hazards and grants nothing. */
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

// The gates, with the positions in the files that decide each failed test.
function placedGates(gates: AccessGates, desired: readonly Desired[]): AccessGates {
  const { tests } = gates;
  if (tests?.verdicts === undefined) return gates;
  return { ...gates, tests: { ...tests, verdicts: withPlaces(tests.verdicts, () => desired) } };
}
