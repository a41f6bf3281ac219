// Judges the access of a plan: tests, thresholds, guarded targets, and whether new access is allowed.
import { testFindings } from '../../model/access/accessFindings.ts';
import {
  type AccessFinding,
  type AccessGates,
  type AccessGuards,
  type GuardedAccess,
  isDeclaredHere,
} from '../../model/access/accessGates.ts';
import type {
  AccessTest,
  AssumedFacts,
  TestVerdict,
  WrittenSelector,
} from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import { namedIn, type Unmatched, unmatchedFindings } from '../tests/unmatchedSelectors.ts';
import { type Allowances, acceptedAccess } from './acceptedAccess.ts';
import { unreadFor } from './dependence.ts';
import type { Evaluation } from './evaluation.ts';
import { formerVerdicts } from './formerVerdicts.ts';
import { type TestRemovals, testRemovals, withoutRepairs } from './guardRemovals.ts';
import { guardFindings } from './guardSelectors.ts';
import { hazardFindings } from './hazards.ts';
import { matchesIn } from './matchingSelectors.ts';
import { newAccessFindings } from './newAccess.ts';
import { forbids, judgePlanned } from './plannedTests.ts';
import { testCauses } from './testCauses.ts';
import { type IsEnding, type UsedTraffic, usedFindings } from './usedFindings.ts';

/** The access conditions of a run. */
export interface GateSettings {
  readonly tests: readonly AccessTest[];
  /** False if this run skips the tests. */
  readonly areTestsJudged: boolean;
  readonly guards?: AccessGuards | undefined;
  readonly allowances: Allowances;
  /**
   * Whether the files contain the object of a selector. If absent, a selector that matches nothing
   * is not an error.
   */
  readonly isDeclared?: IsKnown | undefined;
  /**
   * The evaluation of the plan in an account without expired objects; absent if it is the same as
   * the evaluation of the plan.
   */
  readonly afterEnds?: Evaluation | undefined;
  /** The known uses of the account's access. */
  readonly used?: UsedTraffic | undefined;
  /** Returns whether a rule expires; if absent, no rule does. */
  readonly isEnding?: IsEnding | undefined;
  /** Describes what happened to the object that a selector names; undefined if the object is found. */
  readonly lost?: ((selector: Selector) => string | undefined) | undefined;
}

/** The findings of the gates about a plan, or the errors that prevent the gates from judging it. */
interface JudgedGates {
  readonly gates?: AccessGates;
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that a diagnostic reports as missing, as selectors without ports. */
  readonly missing: readonly string[];
}

/** All findings of the gates about a plan, or the errors that prevent the gates from judging it. */
export function gatesOf(evaluation: Evaluation, settings: GateSettings): JudgedGates {
  const { guards, allowances, used } = settings;
  const malformed = guards ? guardFindings(guards) : [];
  if (malformed.length > 0) return { diagnostics: malformed, missing: [] };
  const tests = orderedTests(settings.tests);
  const lost = lostSelectors(tests, settings);
  if (lost.length > 0) return { diagnostics: unmatchedFindings(lost), missing: namesIn(lost) };
  const isKnown = knownSelectors(evaluation, settings);
  const unguarded = guards ? unmatchedGuards(evaluation.states, guards, isKnown) : [];
  const judged = judgedTests(evaluation, tests, { ...settings, isKnown });
  const removals = removalsFromTests(evaluation, tests, settings);
  const unmatched = [...unguarded, ...judged.unmatched];
  const diagnostics = [...unmatchedFindings(unmatched), ...removals.warnings];
  const missing = namesIn(unmatched);
  const isNothingAsked = tests.all.length === 0 && guards === undefined && used === undefined;
  if (missing.length > 0 || isNothingAsked) return { diagnostics, missing };
  const verdicts = judged.verdicts();
  const planned = { tests: tests.all, ...(verdicts && { verdicts }) };
  const findings = [
    ...testFindings(planned, (test, failed) => testCauses(evaluation, test, failed)),
    ...removals.findings,
    ...accessFindings(evaluation, settings),
  ];
  return {
    diagnostics,
    missing,
    gates: {
      ...(tests.all.length > 0 && { tests: planned }),
      ...(guards && { guards }),
      findings: acceptedAccess(findings, allowances),
    },
  };
}

