// The access diff of a plan: the access that the account allows now, compared with the access after the plan.
import type { AccessChangeEntry, PlanAccess } from '../../model/access/planAccess.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { unreadText } from '../ask/answer.ts';
import { flowsBetween } from '../ask/flows.ts';
import { namerOf } from '../ask/party.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { Reaches } from '../flows/reaches.ts';
import { routedTargets, type Target } from '../flows/targets.ts';
import { and, count, indexesIn, or, textOf } from '../sets/bits.ts';
import { ALL_TRAFFIC, intervalsText } from '../sets/traffic.ts';
import type { AccessState } from '../state/accessState.ts';
import { effectiveChanges, partsIn } from './causes.ts';
import type { Comparison } from './comparison.ts';
import { type Compared, causesOf, entryOf } from './entries.ts';
import { byGain, gainsOf } from './gains.ts';
import { causesBy } from './leftOut.ts';
import { withoutEffect } from './withoutEffect.ts';

/** What the changes of access are described with; undefined if there are none. */
export function comparedIn(
  plan: Pick<Plan, 'changes'>,
  { stateBefore, stateAfter, moved, before, after, changes: changesOf, parts }: Comparison,
): Compared | undefined {
  const { changes } = changesOf();
  if (changes.length === 0) return undefined;
  const effective = effectiveChanges(stateBefore, stateAfter, { ...plan, moved });
  const namers = { before: namerOf(before.world), after: namerOf(after.world) };
  const involved = [before, after].map(reaches => partsIn(reaches, effective));
  return { before, after, namers, involved, causes: causesBy(parts, changes) };
}

/** The change of access by a plan. */
export function planAccess(
  plan: Pick<Plan, 'changes'>,
  comparison: Comparison,
  both = comparedIn(plan, comparison),
): PlanAccess {
  const { stateBefore, stateAfter, moved, before, after, isSame, changes: changesOf } = comparison;
  const { areFlowsCounted = true } = comparison;
  const unread = unreadText(stateBefore);
  const found = changesOf();
  const listed = <T>(of: (change: AccessChange, states: Compared) => T): readonly T[] =>
    both === undefined ? [] : found.changes.map(change => of(change, both));
  const gains = listed(gainsOf).flat().sort(byGain);
  const causes = new Set(listed(causesOf).flatMap(one => one.causes));
  const effective = () => effectiveChanges(stateBefore, stateAfter, { ...plan, moved });
  const idle = isSame() ? [] : withoutEffect({ before, after }, effective(), causes);
  const without = idle.length > 0 ? { no_effect: idle } : {};
  if (isNew(stateBefore)) {
    const rest = { ...nothingChanges(plan), ...(areFlowsCounted && countOf([after])), ...without };
    return { ...rest, status: 'new-account', unread, gains };
  }
  const changes = listed(entryOf).toSorted(byOrder);
  return {
    status: changes.length === 0 ? 'unchanged' : 'changed',
    machines: count(and(found.sources, or(before.world.today, after.world.today))),
    // Equal states have the same flows.
    ...(areFlowsCounted && countOf(isSame() ? [after] : [before, after])),
    pairs: { gained: found.gained, lost: found.lost },
    without_effect: plan.changes.filter(
      one => !causes.has(one.address) && !(one.with !== undefined && causes.has(one.with)),
    ).length,
    ...without,
    unread,
    changes,
    gains,
    steps: [],
  };
}

/** The access of a plan that changes nothing. `state`: the account, if it was read. */
export function nothingChanges(
  { changes }: Pick<Plan, 'changes'>,
  state?: AccessState,
): PlanAccess {
  return {
    status: 'unchanged',
    machines: 0,
    without_effect: changes.length,
    pairs: { gained: 0, lost: 0 },
    unread: state ? unreadText(state) : [],
    changes: [],
    gains: [],
    steps: [],
  };
}

// The objects of every new account: its group All, the policy Default, and users.
function isNew({
  machines,
  groups,
  policies,
  checks,
  networks,
  routes,
  unread,
}: AccessState): boolean {
  const others = [...machines, ...checks, ...networks, ...routes];
  return (
    unread.size === 0 &&
    others.length === 0 &&
    groups.every(({ isAll }) => isAll) &&
    policies.every(({ key }) => key === 'Default')
  );
}

/** The number of flows grows with the square of the members, and nobody needs it for a large account. */
const MEMBERS_COUNTED = 300;

// The flows that are the same in all states.
function countOf(states: readonly [Reaches, ...Reaches[]]): { readonly flows?: number } {
  const [first, ...others] = states;
  if (first.world.size > MEMBERS_COUNTED) return {};
  const common = others.reduce(
    (flows, state) => flows.intersection(textsOfFlows(state)),
    textsOfFlows(first),
  );
  return { flows: common.size };
}

// One text for each flow, to compare the flows of two states.
function textsOfFlows(reaches: Reaches): Set<string> {
  const { world } = reaches;
  const everyone = or(world.today, world.approved);
  const machines = [...indexesIn(everyone)].map((index): Target => ({ type: 'machine', index }));
  const targets = [...machines, ...routedTargets(world)];
  const flows = flowsBetween(reaches, { sources: everyone, targets, traffic: ALL_TRAFFIC });
  return new Set(
    flows.map(({ sources, targets: at, granted, unconditional }) => {
      const traffic = [granted, unconditional].map(intervalsText);
      const places = at.map(one => (one.type === 'machine' ? one.index : one.id));
      return [textOf(sources), places.join(), ...traffic].join('|');
    }),
  );
}

const ORDER: readonly AccessChangeEntry['change'][] = ['gained', 'lost', 'changed'];

function byOrder(one: AccessChangeEntry, other: AccessChangeEntry): number {
  const [first, second] = [one, other].map(({ change }) => ORDER.indexOf(change));
  if (first !== second) return (first ?? 0) - (second ?? 0);
  const text = ({ from, to, protocol }: AccessChangeEntry) => `${from}\n${to}\n${protocol}`;
  return compareTexts(text(one), text(other));
}
