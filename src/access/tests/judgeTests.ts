// Judges access tests in a state: which lines fail, each with the forbidden flow or the nearest
// miss.
import { accessName } from '../../model/access/accessName.ts';
import type {
  AccessTest,
  FailedLine,
  TestVerdict,
  WrittenSelector,
} from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { visible } from '../../model/text/visible.ts';
import { ownTargetsOf, targetsOf } from '../ask/destinations.ts';
import { memberName } from '../ask/memberSetNames.ts';
import { isOpenedBy, membersOf, possiblyOf } from '../ask/members.ts';
import { checkedSelector } from '../ask/selector.ts';
import { type Reaches, reachesOf } from '../flows/reaches.ts';
import { servingAt } from '../flows/targets.ts';
import { groupsToJoin } from '../routed/assumedRouters.ts';
import { and, type Bits, indexesIn, isEmpty, minus, or, textOf } from '../sets/bits.ts';
import type { InternetPort } from '../state/accessState.ts';
import type { Assumption } from '../world/assumption.ts';
import { assuming, type World, withoutPolicies, withoutPorts } from '../world/world.ts';
import { exceptionsIn } from './exceptions.ts';
import { allowFailures, denyFailures, onlyFromFailures, type TestedState } from './testLines.ts';
import { type Unmatched, unmatchedFindings } from './unmatchedSelectors.ts';

/**
 * The verdicts of all tests, or a finding for every selector that matches nothing in the state. The state is evaluated once for
 * all tests.
 */
export function judgeTests(
  reaches: Reaches,
  tests: readonly AccessTest[],
): { readonly verdicts: readonly TestVerdict[]; readonly diagnostics: readonly Diagnostic[] } {
  const unknown = tests.flatMap(test => unknownSelectors(reaches.world, test));
  if (unknown.length > 0) return { verdicts: [], diagnostics: unmatchedFindings(unknown) };
  // A line also covers access that begins when a machine joins a group of routing machines, because
  // joining needs no plan.
  const routed = reaches.withRouters();
  const under = assumedReaches(routed);
  const verdicts = tests.map(test => {
    const verdict = verdictOf(routed.world, under, test);
    const assumedRouters = routed === reaches ? [] : routersFor(routed.world, test);
    return { ...verdict, ...(assumedRouters.length > 0 && { assumedRouters }) };
  });
  return { verdicts, diagnostics: [] };
}

/** A state under an assumption. `all`: all of its access. `lasting`: only the access that does not expire. */
type AssumedReaches = (assumption: Assumption | undefined) => {
  readonly all: Reaches;
  readonly lasting: Reaches;
};

// Cached by assumption, because many tests make the same assumption or none.
function assumedReaches(reaches: Reaches): AssumedReaches {
  const { world, pool } = reaches;
  const lasting = withoutPolicies(world, ({ isTemporary }) => isTemporary);
  const of = (one: World, assumption: Assumption | undefined) =>
    assumption === undefined && one === world
      ? reaches
      : reachesOf(assumption === undefined ? one : assuming(one, assumption), pool);
  const known = new Map<string, ReturnType<AssumedReaches>>();
  return assumption => {
    const name = assumption
      ? JSON.stringify({ ...assumption, members: textOf(assumption.members) })
      : '';
    const all = known.get(name)?.all ?? of(world, assumption);
    const found = known.get(name) ?? {
      all,
      lasting: lasting === world ? all : of(lasting, assumption),
    };
    known.set(name, found);
    return found;
  };
}

function verdictOf(plain: World, under: AssumedReaches, test: AccessTest): TestVerdict {
  const { name, at, from, to, allow, deny, onlyFrom, except } = test;
  const sources = (from && membersOf(plain, checkedSelector(from.text))) ?? everyoneIn(plain);
  const possible = from ? possiblyOf(plain, checkedSelector(from.text)) : undefined;
  const forbidden = possible ?? or(sources, plain.internet);
  const assumption = assumptionOf(test, sources);
  const { all, lasting } = under(assumption);
  const testedStateOf = (reaches: Reaches): TestedState => {
    return {
      reaches,
      isAssumed: assumption !== undefined,
      except: exceptionsIn(reaches.world, except),
    };
  };
  const tested = testedStateOf(all);
  const lastingState = lasting === all ? tested : testedStateOf(lasting);
  const waiting = and(sources, plain.awaiting);
  // If no port is open to the internet, the internet reaches nothing, and a test about the internet
  // holds.
  const isFromInternet = from !== undefined && checkedSelector(from.text).type === 'internet';
  const isUnreached = isFromInternet && isEmpty(forbidden);
  const failures = [
    ...allow.flatMap(line =>
      allowFailures(lastingState, minus(sources, waiting), lineOf('allow', line)),
    ),
    ...(isUnreached ? [] : deny).flatMap(line =>
      denyFailures(tested, forbidden, lineOf('deny', line)),
    ),
    ...(to && onlyFrom.length > 0
      ? onlyFromFailure(plain, testedStateOf(withoutServices(all, onlyFrom)), to, onlyFrom)
      : []),
  ];
  return { name, at, failures, notes: allow.length > 0 ? notesOn(plain, waiting) : [] };
}

