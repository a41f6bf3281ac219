// Whether a change of an account only grants access, only removes access, or may do both, whatever
// other changes come before or after it.
import equal from 'fast-deep-equal';
import { domainText } from '../../kinds/values/domain.ts';
import { nameOf, type StateChange } from '../diff/stateChanges.ts';
import type {
  AccessState,
  InternetPort,
  Policy,
  Resource,
  Route,
  Router,
  Rule,
  Zone,
} from '../state/accessState.ts';
import { domainsIn } from '../state/zones.ts';
import { ALIAS, isBelow, sourcesOfMachines } from '../world/replies.ts';
import { namesOf } from '../world/roster.ts';

export type Direction = 'none' | 'widens' | 'narrows' | 'either';

/** The facts about all states of a plan on which directions depend. */
export interface DirectionContext {
  /** Whether a rule of any state drops traffic. */
  readonly hasDrops: boolean;
  /**
   * Groups whose members may lose access when another member joins: groups in drop rules, and
   * groups of routing machines.
   */
  readonly fragile: ReadonlySet<string>;
  /** The posture checks that policies use. */
  readonly checks: ReadonlySet<string>;
  /** The number of routers of each network, in all states together, by the name of the network. */
  readonly routersOf: ReadonlyMap<string, number>;
  /** The number of routes with the same network id and range. */
  readonly routesOf: ReadonlyMap<string, number>;
}

/**
 * The context for the directions of changes. `states`: all possible states, or only the first and
 * the last state.
 */
export function directionContextOf(states: readonly AccessState[]): DirectionContext {
  const rules = states.flatMap(({ policies }) => policies.flatMap(one => one.rules));
  const drops = rules.filter(({ isDrop }) => isDrop);
  const routers = states.flatMap(({ networks }) =>
    networks.flatMap(network =>
      network.routers.map(router => ({ router, network: nameOf(network) })),
    ),
  );
  const routes = states.flatMap(state => state.routes);
  const serving = [...routers.map(({ router }) => router), ...routes].map(one => one.servers);
  return {
    hasDrops: drops.length > 0,
    fragile: new Set([...drops.flatMap(groupsIn), ...serving.flatMap(({ groups }) => groups)]),
    checks: checksIn(states),
    routersOf: countOf(routers.map(({ router, network }) => [network, nameOf(router)])),
    routesOf: countOf(routes.map(route => [kindOfRoute(route), nameOf(route)])),
  };
}

const checksIn = (states: readonly AccessState[]): ReadonlySet<string> =>
  new Set(states.flatMap(({ policies }) => policies.flatMap(({ checks }) => checks)));

function countOf(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, number> {
  const found = new Map<string, Set<string>>();
  for (const [group, name] of pairs) found.set(group, (found.get(group) ?? new Set()).add(name));
  return new Map([...found].map(([group, names]) => [group, names.size]));
}

const kindOfRoute = ({ networkId, addresses }: Route): string =>
  [networkId, ...addresses].join('\n');

/** The direction of all changes from one state to the next. */
export function directionOf(
  changes: readonly StateChange[],
  states: readonly [AccessState, AccessState],
  around: DirectionContext,
): Direction {
  return changes.map(change => directionOfOne(change, states, around)).reduce(together, 'none');
}

function together(one: Direction, other: Direction): Direction {
  if (one === 'none' || one === other) return other;
  return other === 'none' ? one : 'either';
}

function directionOfOne(
  change: StateChange,
  states: readonly [AccessState, AccessState],
  around: DirectionContext,
): Direction {
  switch (change.type) {
    case 'machine':
      return 'either';
    case 'group':
      return directionOfGroup(change, states, around);
    case 'enrolment':
      return directionOfEnrolment(change, around);
    case 'policy':
      return ofVersions(change, coversPolicy);
    case 'check':
      return directionOfCheck(change, states, around);
    case 'resource':
      return around.hasDrops ? 'either' : ofVersions(change, coversResource);
    case 'router':
      return directionOfRouter(change, around);
    case 'route':
      return directionOfRoute(change, around);
    case 'zone':
      if (states.every(state => domainsIn(state).length === 0)) return 'none';
      return states.every(hideNothing) ? ofVersions(change, coversZone) : 'either';
    case 'internet':
      return ofVersions(change, coversPorts);
  }
}

type ChangeOf<T extends StateChange['type']> = Extract<StateChange, { readonly type: T }>;

function directionOfGroup(
  { was, is }: ChangeOf<'group'>,
  states: readonly [AccessState, AccessState],
  { fragile }: DirectionContext,
): Direction {
  const names = namesOf(is ?? was ?? { key: '' });
  if ((!was || !is) && !states.some(state => isNamed(names, state))) return 'none';
  const isFragile = names.some(name => fragile.has(name));
  // The future member that joins only this group is created or deleted together with the group.
  if (isFragile || was?.isAll !== is?.isAll) return 'either';
  if (!was || !is) return is ? 'widens' : 'narrows';
  return ofSets(was.machines, is.machines);
}

function directionOfEnrolment(
  change: ChangeOf<'enrolment'>,
  { fragile }: DirectionContext,
): Direction {
  const was = change.was?.groups ?? [];
  const is = change.is?.groups ?? [];
  const moved = new Set(was).symmetricDifference(new Set(is));
  return moved.isDisjointFrom(fragile) ? ofSets(was, is) : 'either';
}

function directionOfCheck(
  { was, is }: ChangeOf<'check'>,
  states: readonly [AccessState, AccessState],
  { checks }: DirectionContext,
): Direction {
  const names = namesOf(is ?? was ?? { key: '' });
  // References to a created object exist only after the change, and references to a deleted object only before it. References to
  // a changed object may exist at any time.
  const all = was && is ? checks : checksIn(states);
  return names.some(name => all.has(name)) ? 'either' : 'none';
}

function directionOfRouter(
  change: ChangeOf<'router'>,
  { routersOf, hasDrops }: DirectionContext,
): Direction {
  const isAlone = routersOf.get(change.network) === 1;
  return isAlone && !hasDrops ? ofVersions(change, coversSwitch) : 'either';
}

function directionOfRoute(
  change: ChangeOf<'route'>,
  { routesOf, hasDrops }: DirectionContext,
): Direction {
  const isAlone = [change.was, change.is].every(
    route => route === undefined || routesOf.get(kindOfRoute(route)) === 1,
  );
  return isAlone && !hasDrops ? ofVersions(change, coversSwitch) : 'either';
}

const implies = (one: boolean, other: boolean): boolean => !one || other;

const isSuperset = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).isSupersetOf(new Set(other));