const namesIn = (unmatched: readonly Unmatched[]): readonly string[] =>
  unmatched.map(({ text }) => namedIn(text));

/** The tests of a run in stable order. */
interface OrderedTests {
  readonly declared: readonly AccessTest[];
  /** The tests that only the base contains. */
  readonly former: readonly AccessTest[];
  readonly all: readonly AccessTest[];
}

function orderedTests(tests: readonly AccessTest[]): OrderedTests {
  const declared = inStableOrder(tests.filter(isDeclaredHere));
  const former = inStableOrder(tests.filter(test => !isDeclaredHere(test)));
  return { declared, former, all: [...declared, ...former] };
}

const lostSelectors = (tests: OrderedTests, settings: GateSettings): readonly Unmatched[] => [
  ...lostGuards(settings.guards?.guarded ?? [], settings),
  ...(settings.areTestsJudged ? lostInTests(tests.declared, settings) : []),
];

function knownSelectors({ states }: Evaluation, { isDeclared }: GateSettings): IsKnown {
  const isProvided = matchesIn([states.after, states.before]);
  return (selector, role) =>
    isDeclared === undefined || isProvided(selector, role) || isDeclared(selector, role);
}

/** The guards. Guards that match nothing in the account, before or after the plan, are marked. */
export function withUnprovided(guards: AccessGuards, { before, after }: Comparison): AccessGuards {
  const isProvided = matchesIn([after, before]);
  const guarded = guards.guarded.map((entry): GuardedAccess => {
    const isMissing = isDeclaredHere(entry) && unknownIn(entry, isProvided).length > 0;
    return isMissing ? { ...entry, unprovided: true } : entry;
  });
  return { ...guards, guarded };
}

/**
 * The verdicts of the tests, and their selectors that match nothing; undefined if the tests are not
 * judged.
 */
interface JudgedTests {
  readonly unmatched: readonly Unmatched[];
  readonly verdicts: () => readonly TestVerdict[] | undefined;
}

function judgedTests(
  evaluation: Evaluation,
  { declared, former, all }: OrderedTests,
  { areTestsJudged, isKnown }: Pick<GateSettings, 'areTestsJudged'> & { readonly isKnown: IsKnown },
): JudgedTests {
  if (!areTestsJudged || all.length === 0) return { unmatched: [], verdicts: () => undefined };
  const { states } = evaluation;
  const later = all.some(forbids) ? evaluation.whenReady()?.states : undefined;
  const state = { reaches: states.after, whenReady: later?.after, isKnown };
  const { verdicts, unmatched } = judgePlanned(state, declared);
  return {
    unmatched,
    verdicts: () => [...verdicts, ...formerVerdicts(former, states, later)],
  };
}

const NO_SHRINKINGS: TestRemovals = { findings: [], warnings: [] };

function removalsFromTests(
  { access, states }: Evaluation,
  { all }: OrderedTests,
  { areTestsJudged }: GateSettings,
): TestRemovals {
  const isNew = access.status === 'new-account';
  return areTestsJudged && !isNew ? testRemovals(all, withoutRepairs(states)) : NO_SHRINKINGS;
}

// The findings about access itself: from guards, from recorded use, and from a run that may not grant new access.
const accessFindings = (
  evaluation: Evaluation,
  { guards, used, afterEnds, isEnding }: GateSettings,
): readonly AccessFinding[] => [
  ...(guards ? hazardFindings(evaluation, guards, afterEnds) : []),
  ...(used ? usedFindings(afterEnds ?? evaluation, used, isEnding) : []),
  ...(guards?.noNewAccess ? newAccessFindings(evaluation) : []),
];

// An address may be guarded before any object serves it.
const isAddress = ({ type }: Selector): boolean => type === 'address';

/** Whether a selector matches something. */
type IsKnown = (selector: Selector, role: 'source' | 'destination') => boolean;

// Guards that match nothing. A guard without effect would give a false sense of safety.
function unmatchedGuards(
  { stateBefore }: Comparison,
  guards: AccessGuards,
  isKnown: IsKnown,
): readonly Unmatched[] {
  return guards.guarded
    .filter(
      one => isDeclaredHere(one) && unreadFor(stateBefore, [checkedSelector(one.to)]).length === 0,
    )
    .flatMap(entry =>
      unknownIn(entry, isKnown).map(({ selector, role }): Unmatched => {
        const { text } = selector;
        return { text, role, code: 'PROJECT_INVALID', at: entry.at, listName: 'guarded' };
      }),
    );
}

