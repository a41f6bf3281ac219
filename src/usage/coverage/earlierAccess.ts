// Checks whether rules and routes gave the same access in all states of a window: somebody could
// use it, the same objects admitted it, and no drop rule refused it. If they did not, a lack of use
// proves nothing.
import type { AdmittingObjects } from '../../access/admitted/admittingObjects.ts';
import { gaveTraffic, groupsSince, type PlacedRule } from '../../access/admitted/existence.ts';
import { groupsOf } from '../../access/admitted/groupsOf.ts';
import { overlap } from '../../access/sets/traffic.ts';
import type { AccessState, Route, Side } from '../../access/state/accessState.ts';
import { ruleTraffic } from '../../access/world/compiledPolicies.ts';
import { sameObjects } from '../attribution/sameObjects.ts';
import type { Observed, Time } from '../observed.ts';
import type { NewThing, Reason } from './gapReasons.ts';
import { type Former, formerIn, statesWithin } from './history.ts';
import { idOf, type Members, membersIn } from './membersOfRules.ts';

/**
 * The parts of the access of a rule or a route that earlier states lacked. A state without the rule
 * or the route adds nothing.
 */
export interface EarlierAccess {
  /** `groups`: the source groups of the evaluated part; all groups if absent. */
  readonly ofRule: (
    placed: PlacedRule,
    admitting: AdmittingObjects,
    groups?: readonly string[],
  ) => readonly Reason[];
  readonly ofRoute: (route: Route, admitting: AdmittingObjects) => readonly Reason[];
}

/** Something that a state lacks. */
type Lack =
  | { readonly type: 'admits' | 'changed'; readonly what: NewThing; readonly name: string }
  | { readonly type: 'unusable'; readonly name?: string }
  | { readonly type: 'refused'; readonly name: string };

/** One state of the window, compared with the state whose rules and routes are evaluated. */
interface Version extends Former {
  readonly from: Time;
  readonly state: AccessState;
  readonly members: Members;
  /** The rules that refused traffic, and no longer refuse all of it. */
  readonly drops: readonly PlacedRule[];
}

/** Compares the states of the window with `current`. */
export function earlierAccess(observed: Observed, current: AccessState): EarlierAccess {
  const present = membersIn(current);
  let known: readonly Version[] | undefined;
  const versions = () => {
    known ??= statesWithin(observed).map(one => versionOf(one, current, present));
    return known;
  };
  return {
    ofRule: (placed, admitting, groups = groupsOf(placed.rule.source)) =>
      reasonsIn(versions(), one => {
        const former = one.formerOf(placed);
        if (former === undefined) return [];
        return [
          ...lackingUsers(groups, former, { version: one, present }),
          ...lackingObjects(admitting, objectsBehind(former, one), one),
          ...admitting.routes.flatMap(route => changedRoute(route, { version: one, present })),
          ...refusing(former, one),
        ];
      }),
    ofRoute: (route, admitting) =>
      reasonsIn(versions(), one => {
        const former = sameObjects([route], one.state.routes).get(route.key);
        if (former === undefined) return [];
        return lackingOfRoute({ route, former }, admitting, { version: one, present });
      }),
  };
}

function versionOf(
  { from, state }: Observed['states'][number],
  current: AccessState,
  present: Members,
): Version {
  const back = formerIn(current, state);
  const members = membersIn(state);
  const hasLeft = (was: Side, is: Side): boolean => {
    const left = members.ofSide(was).difference(present.ofSide(is));
    return [...left].some(present.isThere);
  };
  const drops = dropsIn(state).filter(drop => {
    const now = back.formerOf(drop);
    if (now === undefined || !gaveTraffic(drop, now)) return true;
    return (
      groupsSince(drop, now, back.groupThere).length > 0 ||
      hasLeft(drop.rule.source, now.rule.source) ||
      hasLeft(drop.rule.destination, now.rule.destination)
    );
  });
  return { from, state, members, drops, ...formerIn(state, current) };
}

const dropsIn = ({ policies }: AccessState): readonly PlacedRule[] =>
  policies.flatMap(policy =>
    policy.rules
      .filter(rule => policy.isEnabled && rule.isEnabled && rule.isDrop)
      .map(rule => ({ policy, rule })),
  );

// The objects that a version lacks, each with the time since which no version lacks it.
function reasonsIn(
  versions: readonly Version[],
  lacksOf: (version: Version) => readonly Lack[],
): readonly Reason[] {
  const found = new Map<string, Reason>();
  for (const [at, version] of versions.entries())
    for (const lack of lacksOf(version))
      found.set(JSON.stringify(lack), { ...lack, since: versions[at + 1]?.from ?? null });
  return [...found.values()];
}

