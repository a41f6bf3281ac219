// A question about access and its answer: who reaches what, what grants it, and why the rest is missing.
import type { AccessAnswer, AccessFlow, AccessGrant, AccessMiss } from '../../model/access.ts';
import { type Reaches, reachesOf } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, bitsOf, count, isEmpty, or } from '../sets/bits.ts';
import { rowPool } from '../sets/rowPool.ts';
import { ALL_TRAFFIC } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { AccessState } from '../state/accessState.ts';
import { worldOf } from '../world/world.ts';
import { type Flow, flowsBetween } from './flows.ts';
import type { Grant } from './grants.ts';
import { membersOf, targetsOf } from './members.ts';
import { missesBetween } from './misses.ts';
import { memberName, type Named, type Namer, namerOf, nobodyIn } from './party.ts';
import type { Selector } from './selector.ts';

export interface AccessQuestion {
  readonly from?: Selector;
  readonly to?: Selector;
  /** Whether what is missing is explained. */
  readonly why: boolean;
}

const EVERYTHING: Pick<Selector, 'type' | 'name'> = { type: 'all', name: '' };

/** Answers a question, or says which of its selectors names nothing. */
export function answerQuestion(
  state: AccessState,
  question: AccessQuestion,
): Omit<AccessAnswer, 'judged'> | { readonly unknown: Selector } {
  const world = worldOf(state);
  const reaches = reachesOf(world, rowPool(world.size));
  const { from, to } = question;
  const sources = membersOf(world, selectorIn(from));
  if (sources === undefined && from !== undefined) return { unknown: from };
  const targets = targetsOf(reaches, selectorIn(to));
  if (targets === undefined && to !== undefined) return { unknown: to };
  const asked = { sources: sources ?? nobodyIn(world), targets: targets ?? [] };
  const namer = namerOf(world);
  const names = {
    from: { name: from?.text ?? 'all', bits: asked.sources },
    to: namedTargets(reaches, to),
  };
  const wanted = { traffic: selectorIn(to).traffic, hasPorts: to?.hasPorts === true };
  const flows = flowsBetween(reaches, { ...asked, traffic: wanted.traffic });
  return {
    asked: { ...(from && { from: from.text }), ...(to && { to: to.text }) },
    flows: flows
      .filter(isAnybody)
      .map(flow => flowOf(reaches, flow, namer, names))
      .sort(bySides),
    ...(question.why && {
      misses: missesBetween(reaches, { ...asked, wanted })
        .map(
          ({ sources: some, targets: at, code, message, also }): AccessMiss => ({
            ...{ code, message, also },
            from: namer.party(some, names.from, itselfAmong(at, reaches)),
            to: namer.target(at, names.to),
          }),
        )
        .sort(bySides),
    }),
    unread: unreadText(state),
  };
}

// What every source is kept from by posture is no access.
function isAnybody({ pass, fail, unknown }: Flow): boolean {
  return isEmpty(fail) || !isEmpty(pass) || !isEmpty(unknown);
}

function unreadText({ unread }: AccessState): readonly string[] {
  const byReason = Map.groupBy(unread, ([, reason]) => reason);
  return [...byReason].map(
    ([reason, parts]) => `${parts.map(([part]) => part.replace('_', ' ')).join(', ')} (${reason})`,
  );
}

function selectorIn(given: Selector | undefined): Selector {
  return given ?? { ...EVERYTHING, text: 'all', traffic: ALL_TRAFFIC, hasPorts: false };
}

function namedTargets({ world }: Reaches, to: Selector | undefined): Named | undefined {
  const bits = to && membersOf(world, to);
  return bits && to && { name: to.text, bits };
}

function byRule(one: AccessGrant, other: AccessGrant): number {
  const text = ({ policy, rule, open_route }: AccessGrant) => `${policy}\n${rule}\n${open_route}`;
  return text(one) < text(other) ? -1 : Number(text(one) > text(other));
}

// A single machine is not among its own sources.
function itselfAmong([only, ...others]: readonly Target[], { world }: Reaches): Bits {
  return bitsOf(world.size, only?.type === 'machine' && others.length === 0 ? [only.index] : []);
}

type Sides = Pick<AccessFlow, 'from' | 'to'>;

function bySides(one: Sides, other: Sides): number {
  const text = ({ from, to }: Sides) => `${from.name}\n${to.name}\n${to.address ?? ''}`;
  return text(one) < text(other) ? -1 : Number(text(one) > text(other));
}

interface Names {
  readonly from: Named;
  readonly to: Named | undefined;
}

function flowOf(reaches: Reaches, flow: Flow, namer: Namer, names: Names): AccessFlow {
  const { sources, targets, granted, grants, pass, fail, unknown } = flow;
  const isConditional = count(or(or(pass, fail), unknown)) > 0;
  return {
    from: namer.party(sources, names.from, itselfAmong(targets, reaches)),
    to: namer.target(targets as [Target, ...Target[]], names.to),
    ports: trafficWords(granted),
    via: grants.map(grant => grantOf(reaches, grant)).sort(byRule),
    ...(isConditional && {
      posture: {
        checks: checksOf(reaches, grants),
        ...{ pass: namer.keys(pass), fail: namer.keys(fail), unknown: namer.keys(unknown) },
      },
    }),
  };
}

function grantOf(
  { world }: Reaches,
  { compiled, isReverse, openRoute, routers }: Grant,
): AccessGrant {
  const through = routers.map(index => memberName(world, index)).sort();
  return {
    ...(compiled && { policy: compiled.policy.key, rule: compiled.rule.name }),
    ...(isReverse && { reverse: true as const }),
    ...(openRoute && { open_route: openRoute.key }),
    ...(through.length > 0 && { through }),
  };
}

function checksOf({ world }: Reaches, grants: readonly Grant[]): readonly string[] {
  const checks = grants.flatMap(({ compiled }) =>
    compiled === undefined ? [] : world.verdicts.checksOf(compiled.policy),
  );
  return [...new Set(checks.map(({ key }) => key))];
}
