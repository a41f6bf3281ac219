// Judges a line of an access test: whether it holds, and the evidence if it does not hold.
import { selectorText } from '../../model/access/accessName.ts';
import type { FailedLine } from '../../model/access/accessTest.ts';
import type { AccessMiss } from '../../model/access/planAccess.ts';
import type { Span } from '../../model/diagnostic.ts';
import { answeringSsh, withSshPorts } from '../ask/answeredSsh.ts';
import { isPossible, namedFlow, namedMiss } from '../ask/answerNames.ts';
import { ownTargetsOf, targetsOf } from '../ask/destinations.ts';
import { detoursTo, withDetours } from '../ask/detours.ts';
import { flowsBetween } from '../ask/flows.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { missesBetween } from '../ask/misses.ts';
import type { Selector } from '../ask/selector.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, type Target } from '../flows/targets.ts';
import { type Bits, has, isEmpty, withoutOne } from '../sets/bits.ts';
import type { Reading } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import type { Exceptions } from './exceptions.ts';

/** A state, with the assumptions of a test. */
export interface TestedState {
  readonly reaches: Reaches;
  /**
   * Whether the test assumes posture. If it does, only the results of posture checks count. If it
   * does not, access under any condition counts.
   */
  readonly isAssumed: boolean;
  /** The exceptions of the test: network resources and routes that do not lead to its addresses. */
  readonly except: Exceptions;
}

export interface TestLine {
  readonly line: FailedLine['line'];
  readonly selector: Selector;
  readonly text: string;
  readonly at: Span;
}

/** The failure of a line whose target every source must reach; empty if the line holds. */
export function allowFailures(
  { reaches, isAssumed }: TestedState,
  sources: Bits,
  line: TestLine,
): FailedLine[] {
  const { world } = reaches;
  const targets = (ownTargetsOf(world, line.selector) ?? []).filter(
    target => target.type !== 'machine' || !has(world.awaiting, target.index),
  );
  if (!isJudgeable(world, sources, targets)) return [failed(line, NOTHING)];
  const reading: Reading = isAssumed ? 'certain' : 'unconditional';
  const wanted = { traffic: line.selector.traffic, hasPorts: true };
  const misses = missesBetween(reaches, { sources, targets, wanted }, reading);
  if (misses.length === 0) return [];
  const namer = memberSetNamer(world, world.present);
  return [failed(line, { misses: misses.map(miss => namedMiss(reaches, miss, namer, {})) })];
}

/**
 * The failure of a line whose target no source may reach; empty if the line holds. A line that
 * nothing could break proves nothing, so it fails.
 */
export function denyFailures(tested: TestedState, sources: Bits, line: TestLine): FailedLine[] {
  const { fault } = tested.except;
  if (fault !== undefined) return [{ ...failed(line, { message: fault }), unknown: true }];
  const targets = forbiddenTargets(tested, line);
  if (!isJudgeable(tested.reaches.world, sources, targets)) return [failed(line, NOTHING)];
  return flowFailures(tested, sources, line, targets);
}

/**
 * The failure of a line whose target only the listed sources may reach; empty if the line holds.
 * `others`: all other sources, possibly none.
 */
export function onlyFromFailures(tested: TestedState, others: Bits, line: TestLine): FailedLine[] {
  const { fault } = tested.except;
  if (fault !== undefined) return [{ ...failed(line, { message: fault }), unknown: true }];
  const targets = forbiddenTargets(tested, line);
  if (targets.length === 0) return [failed(line, NOTHING)];
  return flowFailures(tested, others, line, targets);
}

function forbiddenTargets(
  { reaches: { world }, except }: TestedState,
  { selector }: TestLine,
): readonly Target[] {
  const targets = targetsOf(world, selector) ?? [];
  return targets.filter(target => !except.isLeftOut(target));
}

function flowFailures(
  { reaches, isAssumed }: TestedState,
  sources: Bits,
  line: TestLine,
  targets: readonly Target[],
): FailedLine[] {
  const { traffic } = line.selector;
  const isSsh = answeringSsh(reaches.world, targets, traffic);
  const { ssh = [], other = [] } = Object.groupBy(targets, one => (isSsh(one) ? 'ssh' : 'other'));
  const flows = [
    ...flowsBetween(reaches, { sources, targets: other, traffic }),
    ...flowsBetween(reaches, { sources, targets: ssh, traffic: withSshPorts(traffic) }),
  ];
  const found = isAssumed ? flows.filter(isPossible) : flows;
  if (found.length === 0) return [];
  const namer = memberSetNamer(reaches.world, reaches.world.present);
  const detours = detoursTo([reaches.world], line.selector);
  const named = found.map(flow => withDetours(detours, flow, namedFlow(reaches, flow, namer, {})));
  return [failed(line, { flows: named })];
}

const NOTHING = { message: 'there is no source or no destination to judge' };

// An existing machine is not its own destination.
function isJudgeable(world: World, sources: Bits, targets: readonly Target[]): boolean {
  return targets.some(target => {
    const itself = itselfIn(world, target);
    return !isEmpty(itself < 0 ? sources : withoutOne(sources, itself));
  });
}

function failed(
  { line, text, at }: TestLine,
  shown: {
    readonly message?: string;
    readonly misses?: readonly AccessMiss[];
    readonly flows?: FailedLine['flows'];
  },
): FailedLine {
  const { message, misses = [], flows = [] } = shown;
  return {
    line,
    selector: selectorText(text),
    at,
    ...(message !== undefined && { message }),
    flows,
    misses,
  };
}
