// Access tests judged against a state: which lines fail, with the forbidden flow or the nearest miss.
import type {
  AccessTest,
  FailedLine,
  TestVerdict,
  WrittenSelector,
} from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted, visible } from '../../model/text/visible.ts';
import { ownTargetsOf, targetsOf } from '../ask/destinations.ts';
import { membersOf } from '../ask/members.ts';
import { memberName } from '../ask/party.ts';
import { checkedSelector } from '../ask/selector.ts';
import { reachesOf } from '../flows/reaches.ts';
import { and, type Bits, indexesIn, isEmpty, minus, or } from '../sets/bits.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import type { Assumption } from '../world/assumption.ts';
import { type World, worldOf } from '../world/world.ts';
import { allowFailures, type Bench, denyFailures, onlyFromFailures } from './lines.ts';

/** The verdicts of all tests, or every selector that matches nothing in the state. */
export function judgeTests(
  state: AccessState,
  tests: readonly AccessTest[],
): { readonly verdicts: readonly TestVerdict[]; readonly diagnostics: readonly Diagnostic[] } {
  const plain = worldOf(state);
  const unknown = tests.flatMap(test => unknownSelectors(plain, test));
  if (unknown.length > 0)
    return { verdicts: [], diagnostics: unknown.map(({ diagnostic }) => diagnostic) };
  // Temporary access does not count, because it ends by itself.
  const lasting = { ...state, policies: state.policies.filter(({ isTemporary }) => !isTemporary) };
  return { verdicts: tests.map(test => verdictOf(plain, lasting, test)), diagnostics: [] };
}

function verdictOf(plain: World, lasting: AccessState, test: AccessTest): TestVerdict {
  const { name, at, from, to, allow, deny, onlyFrom, except } = test;
  const sources =
    (from && membersOf(plain, checkedSelector(from.text))) ?? or(plain.today, plain.approved);
  const assumption = assumptionOf(test, sources);
  const benchOf = (state: AccessState): Bench => {
    const world = worldOf(state, assumption);
    const others = except.flatMap(({ text }) => ownTargetsOf(world, checkedSelector(text)) ?? []);
    return {
      reaches: reachesOf(world, rowPool()),
      isAssumed: assumption !== undefined,
      except: new Set(others.flatMap(one => (one.type === 'machine' ? [] : one.id))),
    };
  };
  const bench = benchOf(plain.state);
  const lastingBench = lasting.policies.length === plain.policies.length ? bench : benchOf(lasting);
  const waiting = and(sources, plain.awaiting);
  // Without a port that is open to it, the internet reaches nothing: this is what such a test wants.
  const isFromInternet = from !== undefined && checkedSelector(from.text).type === 'internet';
  const isUnreached = isFromInternet && isEmpty(sources);
  const failures = [
    ...allow.flatMap(line =>
      allowFailures(lastingBench, minus(sources, waiting), lineOf('allow', line)),
    ),
    ...(isUnreached ? [] : deny).flatMap(line =>
      denyFailures(bench, sources, lineOf('deny', line)),
    ),
    ...(to && onlyFrom.length > 0 ? [onlyFromFailure(plain, bench, to, onlyFrom)].flat() : []),
  ];
  return { name, at, failures, notes: allow.length > 0 ? notesOn(plain, waiting) : [] };
}

function onlyFromFailure(
  plain: World,
  bench: Bench,
  to: WrittenSelector,
  onlyFrom: readonly WrittenSelector[],
): readonly FailedLine[] {
  const everyone = or(or(plain.today, plain.approved), plain.internet);
  const listed = onlyFrom.map(one => membersOf(plain, checkedSelector(one.text)) ?? everyone);
  const others = listed.reduce((rest, some) => minus(rest, some), everyone);
  const [first = to] = onlyFrom;
  return onlyFromFailures(bench, others, { ...lineOf('only_from', to), at: first.at });
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

/** A selector of a test that matches nothing, with its finding. */
export interface Unknown {
  readonly written: WrittenSelector;
  readonly role: 'source' | 'destination';
  readonly diagnostic: Diagnostic;
}

/** The selectors of a test that match nothing in a world. */
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

function unknown(written: WrittenSelector, role: Unknown['role']): Unknown {
  const { text, at } = written;
  const diagnostic: Diagnostic = {
    code: 'ACCESS_TEST_INVALID',
    severity: 'error',
    at,
    message: `${quoted(text)} matches nothing that can be a ${role}`,
    hint: 'declare it, or correct the name',
  };
  return { written, role, diagnostic };
}
