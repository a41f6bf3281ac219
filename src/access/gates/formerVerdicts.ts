// Judges removed lines of applied tests, and tests of other folders: whether the plan violates
// their requirements.
import type {
  AccessTest,
  FailedLine,
  TestVerdict,
  WrittenSelector,
} from '../../model/access/accessTest.ts';
import type { AccessFlow, AccessMiss } from '../../model/access/planAccess.ts';
import { quoted } from '../../model/text/visible.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { Reaches } from '../flows/reaches.ts';
import { and, indexesIn } from '../sets/bits.ts';
import { judgeTests, unknownSelectors } from '../tests/judgeTests.ts';
import { unreadFor, unreadWords } from './dependence.ts';
import type { States } from './movedAccess.ts';
import { dependingOn, forbids, notJudged, withVerdictsWhenReady } from './plannedTests.ts';
import { idsNamed } from './sameObject.ts';
import { uncoveredTargets } from './uncoveredTargets.ts';

/**
 * The same lines about the same objects, even if the plan gives the objects other names. Lines that
 * forbid access also cover the machines and addresses that the plan removes from these objects. The
 * returned tests can be judged in both states.
 */
export function aboutTheSame(tests: readonly AccessTest[], states: States): readonly AccessTest[] {
  const named = (one: WrittenSelector) => ({ ...one, text: textAfter(one.text, states) });
  const forbidden = (one: WrittenSelector) => [
    named(one),
    ...takenOut(one.text, states).map(text => ({ ...one, text })),
  ];
  return tests.flatMap((test): AccessTest[] => {
    const { from, to, allow, deny, onlyFrom, except } = test;
    const about: AccessTest = {
      ...test,
      ...(from && { from: named(from) }),
      ...(to && { to: named(to) }),
      allow: allow.map(named),
      deny: deny.flatMap(forbidden),
      onlyFrom: onlyFrom.map(named),
      except: except.map(named),
    };
    const elsewhere = [
      ...(from && deny.length > 0 ? takenOut(from.text, states) : []).map(text => ({
        ...about,
        from: { text, at: test.at },
        allow: [],
      })),
      ...(to && onlyFrom.length > 0 ? takenOut(to.text, states) : []).map(text => ({
        ...about,
        to: { text, at: test.at },
      })),
    ];
    return [about, ...elsewhere];
  });
}

// If the name belongs to another object after the plan, or to none, it is replaced by the id.
function textAfter(text: string, { before, after }: States): string {
  const selector = checkedSelector(text);
  const [id, ...others] = idsNamed(before.world.state, selector);
  if (id === undefined || others.length > 0) return text;
  const now = idsNamed(after.world.state, selector);
  return now.length === 1 && now[0] === id ? text : withId(text, selector, id);
}

const withId = (text: string, { type, text: whole }: Selector, id: string): string =>
  `${type}/id:${id}${text.slice(whole.length)}`;

function takenOut(text: string, states: States): readonly string[] {
  const selector = checkedSelector(text);
  if (selector.type === 'address' || selector.type === 'all') return [];
  const itself = checkedSelector(textAfter(text, states));
  const { members, addresses } = uncoveredTargets(states, selector, [itself]);
  const { world } = states.after;
  const ports = text.slice(selector.text.length);
  const machines = [...indexesIn(and(members, world.today))].flatMap(index => {
    const { id, key } = world.machineAt(index) ?? {};
    return key === undefined ? [] : [`peer/${id === undefined ? key : `id:${id}`}`];
  });
  return [...machines, ...addresses].map(one => `${one}${ports}`);
}

/**
 * The verdicts of removed tests and of tests of other folders. A line fails if it held before the plan and fails after it, or if
 * it fails for another reason after it.
 */
export function formerVerdicts(
  tests: readonly AccessTest[],
  { before, after }: States,
  whenReady?: States,
): readonly TestVerdict[] {
  const then = verdictsIn(before, tests, whenReady?.before);
  const now = verdictsIn(after, tests, whenReady?.after);
  return tests.map((test, i) => {
    const { name, at } = test;
    const unread = unreadFor(before.world.state, dependingOn(test), forbids(test));
    if (unread.length > 0)
      return { ...notJudged(test, unreadWords(unread)), notes: [reasonOf(test)] };
    const broken = new Map(then[i]?.failures.map(one => [lineName(one), one]));
    const failures = (now[i]?.failures ?? []).filter(one => isNew(one, broken.get(lineName(one))));
    return { name, at, failures, notes: failures.length > 0 ? [reasonOf(test)] : [] };
  });
}

const FORMER =
  'this is the test as it was last applied: first apply only the changed tests, and in a later change what breaks this test';

const reasonOf = ({ folder }: AccessTest): string =>
  folder === undefined
    ? FORMER
    : `this is a test of ${quoted(folder)}, another folder of the account`;

/** The verdict of each test; undefined for a test about an object that does not exist. */
function verdictsIn(
  reaches: Reaches,
  tests: readonly AccessTest[],
  whenReady?: Reaches,
): readonly (TestVerdict | undefined)[] {
  const known = tests.map(test => knownLines(test, reaches));
  const judged = known.flatMap(test => test ?? []);
  const atOnce = judgeTests(reaches, judged).verdicts;
  const verdicts = withVerdictsWhenReady(atOnce, judged, whenReady).values();
  return known.map(test => test && verdicts.next().value);
}

// The test without the lines about objects that do not exist. Deleting the object of a line is a
// separate hazard.
function knownLines(test: AccessTest, { world }: Reaches): AccessTest | undefined {
  const unknown = new Set(unknownSelectors(world, test).map(({ written }) => written));
  const isKnown = (one: WrittenSelector) => !unknown.has(one);
  const { from, to, ...rest } = test;
  if ([from ?? [], to ?? []].flat().some(one => !isKnown(one))) return undefined;
  const onlyFrom = test.onlyFrom.filter(isKnown);
  const except = test.except.filter(isKnown);
  // If none of the allowed sources exists any more, nobody may reach the target.
  if (to && onlyFrom.length === 0 && test.onlyFrom.length > 0)
    return { ...rest, from: { text: 'all', at: to.at }, deny: [to], onlyFrom, except };
  return {
    ...test,
    allow: test.allow.filter(isKnown),
    deny: test.deny.filter(isKnown),
    onlyFrom,
    except,
  };
}

const lineName = ({ line, selector }: FailedLine): string => `${line} ${selector}`;

// Whether the failure is new. If a line that forbids access fails without a flow, the plan did not
// break the line.
function isNew({ line, flows, misses }: FailedLine, before: FailedLine | undefined): boolean {
  if (line !== 'allow' && flows.length === 0) return false;
  if (before === undefined) return true;
  const known = new Set([...before.flows, ...before.misses].map(sidesText));
  return [...flows, ...misses].some(one => !known.has(sidesText(one)));
}

const sidesText = (one: AccessFlow | AccessMiss): string =>
  JSON.stringify([one.from.name, one.to.name, 'ports' in one ? one.ports : one.code]);