function ofSets(was: readonly string[], is: readonly string[]): Direction {
  const isMore = isSuperset(is, was);
  const isLess = isSuperset(was, is);
  if (isMore && isLess) return 'none';
  return isMore ? 'widens' : isLess ? 'narrows' : 'either';
}

/** Whether an object allows everything that another version of it allows. A missing version allows nothing. */
type Covers<T> = (one: T, other: T) => boolean;

function ofVersions<T>({ was, is }: { readonly was?: T; readonly is?: T }, covers: Covers<T>) {
  if (is !== undefined && covers(is, was ?? is)) return 'widens';
  return was !== undefined && covers(was, is ?? was) ? 'narrows' : 'either';
}

// A drop rule may both grant and remove access, because the server also distributes routes along
// it.
function coversPolicy(one: Policy, other: Policy): boolean {
  if ([...one.rules, ...other.rules].some(({ isDrop }) => isDrop)) return false;
  if (!implies(other.isEnabled, one.isEnabled) || !isSuperset(other.checks, one.checks))
    return false;
  return other.rules.every((rule, at) => {
    const covering = one.rules[at];
    return covering !== undefined && coversRule(covering, rule);
  });
}

function coversRule(one: Rule, other: Rule): boolean {
  return (
    implies(other.isEnabled, one.isEnabled) &&
    implies(other.isBidirectional, one.isBidirectional) &&
    coversTraffic(one, other) &&
    coversSide(one.source, other.source) &&
    coversSide(one.destination, other.destination)
  );
}

function coversTraffic(one: Rule, other: Rule): boolean {
  if (one.protocol !== other.protocol) return false;
  if (equal(one.ports, other.ports) && equal(one.ranges, other.ranges)) return true;
  return other.ports.length > 0 && one.ports.length > 0 && isSuperset(one.ports, other.ports);
}

function coversSide(one: Rule['source'], other: Rule['source']): boolean {
  if (one.type === 'groups' && other.type === 'groups') return isSuperset(one.groups, other.groups);
  return equal(one, other);
}

function coversResource(one: Resource, other: Resource): boolean {
  return (
    one.address === other.address &&
    implies(other.isEnabled, one.isEnabled) &&
    isSuperset(one.groups, other.groups)
  );
}

const coversZone = (one: Zone, other: Zone): boolean =>
  implies(other.isEnabled, one.isEnabled) &&
  other.records.every(record =>
    one.records.some(({ name, type, content }) =>
      equal([name, type, content], [record.name, record.type, record.content]),
    ),
  );

// Whether no answer of a state can hide another answer. A record may hide the records of wildcards,
// an alias may hide other records of its name, and a zone may hide the zones around it.
const hideNothing = ({ zones, machines }: AccessState): boolean =>
  zones.every(({ records }) =>
    records.every(({ name, type }) => type !== ALIAS && !name.startsWith('*')),
  ) && areApart([...zones, ...sourcesOfMachines(machines)].map(one => domainText(one.domain)));

const areApart = (domains: readonly string[]): boolean =>
  domains.every(one => domains.every(other => !isBelow(one, other)));

// The objects that serve a port do not matter here.
const coversPorts = (one: InternetPort, other: InternetPort): boolean =>
  equal([one.machine, one.resource, one.to], [other.machine, other.resource, other.to]) &&
  equal(one.openings, other.openings);

function coversSwitch<T extends Route | Router>(one: T, other: T): boolean {
  const { isEnabled, key } = other;
  return implies(isEnabled, one.isEnabled) && equal({ ...one, isEnabled, key }, other);
}

const groupsIn = ({ source, destination }: Rule): readonly string[] =>
  [source, destination].flatMap(side => (side.type === 'groups' ? side.groups : []));

// Whether any object refers to a group. If none does, membership in the group grants nothing.
function isNamed(names: readonly string[], state: AccessState): boolean {
  const { policies, networks, routes, enrolments } = state;
  const isIn = (groups: readonly string[]) => names.some(name => groups.includes(name));
  return (
    policies.some(({ rules }) => rules.some(rule => isIn(groupsIn(rule)))) ||
    enrolments.some(({ groups }) => isIn(groups)) ||
    networks.some(
      ({ resources, routers }) =>
        resources.some(({ groups }) => isIn(groups)) ||
        routers.some(({ servers }) => isIn(servers.groups)),
    ) ||
    routes.some(({ servers, distribution, accessControl }) =>
      isIn([...servers.groups, ...distribution, ...accessControl]),
    )
  );
}
