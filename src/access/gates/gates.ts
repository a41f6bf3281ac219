// Everything that judges the access of a plan: tests, thresholds, guarded targets, and whether new access is allowed.
import { testFindings } from '../../model/access/accessFindings.ts';
import {
  type AccessGates,
  type AccessGuards,
  type GuardedAccess,
  isDeclaredHere,
} from '../../model/access/accessGates.ts';
import type { AccessTest, AssumedFacts, WrittenSelector } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import type { AccessState } from '../state/accessState.ts';
import { namedIn, type Unmatched, unmatchedFindings } from '../tests/unmatched.ts';
import { type Allowances, acceptedAccess } from './accepted.ts';
import { unreadFor } from './dependence.ts';
import type { Evaluation } from './evaluation.ts';
import { guardFindings } from './form.ts';
import { formerVerdicts } from './formerVerdicts.ts';
import { hazardFindings } from './hazards.ts';
import { isKnownIn } from './known.ts';
import { newAccessFindings } from './newAccess.ts';
import { forbids, judgePlanned } from './plannedTests.ts';
import { testShrinkings, withoutRepairs } from './shrinking.ts';
import { type UsedTraffic, usedFindings } from './usedAccess.ts';

/** The access conditions of a run. */
export interface GateSettings {
  readonly tests: readonly AccessTest[];
  /** False if this run skips the tests. */
  readonly areTestsJudged: boolean;
  readonly guards?: AccessGuards | undefined;
  readonly allowances: Allowances;
  /** The declared objects. Without them, a selector that matches nothing is not an error. */
  readonly declared?: (() => AccessState) | undefined;
  /** The evaluation of the plan in an account without what has ended; the same if absent. */
  readonly afterEnds?: Evaluation | undefined;
  /** The known use of the account's access. */
  readonly used?: UsedTraffic | undefined;
  /** The fate of the object that a selector names; undefined if it is known. */
  readonly lost?: ((selector: Selector) => string | undefined) | undefined;
}

/** The findings of the gates about a plan, as one list, or the errors that prevent them from judging it. */
export function gatesOf(
  evaluation: Evaluation,
  settings: GateSettings,
): {
  readonly gates?: AccessGates;
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that a diagnostic calls missing, as selectors without ports. */
  readonly missing: readonly string[];
} {
  const { states } = evaluation;
  const { areTestsJudged, guards, allowances, declared } = settings;
  const declaredTests = inStableOrder(settings.tests.filter(isDeclaredHere));
  const formerTests = inStableOrder(settings.tests.filter(test => !isDeclaredHere(test)));
  const tests = [...declaredTests, ...formerTests];
  const elsewhere = [states.after, states.before, () => declared?.()];
  const isDeclared = isKnownIn(elsewhere);
  const isKnown: typeof isDeclared = (selector, role) =>
    declared === undefined || isDeclared(selector, role);
  const malformed = guards ? guardFindings(guards) : [];
  if (malformed.length > 0) return { diagnostics: malformed, missing: [] };
  const lost = [
    ...lostGuards(guards?.guarded ?? [], settings),
    ...(areTestsJudged ? lostInTests(declaredTests, settings) : []),
  ];
  if (lost.length > 0)
    return {
      diagnostics: unmatchedFindings(lost),
      missing: lost.map(({ text }) => namedIn(text)),
    };
  const unguarded = guards ? unmatchedGuards(states, guards, isKnown) : [];
  const isTested = areTestsJudged && tests.length > 0;
  const later = isTested && tests.some(forbids) ? evaluation.readied()?.states : undefined;
  const judged = isTested
    ? judgePlanned({ reaches: states.after, onceReady: later?.after, isKnown }, declaredTests)
    : { verdicts: undefined, unmatched: [] };
  const isNew = evaluation.access.status === 'new-account';
  const shrinkings =
    areTestsJudged && !isNew
      ? testShrinkings(tests, withoutRepairs(states))
      : { findings: [], warnings: [] };
  const unmatched = [...unguarded, ...judged.unmatched];
  const diagnostics = [...unmatchedFindings(unmatched), ...shrinkings.warnings];
  const missing = unmatched.map(({ text }) => namedIn(text));
  if (missing.length > 0) return { diagnostics, missing };
  if (tests.length === 0 && guards === undefined && settings.used === undefined)
    return { diagnostics, missing };
  const { verdicts: own } = judged;
  const verdicts = own && [...own, ...formerVerdicts(formerTests, states, later)];
  const planned = { tests, ...(verdicts && { verdicts }) };
  const findings = [
    ...testFindings(planned),
    ...shrinkings.findings,
    ...(guards ? hazardFindings(evaluation, guards, settings.afterEnds) : []),
    ...(settings.used ? usedFindings(settings.afterEnds ?? evaluation, settings.used) : []),
    ...(guards?.noNewAccess ? newAccessFindings(evaluation) : []),
  ];
  return {
    diagnostics,
    missing,
    gates: {
      ...(tests.length > 0 && { tests: planned }),
      ...(guards && { guards }),
      findings: acceptedAccess(findings, allowances),
    },
  };
}

// An address may be guarded before any object offers it.
const isAddress = ({ type }: Selector): boolean => type === 'address';

/** Whether a selector matches something. */
type IsKnown = (selector: Selector, role: 'source' | 'destination') => boolean;

// A guard without effect would give a false sense of safety.
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
        return { text, role, code: 'PROJECT_INVALID', at: entry.at, under: 'guarded' };
      }),
    );
}

type Lost = Pick<GateSettings, 'lost'>;

// Another object may have the name: its access says nothing about the one that is meant.
function lostGuards(guarded: AccessGuards['guarded'], { lost }: Lost): readonly Unmatched[] {
  return guarded.filter(isDeclaredHere).flatMap(({ from, to, at }) =>
    [
      ...(from === undefined ? [] : [['source', from] as const]),
      ['destination', to] as const,
    ].flatMap(([role, text]): Unmatched[] => {
      const became = lost?.(checkedSelector(text));
      if (became === undefined) return [];
      return [{ text, role, code: 'PROJECT_INVALID', at, under: 'guarded', lost: became }];
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

/** Warnings for guards that match nothing in the account, if nothing is to be changed: then no plan is refused because of them. */
export function idleGuards(
  { stateBefore, before }: Comparison,
  { guarded }: Pick<AccessGuards, 'guarded'>,
): readonly Diagnostic[] {
  const isKnown = isKnownIn([before]);
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

// Tests may have the same name; positions in files do not affect the order.
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
