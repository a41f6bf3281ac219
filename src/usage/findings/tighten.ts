// The unused access of files, as findings with their edits.
import { type LintContext, type LintInput, lintContext } from '../../access/lint/lintContext.ts';
import { declaredRules, nameOfRule } from '../../access/narrow/narrowing.ts';
import { stateAfterEdits } from '../../access/narrow/stateAfterEdits.ts';
import { trialOf } from '../../access/narrow/triedEdits.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import { isApplied } from '../../access/state/ignoredFields.ts';
import type { GuardedAccess } from '../../model/access/accessGates.ts';
import { byPosition } from '../../model/byPosition.ts';
import type { Desired } from '../../model/object.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import type { FindingState, TightenedObject, Tightening } from '../../model/tightening.ts';
import { flowCount } from '../attribution/flowCount.ts';
import type { Observed } from '../observed.ts';
import type { Candidate } from './candidate.ts';
import { contradictedPolicies } from './contradictions.ts';
import { duplicates, type Known } from './duplicates.ts';
import { type Evidence, evidenceIn } from './evidence.ts';
import { afterOthers, objectName } from './later.ts';
import { replaying } from './replay.ts';
import { routesInDoubt } from './routesInDoubt.ts';
import { editsIn, type Settling, settleCertain, settleOthers } from './settle.ts';
import { unusedAccess, unusedLater, useOf } from './unusedAccess.ts';

/** Valid files, and the observations of their account. */
export interface TightenInput extends LintInput {
  readonly guarded: readonly GuardedAccess[];
  readonly observed?: Observed | undefined;
  /** Objects that the project files protect, as `kind/key` or `kind/id:<id>`. */
  readonly protect?: Iterable<string>;
  /** Objects whose declaration contains a variable, as `kind key`. */
  readonly withVariables?: ReadonlySet<string>;
}

/** The findings, and the edits of those in state `certain`. */
export interface Tightened {
  readonly tightening: Tightening;
  readonly edits: readonly ObjectEdit[];
  /** Whether some of these edits alone give nobody access and keep what tests and guards need. */
  readonly isSafe: (edits: readonly ObjectEdit[]) => boolean;
  /** The account with the files after the edits, or the files alone. */
  readonly accountAfter: () => AccessState;
}

/** Finds the access that the files can give up. */
export function tightened(given: TightenInput): Tightened {
  const input = { ...given, desired: withProtection(given) };
  const context = lintContext(input);
  const { accessTests: tests, guarded, desired, asKept, observed } = input;
  const account = observed?.states.at(-1)?.state;
  const trial = trialOf({ desired, asKept, tests, guarded, account });
  const evidence = observed && evidenceIn(context, observed, trial.accountAfter([]));
  const losesFlow = evidence ? replaying(evidence, trial) : () => false;
  const { withDoubts, areCutBy } = routesInDoubt(evidence, trial);
  const losesUse = (some: readonly Candidate[]) => losesFlow(some) || areCutBy(some);
  const settling = { trial, losesUse };
  const original = originalRules(context);
  const known = { withVariables: input.withVariables, isAccountKnown: account !== undefined };
  const same = duplicates(context, original, known);
  const unused = evidence ? unusedAccess(context, evidence, removedBy(same)) : [];
  const candidates = withDoubts([...same, ...unused].filter(isEffective));
  const certain = inRounds(candidates, { ...input, known, context, evidence, settling });
  const others = settleOthers(candidates, settling, certain.proposed);
  const proposed = [...certain.proposed, ...others.proposed];
  const contradictions = evidence ? contradictedPolicies(evidence) : [];
  return {
    tightening: {
      ...(evidence && { log: logOf(evidence) }),
      objects: inOrder(proposed, evidence),
      kept: [...certain.kept, ...others.kept],
      ...(contradictions.length > 0 && { contradictions }),
    },
    edits: editsIn(certain.proposed),
    isSafe: edits => trial.objection(edits) === undefined,
    accountAfter: () => trial.accountAfter(editsIn(certain.proposed)),
  };
}

