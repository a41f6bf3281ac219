// Judges the access tests of a plan in the account after the plan.
import type {
  AccessTest,
  FailedLine,
  TestVerdict,
  WrittenSelector,
} from '../../model/access/accessTest.ts';
import { present } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { Reaches } from '../flows/reaches.ts';
import { judgeTests, unknownSelectors } from '../tests/judgeTests.ts';
import type { Unmatched } from '../tests/unmatchedSelectors.ts';
import { unreadFor, unreadWords } from './dependence.ts';

/**
 * The state in which tests are judged, and whether a selector that matches nothing in it matches
 * something in another state.
 */
export interface JudgedState {
  readonly reaches: Reaches;
  /** The same state after all machines are approved and all agents are updated; undefined if this makes no difference. */
  readonly whenReady?: Reaches | undefined;
  readonly isKnown: (selector: Selector, role: Unmatched['role']) => boolean;
}

/** Whether a test forbids access. */
export const forbids = ({ deny, onlyFrom }: AccessTest): boolean =>
  deny.length + onlyFrom.length > 0;

/** The verdicts of all tests in order, unless a selector matches nothing in any state. A test that cannot be judged fails. */
export function judgePlanned(
  { reaches, whenReady, isKnown }: JudgedState,
  tests: readonly AccessTest[],
): { readonly verdicts: readonly TestVerdict[]; readonly unmatched: readonly Unmatched[] } {
  const { world } = reaches;
  const found = tests.map(test => {
    const unread = unreadFor(world.state, dependingOn(test), forbids(test));
    return { test, unread, unknown: unread.length > 0 ? [] : unknownSelectors(world, test) };
  });
  const unmatched = found
    .flatMap(({ unknown }) => unknown)
    .filter(({ text, role }) => !isKnown(checkedSelector(text), role));
  if (unmatched.length > 0) return { verdicts: [], unmatched };
  const whole = found.filter(({ unread, unknown }) => unread.length + unknown.length === 0);
  const judgeable = whole.map(({ test }) => test);
  const atOnce = judgeTests(reaches, judgeable).verdicts;
  const judged = withVerdictsWhenReady(atOnce, judgeable, whenReady).values();
  const verdicts = found.map(({ test, unread, unknown }): TestVerdict => {
    if (unread.length > 0) return notJudged(test, unreadWords(unread));
    if (unknown.length > 0) return notJudged(test, unknown.map(missingWords).join('; '));
    return present(judged.next().value, 'a verdict for each test');
  });
  return { verdicts, unmatched: [] };
}

/**
 * The verdicts, with additional failures of lines that forbid access: failures that begin only
 * after machines are approved or agents are updated.
 */
export function withVerdictsWhenReady(
  verdicts: readonly TestVerdict[],
  tests: readonly AccessTest[],
  whenReady: Reaches | undefined,
): readonly TestVerdict[] {
  if (whenReady === undefined || !tests.some(forbids)) return verdicts;
  const later = judgeTests(
    whenReady,
    tests.map(test => ({ ...test, allow: [] })),
  ).verdicts;
  return verdicts.map((verdict, at) => {
    const known = new Set(verdict.failures.map(lineName));
    const failures = (later[at]?.failures ?? [])
      .filter(one => !known.has(lineName(one)))
      .map(one => ({ ...one, message: one.message ?? ONCE_READY }));
    return failures.length === 0
      ? verdict
      : { ...verdict, failures: [...verdict.failures, ...failures] };
  });
}

const ONCE_READY = 'once machines that await approval are approved, and old agents are updated';

const lineName = ({ line, selector }: FailedLine): string => `${line} ${selector}`;

const missingWords = ({ text, role }: Unmatched): string =>
  `${quoted(text)} matches nothing that can be a ${role} after the plan`;

/**
 * The destinations that a test names, and the services whose callers the test concerns. The test
 * requires the lists of these objects.
 */
export function dependingOn(test: AccessTest): readonly Selector[] {
  const { from, to, allow, deny, onlyFrom, except } = test;
  const selectorsOf = (lines: readonly WrittenSelector[]) =>
    lines.map(({ text }) => checkedSelector(text));
  const sources = selectorsOf([from ?? [], onlyFrom].flat());
  return [
    ...selectorsOf([to ?? [], allow, deny, except].flat()),
    ...sources.filter(({ type }) => type === 'proxy_service'),
  ];
}

/** The verdict of a test that cannot be judged: every line fails. */
export function notJudged(test: AccessTest, message: string): TestVerdict {
  const { name, at, to, allow, deny, onlyFrom } = test;
  const failed = (line: FailedLine['line'], { text, at: place }: WrittenSelector): FailedLine => ({
    line,
    selector: text,
    at: place,
    message,
    unknown: true,
    flows: [],
    misses: [],
  });
  const [first] = onlyFrom;
  const failures = [
    ...allow.map(one => failed('allow', one)),
    ...deny.map(one => failed('deny', one)),
    ...(to && first ? [failed('only_from', { text: to.text, at: first.at })] : []),
  ];
  return { name, at, failures, notes: [] };
}