// The source groups that have machines today but could not use the rule then; without a name if no group could.
function lackingUsers(
  groups: readonly string[],
  { policy, rule }: PlacedRule,
  { version, present }: { readonly version: Version; readonly present: Members },
): readonly Lack[] {
  const { members, groupThere } = version;
  // If the source is a single machine, its posture is not considered.
  const isAble = (id: string) =>
    members.isApproved(id) && (rule.source.type === 'machine' || members.passes(policy, id));
  const users = [...members.ofSide(rule.source)];
  if (!users.some(isAble)) return [{ type: 'unusable' }];
  return groups.flatMap((name): Lack[] => {
    const there = groupThere(name);
    if (there === undefined || present.ofGroup(name).size === 0) return [];
    return [...members.ofGroup(there)].some(isAble) ? [] : [{ type: 'unusable', name }];
  });
}

/** The ids of the machines, network resources and routes that admitted access. */
interface Behind {
  readonly machines: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly routes: ReadonlySet<string>;
}

// A routing machine applies all rules of a policy to the destinations of each of them.
function objectsBehind({ policy, rule }: PlacedRule, { members, state }: Version): Behind {
  const { resources, routers } = members.behindPolicy(policy);
  const routes = state.routes.filter(
    one => one.isEnabled && one.accessControl.some(group => members.isNamed(policy, group)),
  );
  return {
    machines: new Set([
      ...members.ofSide(rule.destination),
      ...(rule.isBidirectional ? members.ofSide(rule.source) : []),
      ...routers,
      ...routes.flatMap(({ servers }) => [...members.ofServers(servers)]),
    ]),
    resources: new Set(resources.map(idOf)),
    routes: new Set(routes.map(idOf)),
  };
}

// Objects that the state did not have are left out: they are new.
function lackingObjects(
  { machines, resources, routes }: AdmittingObjects,
  behind: Behind,
  { state, members }: Version,
): readonly Lack[] {
  const there = new Map(
    state.networks.flatMap(network => network.resources.map(one => [idOf(one), one])),
  );
  const routesThere = new Set(state.routes.map(idOf));
  return [
    ...resources
      .filter(one => {
        const former = there.get(idOf(one));
        const isSame = former?.address === one.address && behind.resources.has(idOf(one));
        return former !== undefined && !isSame;
      })
      .map(({ key }): Lack => ({ type: 'admits', what: 'a network resource', name: key })),
    ...routes
      .filter(one => routesThere.has(idOf(one)) && !behind.routes.has(idOf(one)))
      .map(({ key }): Lack => ({ type: 'admits', what: 'a route', name: key })),
    ...lackingMachines(machines, behind.machines, members),
  ];
}

const lackingMachines = (
  machines: AdmittingObjects['machines'],
  behind: ReadonlySet<string>,
  { isThere, isApproved }: Members,
): readonly Lack[] =>
  machines
    .map(idOf)
    .filter(id => isThere(id) && !(behind.has(id) && isApproved(id)))
    .map(name => ({ type: 'admits', what: 'a machine', name }));

function refusing({ rule }: PlacedRule, { drops, members }: Version): readonly Lack[] {
  const meet = (source: Side, destination: Side): boolean =>
    members.haveCommon(source, rule.source) && members.haveCommon(destination, rule.destination);
  const found = drops.filter(({ rule: drop }) => {
    const { source, destination } = drop;
    const isBothWays = drop.isBidirectional || rule.isBidirectional;
    return (
      overlap(ruleTraffic(drop), ruleTraffic(rule)) &&
      (meet(source, destination) || (isBothWays && meet(destination, source)))
    );
  });
  return found.map(({ policy }) => ({ type: 'refused', name: policy.key }));
}

function lackingOfRoute(
  { route, former }: { readonly route: Route; readonly former: Route },
  admitting: AdmittingObjects,
  at: { readonly version: Version; readonly present: Members },
): readonly Lack[] {
  const { members } = at.version;
  const servers = members.ofServers(former.servers);
  const users = former.distribution.flatMap(group => Array.from(members.ofGroup(group)));
  return [
    ...changedRoute(route, at),
    ...(users.some(members.isApproved) ? [] : [{ type: 'unusable' } as const]),
    ...lackingMachines(admitting.machines, servers, members),
  ];
}

// A route that gave different access than now is treated like a new route.
function changedRoute(
  route: Route,
  { version, present }: { readonly version: Version; readonly present: Members },
): readonly Lack[] {
  const former = sameObjects([route], version.state.routes).get(route.key);
  if (former === undefined) return [];
  const { groupThere, members } = version;
  const areSame = (groups: readonly string[], there: readonly string[]) =>
    areEqual(new Set(groups.map(group => groupThere(group) ?? group)), new Set(there));
  const isSame =
    former.isEnabled &&
    areEqual(new Set(route.addresses), new Set(former.addresses)) &&
    areSame(route.distribution, former.distribution) &&
    areSame(route.accessControl, former.accessControl) &&
    areSame(route.servers.groups, former.servers.groups) &&
    (route.servers.machine === undefined ||
      areEqual(present.ofServers(route.servers), members.ofServers(former.servers)));
  return isSame ? [] : [{ type: 'changed', what: 'a route', name: route.key }];
}

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other);