const everyoneIn = ({ today, approved, present }: World): Bits => and(or(today, approved), present);

function onlyFromFailure(
  plain: World,
  tested: TestedState,
  to: WrittenSelector,
  onlyFrom: readonly WrittenSelector[],
): readonly FailedLine[] {
  const everyone = or(everyoneIn(plain), and(plain.internet, plain.present));
  const listed = onlyFrom
    .map(one => checkedSelector(one.text))
    .filter(({ type }) => type !== 'proxy_service')
    .map(one => membersOf(plain, one) ?? everyone);
  const others = listed.reduce((rest, some) => minus(rest, some), everyone);
  const [first = to] = onlyFrom;
  return onlyFromFailures(tested, others, { ...lineOf('only_from', to), at: first.at });
}

// The reach without the listed services. Callers of a listed service may reach its targets, but
// nothing through another service. Access for everybody is separate, and must be listed as
// `internet`.
function withoutServices(reaches: Reaches, listed: readonly WrittenSelector[]): Reaches {
  const services = listed
    .map(one => checkedSelector(one.text))
    .flatMap(({ type, name }) => (type === 'proxy_service' ? isOpenedBy(name) : []));
  if (services.length === 0) return reaches;
  const isLeftOut = (port: InternetPort) =>
    port.to.are !== 'anybody' && services.some(isOpened => isOpened(port));
  return reachesOf(withoutPorts(reaches.world, isLeftOut), reaches.pool);
}

function lineOf(line: FailedLine['line'], { text, at }: WrittenSelector) {
  return { line, selector: checkedSelector(text), text, at };
}

function assumptionOf({ facts, passesPosture }: AccessTest, members: Bits): Assumption | undefined {
  if (facts === undefined && !passesPosture) return undefined;
  return { members, ...(facts && { facts }), ...(passesPosture && { passes: true }) };
}

function notesOn(world: World, waiting: Bits): readonly string[] {
  if (isEmpty(waiting)) return [];
  const names = [...indexesIn(waiting)].map(index => memberName(world, index)).sort();
  return [`left out because they await approval: ${visible(names.join(', '))}`];
}

// Groups without a routing machine. A machine must join such a group before anybody reaches a
// destination of `allow`. Joining needs no plan.
function routersFor(world: World, { allow }: AccessTest): readonly string[] {
  const groups = allow
    .map(({ text }) => checkedSelector(text))
    .flatMap(selector => ownTargetsOf(world, selector) ?? [])
    .flatMap(target => groupsToJoin(world, servingAt(target)));
  return [...new Set(groups)].map(group => accessName('group', group)).sort();
}

/** A selector of a test that matches nothing. */
interface Unknown extends Unmatched {
  readonly written: WrittenSelector;
}

/** The selectors of a test that match nothing in a state. */
export function unknownSelectors(
  world: World,
  { from, to, allow, deny, onlyFrom, except }: AccessTest,
): readonly Unknown[] {
  const sources = [from ?? [], onlyFrom]
    .flat()
    .filter(one => membersOf(world, checkedSelector(one.text)) === undefined);
  const targets = [to ?? [], allow, deny, except]
    .flat()
    .filter(one => targetsOf(world, checkedSelector(one.text)) === undefined);
  return [
    ...sources.map(one => unknown(one, 'source')),
    ...targets.map(one => unknown(one, 'destination')),
  ];
}

function unknown(written: WrittenSelector, role: Unmatched['role']): Unknown {
  const { text, at } = written;
  return { written, text, at, role, code: 'ACCESS_TEST_INVALID' };
}
