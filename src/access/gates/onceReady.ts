// What a plan gives only once machines are approved or agents updated: access under a condition that people fulfil without a plan.
import { flowText } from '../../model/access/accessFindings.ts';
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { namerOf } from '../ask/party.ts';
import type { Target } from '../flows/targets.ts';
import { and, type Bits, bitsOf, isEmpty, minus, or } from '../sets/bits.ts';
import type { Evaluation, Readied } from './evaluation.ts';

/** Findings about the gains of a plan, with the conditions of those that it does not give at once. */
export function withOnceReady(
  evaluation: Evaluation,
  findingsOf: (judged: Readied, condition: ConditionOf) => readonly AccessFinding[],
): readonly AccessFinding[] {
  const atOnce = findingsOf(evaluation, () => undefined);
  const later = evaluation.readied();
  if (later === undefined) return atOnce;
  const known = new Set(atOnce.map(flowText));
  const condition = conditionsIn(evaluation);
  const others = findingsOf(later, condition).filter(one => !known.has(flowText(one)));
  return [...atOnce, ...others];
}

/** What has to happen before some sources have access to targets; undefined if nothing has to. */
export type ConditionOf = (flow: {
  readonly sources: Bits;
  readonly targets: readonly Target[];
}) => string | undefined;

// Whoever only routes the traffic is neither a source nor a target.
function conditionsIn({ states: { before, after } }: Evaluation): ConditionOf {
  const worlds = [before.world, after.world];
  const awaiting = worlds.map(world => world.awaiting).reduce(or);
  const old = worlds.map(world => minus(world.today, world.takesRanges)).reduce(or);
  const namer = namerOf(after.world);
  const nameOf = (machines: Bits) => namer.party(machines).name;
  const textOf = (waiting: Bits, outdated: Bits) =>
    [
      ...(isEmpty(waiting) ? [] : [`${nameOf(waiting)} may be approved`]),
      ...(isEmpty(outdated) ? [] : [`the agent of ${nameOf(outdated)} may be updated`]),
    ].join(', and ');
  return ({ sources, targets }) => {
    const machines = bitsOf(targets.flatMap(one => (one.type === 'machine' ? one.index : [])));
    const text = textOf(and(or(sources, machines), awaiting), and(machines, old));
    return text === '' ? textOf(awaiting, old) : text;
  };
}
