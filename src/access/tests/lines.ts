// A line of an access test: whether it holds, and otherwise the evidence.

import type { FailedLine } from '../../model/access/accessTest.ts';
import type { AccessMiss } from '../../model/access/planAccess.ts';
import type { Span } from '../../model/diagnostic.ts';
import { flowsBetween } from '../ask/flows.ts';
import { targetsOf } from '../ask/members.ts';
import { missesBetween } from '../ask/misses.ts';
import { namerOf } from '../ask/party.ts';
import type { Selector } from '../ask/selector.ts';
import { asFlow, asMiss, isPossible } from '../ask/shown.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, has, isEmpty } from '../sets/bits.ts';
import type { Reading } from '../world/reading.ts';

/** A state with the assumptions of a test. */
export interface Bench {
  readonly reaches: Reaches;
  /** Whether posture is assumed: then only the verdicts count, otherwise any condition counts. */
  readonly isAssumed: boolean;
}

export interface TestLine {
  readonly line: FailedLine['line'];
  readonly selector: Selector;
  readonly text: string;
  readonly at: Span;
}

/** The failure of a line that every source must reach, if it fails. */
export function allowFailures(
  { reaches, isAssumed }: Bench,
  sources: Bits,
  line: TestLine,
): FailedLine[] {
  const { world } = reaches;
  const targets = (targetsOf(reaches, line.selector, true) ?? []).filter(
    target => target.type !== 'machine' || !has(world.awaiting, target.index),
  );
  if (isEmpty(sources) || !targets.some(target => isOther(target, sources)))
    return [failed(line, { message: 'there is no source or no destination to judge' })];
  const reading: Reading = isAssumed ? 'certain' : 'unconditional';
  const wanted = { traffic: line.selector.traffic, hasPorts: true };
  const misses = missesBetween(reaches, { sources, targets, wanted }, reading);
  if (misses.length === 0) return [];
  const namer = namerOf(world);
  return [failed(line, { misses: misses.map(miss => asMiss(reaches, miss, namer, {})) })];
}

/** The failure of a forbidden line, if it fails. */
export function flowFailures(
  { reaches, isAssumed }: Bench,
  sources: Bits,
  line: TestLine,
): FailedLine[] {
  const targets = targetsOf(reaches, line.selector) ?? [];
  const flows = flowsBetween(reaches, { sources, targets, traffic: line.selector.traffic });
  const found = isAssumed ? flows.filter(isPossible) : flows;
  if (found.length === 0) return [];
  const namer = namerOf(reaches.world);
  return [failed(line, { flows: found.map(flow => asFlow(reaches, flow, namer, {})) })];
}

// A machine is not its own destination.
function isOther(target: Target, sources: Bits): boolean {
  if (target.type !== 'machine' || !has(sources, target.index)) return true;
  return sources.some(
    (word, at) => (at === target.index >>> 5 ? word & ~(1 << (target.index & 31)) : word) !== 0,
  );
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
  return { line, selector: text, at, ...(message !== undefined && { message }), flows, misses };
}