type Lost = Pick<GateSettings, 'lost'>;

// Guards whose object cannot be found. If another object has the name now, its access says nothing
// about the guarded object.
function lostGuards(guarded: AccessGuards['guarded'], { lost }: Lost): readonly Unmatched[] {
  return guarded.filter(isDeclaredHere).flatMap(({ from, to, at }) =>
    [
      ...(from === undefined ? [] : [['source', from] as const]),
      ['destination', to] as const,
    ].flatMap(([role, text]): Unmatched[] => {
      const became = lost?.(checkedSelector(text));
      if (became === undefined) return [];
      return [{ text, role, code: 'PROJECT_INVALID', at, listName: 'guarded', lost: became }];
    }),
  );
}

function lostInTests(tests: readonly AccessTest[], { lost }: Lost): readonly Unmatched[] {
  return tests.flatMap(({ from, to, allow, deny, onlyFrom, except }) =>
    [from ?? [], to ?? [], allow, deny, onlyFrom, except]
      .flat()
      .flatMap(({ text, at }): Unmatched[] => {
        const became = lost?.(checkedSelector(text));
        if (became === undefined) return [];
        return [{ text, role: 'destination', code: 'ACCESS_TEST_INVALID', at, lost: became }];
      }),
  );
}

/**
 * For a plan without changes: warnings about guards that match nothing in the account. A plan with
 * changes is refused for the same reason.
 */
export function idleGuards(
  { stateBefore, before }: Comparison,
  { guarded }: Pick<AccessGuards, 'guarded'>,
): readonly Diagnostic[] {
  const isKnown = matchesIn([before]);
  return guarded
    .filter(({ to }) => unreadFor(stateBefore, [checkedSelector(to)]).length === 0)
    .flatMap(entry =>
      unknownIn(entry, isKnown).map(
        ({ selector, role }): Diagnostic => ({
          code: 'PROJECT_INVALID',
          severity: 'warning',
          ...(entry.at && { at: entry.at }),
          message: `${quoted(selector.text)} under \`guarded\` matches nothing in the account that can be a ${role}: the next plan with changes is refused`,
          hint: 'declare it, or correct the name',
        }),
      ),
    );
}

function unknownIn({ from, to }: GuardedAccess, isKnown: IsKnown) {
  const sides = [
    ...(from === undefined ? [] : [{ selector: checkedSelector(from), role: 'source' as const }]),
    { selector: checkedSelector(to), role: 'destination' as const },
  ];
  return sides.filter(({ selector, role }) => !isAddress(selector) && !isKnown(selector, role));
}

/** Tests by name, and their lines by selector, so that the order of files does not matter. */
export function inStableOrder(tests: readonly AccessTest[]): readonly AccessTest[] {
  const sorted = (lines: readonly WrittenSelector[]) => lines.toSorted(by(({ text }) => text));
  return tests
    .map(test => ({
      ...test,
      allow: sorted(test.allow),
      deny: sorted(test.deny),
      onlyFrom: sorted(test.onlyFrom),
      except: sorted(test.except),
      ...(test.facts && { facts: inKeyOrder(test.facts) }),
    }))
    .toSorted(by(lineOf));
}

// Tests may have the same name. Positions in files do not affect the order.
const lineOf = ({
  name,
  from,
  to,
  allow,
  deny,
  onlyFrom,
  except,
  facts,
  passesPosture,
}: AccessTest): string => {
  const texts = [[from ?? [], to ?? []].flat(), allow, deny, onlyFrom, except];
  return JSON.stringify([
    name,
    texts.map(list => list.map(({ text }) => text)),
    facts,
    passesPosture,
  ]);
};

const inKeyOrder = (facts: AssumedFacts): AssumedFacts =>
  Object.fromEntries(Object.entries(facts).toSorted(by(([name]) => name)));

const by =
  <T>(of: (value: T) => string) =>
  (one: T, other: T): number =>
    of(one) < of(other) ? -1 : of(one) > of(other) ? 1 : 0;