// An entry of the project file protects an object as its own `lifecycle.protect` does.
function withProtection({ desired, protect = [] }: TightenInput): readonly Desired[] {
  const names = new Set(protect);
  if (names.size === 0) return desired;
  return desired.map(object => {
    const { kind, key, lifecycle } = object;
    const isListed =
      names.has(`${kind}/${key}`) ||
      (lifecycle.id !== undefined && names.has(`${kind}/id:${lifecycle.id}`));
    return isListed ? { ...object, lifecycle: { ...lifecycle, protect: true } } : object;
  });
}

interface Rounds extends LintInput {
  readonly context: LintContext;
  readonly evidence: Evidence | undefined;
  readonly settling: Settling;
  readonly known: Known;
}

// A narrowed rule may have the effect of another rule, which a second run would find: rounds are repeated until nothing new is
// found.
function inRounds(
  candidates: readonly Candidate[],
  { context, evidence, settling, known, ...input }: Rounds,
): Pick<ReturnType<typeof settleCertain>, 'proposed' | 'kept'> {
  const original = originalRules(context);
  const first = settleCertain(candidates, settling);
  let { proposed, kept } = first;
  const tried = new Set(candidates.map(partName));
  for (;;) {
    const later = lintContext({
      ...input,
      desired: stateAfterEdits(input.desired, editsIn(proposed)),
    });
    const same = duplicates(later, original, known).map(one => ({
      ...one,
      finding: afterOthers(one.finding),
    }));
    const unused = evidence ? unusedLater(later, context, evidence) : [];
    const fresh = [...same, ...unused].filter(isEffective).filter(one => !tried.has(partName(one)));
    for (const one of fresh) tried.add(partName(one));
    if (fresh.length === 0) return { proposed, kept };
    const more = settleCertain(fresh, settling, proposed);
    proposed = [...proposed, ...more.proposed];
    kept = [...kept, ...more.kept];
  }
}

// Whether the account would match the files after the edits.
const isEffective = (one: Candidate): boolean => editsIn([one]).every(isApplied);

const originalRules = (context: LintContext) =>
  new Map(declaredRules(context).map(rule => [nameOfRule(rule.linted), rule]));

// The name of what a candidate removes: the same for a rule that is unused and one that is a duplicate.
const partName = ({ finding: { object }, narrowings }: Candidate): string =>
  JSON.stringify([objectName(object), narrowings.map(({ takes }) => takes)]);

/** The names of the rules that are removed as a whole. */
function removedBy(candidates: readonly Candidate[]): Set<string> {
  const narrowings = candidates.flatMap(one => one.narrowings);
  return new Set(
    narrowings.flatMap(one => (one.takes === 'rule' ? nameOfRule(one.rule.linted) : [])),
  );
}

const RANK: Readonly<Record<FindingState, number>> = { certain: 0, decide: 1, unknown: 2 };

// Findings in state `certain` first, then those that remove the most access.
function inOrder(
  proposed: readonly Candidate[],
  evidence: Evidence | undefined,
): readonly TightenedObject[] {
  const ordered = proposed.toSorted(
    (one, other) =>
      RANK[one.finding.state] - RANK[other.finding.state] ||
      other.breadth - one.breadth ||
      byPosition(one.finding.at, other.finding.at),
  );
  const byObject = Map.groupBy(ordered, ({ finding }) => objectName(finding.object));
  return [...byObject.values()].flatMap(own => {
    const [first] = own;
    if (!first) return [];
    const use = evidence && useOf(first, evidence);
    const findings = own.map(({ finding }) => finding);
    return [{ object: first.finding.object, ...(use && { use }), findings }];
  });
}

function logOf(evidence: Evidence): NonNullable<Tightening['log']> {
  const { window, gaps } = evidence.observed;
  return {
    ...window,
    days: evidence.days,
    flows: flowCount(evidence.used, evidence.usedDays),
    gaps,
  };
}
