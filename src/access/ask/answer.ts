// An access question and its answer: who reaches what, which rules grant it, and why other access is missing.
import { selectorText } from '../../model/access/accessName.ts';
import type { AccessAnswer, AccessFlow, AccessMiss } from '../../model/access/planAccess.ts';
import { type Reaches, reachesIn } from '../flows/reaches.ts';
import { minus, noBits, or } from '../sets/bits.ts';
import { ALL_TRAFFIC } from '../sets/traffic.ts';
import type { AccessState } from '../state/accessState.ts';
import { bySides, isPossible, namedFlow, namedMiss } from './answerNames.ts';
import { ownTargetsOf, targetsOf } from './destinations.ts';
import { detoursTo, withDetours } from './detours.ts';
import { type Flow, flowsBetween } from './flows.ts';
import { type Ids, idsIn } from './ids.ts';
import { memberSetNamer, type NamedSet } from './memberSetNames.ts';
import { callersAmong, membersOf, withOutsiders } from './members.ts';
import { missesBetween } from './misses.ts';
import type { Selector } from './selector.ts';

export interface AccessQuestion {
  readonly from?: Selector;
  readonly to?: Selector;
  /** Whether missing access is explained. */
  readonly why: boolean;
}

const EVERYTHING: Pick<Selector, 'type' | 'name'> = { type: 'all', name: '' };

/** Answers a question, or returns the selectors that match nothing. */
export function answerQuestion(
  state: AccessState,
  question: AccessQuestion,
): Omit<AccessAnswer, 'judged'> | { readonly unknown: Selector } {
  const reaches = reachesIn(state);
  const { world } = reaches;
  const { from, to } = question;
  const asking = membersOf(world, selectorIn(from));
  if (asking === undefined && from !== undefined) return { unknown: from };
  const own = asking ?? noBits();
  const callers = from === undefined ? [] : callersAmong(world, from, own);
  // A question without sources also asks whether the internet reaches the targets.
  const sources = from === undefined ? or(own, world.internet) : withOutsiders(own, callers);
  const targets = targetsOf(world, selectorIn(to));
  if (targets === undefined && to !== undefined) return { unknown: to };
  const asked = { sources, targets: targets ?? [] };
  // A source that does not reach the object itself may still reach its address. The flows show such
  // access, so only access to the object counts here.
  const missed = ownTargetsOf(world, selectorIn(to)) ?? [];
  // Outsiders that the question does not name are not reported as missing access.
  const missing = from ? own : sources;
  const namer = memberSetNamer(world);
  const ids = idsIn(world);
  const names = {
    from: {
      name: from ? selectorText(from.text) : 'all',
      bits: minus(from ? own : sources, world.loggedOut),
    },
    to: namedTargets(reaches, to),
  };
  const wanted = { traffic: selectorIn(to).traffic, hasPorts: to?.hasPorts === true };
  const flows = flowsBetween(reaches, { ...asked, traffic: wanted.traffic });
  const detours = detoursTo([world], selectorIn(to));
  return {
    asked: { ...(from && { from: from.text }), ...(to && { to: to.text }) },
    flows: flows
      .filter(isPossible)
      .map(flow => {
        const named = withDetours(detours, flow, namedFlow(reaches, flow, namer, names));
        return withIds(ids, flow, named);
      })
      .sort(bySides),
    ...(question.why && {
      misses: missesBetween(reaches, { sources: missing, targets: missed, wanted, callers })
        .map(miss => withIds(ids, { ...miss, grants: [] }, namedMiss(reaches, miss, namer, names)))
        .sort(bySides),
    }),
    unread: unreadText(state),
  };
}

function withIds<T extends AccessFlow | AccessMiss>(
  ids: Ids,
  { sources, targets, grants }: Pick<Flow, 'sources' | 'targets' | 'grants'>,
  named: T,
): T {
  const from = ids.ofSources(sources, named.from);
  const to = ids.ofTargets(targets, named.to);
  return { ...named, ids: { from, to, via: ids.ofGrants(grants) } };
}

/** The names of the lists that could not be read, by reason. */
export function unreadText({ unread }: AccessState): readonly string[] {
  const byReason = Map.groupBy(unread, ([, reason]) => reason);
  return [...byReason].map(
    ([reason, parts]) => `${parts.map(([part]) => part.replace('_', ' ')).join(', ')} (${reason})`,
  );
}

function selectorIn(given: Selector | undefined): Selector {
  return given ?? { ...EVERYTHING, text: 'all', traffic: ALL_TRAFFIC, hasPorts: false };
}

function namedTargets({ world }: Reaches, to: Selector | undefined): NamedSet | undefined {
  const bits = to && membersOf(world, to);
  return bits && to && { name: selectorText(to.text), bits: minus(bits, world.loggedOut) };
}
