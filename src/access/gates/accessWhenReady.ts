// Access that a plan gives only after machines are approved, agents are updated, or a machine joins
// a group of routing machines. All of these can happen without a plan.

import { flowText } from '../../model/access/accessFindings.ts';
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { accessName } from '../../model/access/accessName.ts';
import { addAll } from '../../model/text/longLists.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { callersAmongToday } from '../ask/members.ts';
import { servingAt, type Target } from '../flows/targets.ts';
import { groupsToJoin } from '../routed/assumedRouters.ts';
import { everyServer } from '../routed/servers.ts';
import { and, type Bits, bitsOf, isEmpty, minus, noBits, or } from '../sets/bits.ts';
import type { World } from '../world/world.ts';
import type { Evaluation, StatesWhenReady } from './evaluation.ts';

/**
 * The findings about the gains of a plan. A gain that does not begin immediately contains its
 * conditions.
 */
export function withGainsWhenReady(
  evaluation: Evaluation,
  findingsOf: (judged: StatesWhenReady, condition: ConditionOf) => readonly AccessFinding[],
): readonly AccessFinding[] {
  const atOnce = findingsOf(evaluation, () => undefined);
  const found = [...atOnce];
  for (const later of [evaluation.whenReady(), evaluation.whenRouted()]) {
    if (later === undefined) continue;
    const known = new Set(found.map(flowText));
    const condition = conditionsIn(evaluation, later);
    addAll(
      found,
      findingsOf(later, condition).filter(one => !known.has(flowText(one))),
    );
  }
  return found;
}

/**
 * Returns what must happen before some sources have access to targets; undefined if they have
 * access immediately.
 */
export type ConditionOf = (flow: {
  readonly sources: Bits;
  readonly targets: readonly Target[];
}) => string | undefined;

function conditionsIn(
  { states: { before, after } }: Evaluation,
  later: StatesWhenReady,
): ConditionOf {
  const worlds = [before.world, after.world];
  const awaiting = worlds.map(world => world.awaiting).reduce(or);
  const old = worlds.map(world => minus(world.today, world.takesRanges)).reduce(or);
  const namer = memberSetNamer(after.world);
  const nameOf = (machines: Bits) => namer.party(machines).name;
  const textOf = (waiting: Bits, outdated: Bits) =>
    [
      ...(isEmpty(waiting) ? [] : [`${nameOf(waiting)} may be approved`]),
      ...(isEmpty(outdated) ? [] : [`the agent of ${nameOf(outdated)} may be updated`]),
    ].join(', and ');
  const ready = later.states.after.world;
  return ({ sources, targets }) => {
    const machines = bitsOf(targets.flatMap(one => (one.type === 'machine' ? one.index : [])));
    const own = [sources, callersAmongToday(ready, sources), machines].reduce(or);
    const text = textOf(and(own, awaiting), and(machines, old));
    if (text !== '') return text;
    // A machine that only routes the traffic is neither source nor target.
    const routing = textOf(and(routersOf(ready, targets), awaiting), noBits());
    if (routing !== '') return routing;
    const joined = targets.flatMap(target => groupsToJoin(after.world, servingAt(target)));
    const groups = [...new Set(joined)].map(group => accessName('group', group)).sort();
    return groups.length > 0
      ? `a machine may join ${groups.join(', ')}`
      : textOf(awaiting, old) || undefined;
  };
}

function routersOf(world: World, targets: readonly Target[]): Bits {
  const serving = targets.flatMap(servingAt);
  return serving.map(({ servers }) => everyServer(world, servers)).reduce(or, noBits());
}
