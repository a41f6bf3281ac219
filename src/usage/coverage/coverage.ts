// The coverage of rules and routes: the machines that would admit their access, whether they reported, and whether all objects
// existed throughout the window.
import {
  type AdmittingObjects,
  admittingObjectsOfRoute,
  admittingObjectsOfRule,
  type RulePart,
} from '../../access/admitted/admittingObjects.ts';
import { groupsOfRule, type PlacedRule } from '../../access/admitted/existence.ts';
import type { AccessState, Route } from '../../access/state/accessState.ts';
import { type World, worldOf } from '../../access/world/world.ts';
import { lastState } from '../attribution/attributedFlows.ts';
import { sameObjects, samePosition } from '../attribution/sameObjects.ts';
import { DAY_MS, type Observed } from '../observed.ts';
import { deletedFrom } from './deletedTraffic.ts';
import { earlierAccess } from './earlierAccess.ts';
import { type Covered, LEAST_DAYS, type NewThing, type Reason } from './gapReasons.ts';
import { type History, historyOf, type Since } from './history.ts';
import { limitedGaps } from './limitedGaps.ts';
import { silences } from './silences.ts';

/** Returns the coverage of the rules and routes of a state. Groups are given by their keys in that state. */
export interface Coverage {
  readonly ofRule: (rule: PlacedRule, part?: RulePart) => Covered;
  readonly ofRoute: (route: Route) => Covered;
}

/** The coverage of the rules and routes of a state; by default the last observed one. */
export function coverageOf(
  observed: Observed,
  current: AccessState = lastState(observed),
): Coverage {
  const world = worldOf(lastState(observed));
  const history = historyOf(observed, current);
  const there = objectsThere(world, current);
  const deleted = deletedFrom(observed, current);
  const earlier = earlierAccess(observed, current);
  const covered = coveringIn(observed, history);
  return {
    ofRule: (rule, part = {}) => {
      const compiled = there.rule(rule);
      const admitting = compiled && admittingObjectsOfRule(world, compiled, there.part(part));
      return covered(admitting, [
        ...ruleReasons(rule, history),
        ...(admitting ? earlier.ofRule(rule, admitting, part.sourceGroups) : []),
        ...deleted.ofRule(rule, admitting),
      ]);
    },
    ofRoute: route => {
      const same = there.route(route);
      const own = same ? [] : [news('a route', route.key, null)].flat();
      const admitting = same && admittingObjectsOfRoute(world, same);
      return covered(admitting, [
        ...own,
        ...(admitting ? earlier.ofRoute(route, admitting) : []),
        ...deleted.ofRoute(route, admitting),
      ]);
    },
  };
}

type Covering = (admitting: AdmittingObjects | undefined, own: readonly Reason[]) => Covered;

// Returns a function for the coverage of an access, given its admitting objects. `own`: reasons
// that apply to this access only.
function coveringIn(observed: Observed, history: History): Covering {
  const ofWindow = windowReasons(observed);
  const silenceOf = silences(observed);
  const limited = limitedGaps(observed);
  const daysOf = (id: string) => observed.machines.get(id);
  return (admitting, own) => {
    const machines = admitting?.machines.flatMap(({ id }) => id ?? []) ?? [];
    const reasons = [
      ...ofWindow,
      ...own,
      ...(admitting ? newBehind(admitting, history) : []),
      ...machines.flatMap(id => gapsOf(observed, id)),
      ...limited(machines),
      ...machines.flatMap(silenceOf),
    ];
    return {
      isCovered: reasons.length === 0,
      machines,
      reporting: machines.filter(id => (daysOf(id)?.reported.size ?? 0) > 0),
      inKernel: machines.filter(id => daysOf(id)?.isUserSpace === false),
      days: wholeDays(observed),
      reasons,
    };
  };
}

/** The days of a window. */
const wholeDays = ({ window: { from, to } }: Observed): number =>
  Math.max(0, Math.round((to - from) / DAY_MS));

// A window of thirty days may end a little early, with the last observation of the log.
const TOLERANCE_MS = 3_600_000;

/** The reasons why no finding about the window can be certain. */
function windowReasons(observed: Observed): readonly Reason[] {
  const { window, states } = observed;
  const from = Math.max(window.from, states[0]?.from ?? window.to);
  const known = window.to - from;
  const isShort = known + TOLERANCE_MS < LEAST_DAYS * DAY_MS;
  return [
    ...(isShort
      ? [{ type: 'window' as const, days: Math.max(0, Math.floor(known / DAY_MS)) }]
      : []),
    ...gapsOf(observed),
  ];
}

/** The gaps in the records of a machine, or without one the gaps in the records of all machines. */
const gapsOf = ({ window, gaps }: Observed, machine?: string): readonly Reason[] =>
  gaps
    .filter(({ machine: own, outside }) => own === machine && outside === undefined)
    .filter(gap => gap.from < window.to && gap.to > window.from)
    .map(gap => ({ type: 'gap', gap }));

/**
 * The compiled rules, routes and groups of the last observed state that are the same as those of
 * `current`.
 */
function objectsThere(world: World, current: AccessState) {
  const { state } = world;
  const policies = sameObjects(current.policies, state.policies);
  const routes = sameObjects(current.routes, state.routes);
  const groups = sameObjects(current.groups, state.groups);
  const compiledBy = new Map(world.policies.map(one => [one.policy, one]));
  const keysThere = (some: readonly string[] | undefined) =>
    some?.flatMap(group => groups.get(group)?.key ?? []);
  return {
    rule: ({ policy, rule }: PlacedRule) => {
      const same = policies.get(policy.key);
      const position = same && samePosition(rule, policy, same);
      const compiled = same && compiledBy.get(same);
      return position === undefined ? undefined : compiled?.rules[position];
    },
    route: ({ key }: Route) => routes.get(key),
    part: ({ sourceGroups, destinationGroups }: RulePart): RulePart => {
      const sources = keysThere(sourceGroups);
      const destinations = keysThere(destinationGroups);
      return {
        ...(sources && { sourceGroups: sources }),
        ...(destinations && { destinationGroups: destinations }),
      };
    },
  };
}

const news = (what: NewThing, name: string, since: Since): Reason | readonly [] =>
  since === undefined ? [] : { type: 'new', what, name, since };

function ruleReasons(placed: PlacedRule, history: History): readonly Reason[] {
  const since = history.ruleSince(placed);
  if (since !== undefined) return [news('the rule', placed.rule.name, since)].flat();
  return groupsOfRule(placed).flatMap(group =>
    news('a group', group, history.groupSince(placed, group)),
  );
}

function newBehind(
  { machines, resources, routes }: AdmittingObjects,
  { machineSince, resourceSince, routeSince }: History,
): readonly Reason[] {
  const idOf = ({ id, key }: { readonly id?: string; readonly key: string }) => id ?? key;
  return [
    ...machines.flatMap(one => news('a machine', idOf(one), machineSince(idOf(one)))),
    ...resources.flatMap(one => news('a network resource', one.key, resourceSince(idOf(one)))),
    ...routes.flatMap(one => news('a route', one.key, routeSince(idOf(one)))),
  ];
}
