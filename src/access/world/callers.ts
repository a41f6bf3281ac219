// Callers of a service that differ between states. Callers that need another secret, or that only
// wider limits admit, are separate outsiders. If a wider service admits a caller, the caller is
// included among the callers of that service. A group of callers may have more members in one state
// than in another, so a member who joins later is a separate outsider too.
import { admitsMore, isCovered } from '../../kinds/values/exposure.ts';
import { accessName } from '../../model/access/accessName.ts';
import { nameText } from '../../model/text/visible.ts';
import {
  type Bits,
  bitsOf,
  count,
  indexesIn,
  isEmpty,
  isSubset,
  minus,
  orAll,
  textOf,
} from '../sets/bits.ts';
import type { AccessState, CallerLimits, InternetPort, Outsiders } from '../state/accessState.ts';
import { callerSets } from './callerSets.ts';
import { machinesAt } from './machinesAt.ts';
import { leadsIn } from './nameTargets.ts';
import { type Member, namesOf } from './roster.ts';

/**
 * Adds, to states of an account, the callers that only some of these states admit. They are
 * outsiders in addition to the callers with the same name. With them, another lock or a wider limit
 * shows as a gain, and a caller that another service admits neither gains nor loses access.
 */
export function withCallers(states: readonly AccessState[]): (state: AccessState) => AccessState {
  if (states.length < 2 || !states.some(({ internetPorts }) => internetPorts.length > 0))
    return state => state;
  const calledIn = callsIn(states);
  const known = new Map<string, Map<string, Called>>();
  for (const state of states)
    for (const called of calledIn(state))
      for (const place of called.places) {
        const there = known.get(place) ?? new Map<string, Called>();
        there.set(called.text, called);
        known.set(place, there);
      }
  if (![...known.values()].some(({ size }) => size > 1)) return state => state;
  const { members } = calledIn;
  const groupsIn = sameGroups(states);
  const relatedTo = ({ places, port }: Called): readonly Called[] => {
    const there = places.flatMap(place => [...(known.get(place)?.values() ?? [])]);
    return [...new Set(there)].filter(one => haveCommonPorts(one.port, port));
  };
  const withSingle = memoized((called: Called) => [
    called,
    ...singleOnes(called, relatedTo(called), members),
  ]);
  const namesFor = memoized((called: Called) =>
    called.port.to.single === undefined ? ownNames(called, relatedTo(called)) : [called.port.to],
  );
  return state => ({
    ...state,
    internetPorts: calledIn(state).flatMap(called => {
      const others = [called, ...relatedTo(called)].flatMap(withSingle);
      const among = others.filter(one => isAmong(one, called));
      const names = new Map([called, ...among].flatMap(namesFor).map(to => [to.name, to] as const));
      names.delete(called.port.to.name);
      const opened = [...names.values()].map(to =>
        openedTo(called.port, to, groups => groupsIn(state, groups)),
      );
      return [called.port, ...opened];
    }),
  });
}

// Cached by the string of the callers, which is the same for equal callers.
function memoized<T>(of: (called: Called) => readonly T[]): (called: Called) => readonly T[] {
  const known = new Map<string, readonly T[]>();
  return called => {
    const found = known.get(called.text) ?? of(called);
    known.set(called.text, found);
    return found;
  };
}

// Returns the names that groups have in one state, for groups that have the given names in any of
// the states. Groups with the same id are the same group.
function sameGroups(
  states: readonly AccessState[],
): (state: AccessState, groups: readonly string[]) => readonly string[] {
  const ids = new Map(
    states.flatMap(({ groups }) =>
      groups.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id] as const])),
    ),
  );
  return ({ groups }, named) => {
    const there = new Set(groups.flatMap(namesOf));
    return named.map(name =>
      there.has(name) ? name : (groups.find(({ id }) => id && id === ids.get(name))?.key ?? name),
    );
  };
}

/** A port with the callers that it admits. */
interface Called {
  readonly port: InternetPort;
  /** The machine or the addresses to which the port leads. */
  readonly places: readonly string[];
  /** The secret that callers must know; undefined if there is none. */
  readonly secret: string | undefined;
  readonly limits: CallerLimits;
  /** The members that may be the callers; undefined if the callers are not members, or are unknown. */
  readonly who: Bits | undefined;
  /** A string that is the same for the same callers of the same port. */
  readonly text: string;
}

const NO_LIMITS: CallerLimits = { networks: [], countries: [], blocked: [], isChecked: false };

/** The callers of the ports of a state. */
interface CallsIn {
  (state: AccessState): readonly Called[];
  readonly members: readonly Member[];
}

function callsIn(states: readonly AccessState[]): CallsIn {
  const serviceOf = servicesIn(states);
  const { members, callersOf } = callerSets(states);
  const calledIn = (state: AccessState): readonly Called[] => {
    const { internetPorts, networks, machines } = state;
    const whoAre = callersOf(state);
    const leads = leadsIn(state);
    const addresses = new Map(
      networks.flatMap(({ resources }) =>
        resources.flatMap(one => namesOf(one).map(name => [name, one.address] as const)),
      ),
    );
    return internetPorts.map(port => {
      const { machine, resource, host, lock, limits = NO_LIMITS } = port;
      const at = [host, resource === undefined ? undefined : addresses.get(resource)];
      const there = host === undefined ? [] : machinesAt(machines)([host, ...leads(host).places]);
      const places = [
        ...(machine === '' ? [] : [`peer ${machine}`]),
        ...there.map(({ key }) => `peer ${key}`),
        ...at.flatMap(one => (one === undefined ? [] : addressPlace(one))),
      ];
      const secret = lock === undefined ? undefined : `${lock.name} of ${serviceOf(port)}`;
      return withText({ port, places, secret, limits, who: whoAre(port) });
    });
  };
  return Object.assign(calledIn, { members });
}

const addressPlace = (address: string): string => `address ${address.replace(/\/(32|128)$/, '')}`;

function withText(called: Omit<Called, 'text'>): Called {
  const { port, places, secret, limits, who } = called;
  const { to, isCalledDirectly, openings } = port;
  const members = who === undefined ? undefined : textOf(who);
  return {
    ...called,
    text: JSON.stringify([places, to, isCalledDirectly, secret, limits, openings, members]),
  };
}

// Returns one name for a service in all states: its name in the last state.
function servicesIn(states: readonly AccessState[]): (port: InternetPort) => string {
  const names = new Map(
    states.flatMap(({ internetPorts }) =>
      internetPorts.flatMap(({ service, serviceId }) =>
        service === undefined || serviceId === undefined ? [] : [[serviceId, service] as const],
      ),
    ),
  );
  return ({ service = '', serviceId = '' }) => names.get(serviceId) ?? service;
}

function haveCommonPorts({ openings: ones }: InternetPort, { openings }: InternetPort): boolean {
  return ones.some(one =>
    openings.some(
      other =>
        one.protocol === other.protocol &&
        (one.range === undefined ||
          other.range === undefined ||
          (one.range.start <= other.range.end && other.range.start <= one.range.end)),
    ),
  );
}

// Whether all callers of one port may also call the other port.
function isAmong(one: Called, other: Called): boolean {
  if (other.port.isCalledDirectly && !one.port.isCalledDirectly) return false;
  return isWithin(one.limits, other.limits) && areAmong(one, other);
}

function areAmong(one: Called, other: Called): boolean {
  const { to: some } = one.port;
  const { to: all } = other.port;
  if (other.secret !== undefined) return one.secret === other.secret;
  if (all.are === 'anybody' || all.are === 'some-of-the-internet') return true;
  if (some.are !== all.are || (all.refusesBlocked && !some.refusesBlocked)) return false;
  if (one.who !== undefined && other.who !== undefined) return isSubset(one.who, other.who);
  const { groups } = all;
  return groups === undefined || some.groups?.every(group => groups.includes(group)) === true;
}

/**
 * A port, and the ports through which its callers already reached the same destination in the
 * earlier state.
 */
export interface CalledBefore {
  readonly port: InternetPort;
  readonly there: readonly InternetPort[];
  /**
   * The host in a network resource, if the callers reached the host only by the address of the
   * whole resource.
   */
  readonly otherHost?: OtherHost;
}

/** A host that callers did not reach before, or that resolves differently now. */
interface OtherHost {
  readonly host: string;
  /** Whether callers already called this name, and it resolved to other places. */
  readonly isLedElsewhere: boolean;
  /** The places to which requests go now, but did not go before. */
  readonly places: readonly string[];
}

/**
 * The ports of a state whose callers already reached the destination in the earlier state. Callers
 * that did not reach the destination gain access instead.
 */
export function portsCalledBefore(was: AccessState, is: AccessState): readonly CalledBefore[] {
  const calledIn = callsIn([was, is]);
  const former = calledIn(was);
  const placesIn = [was, is].map(state => {
    const leads = leadsIn(state);
    return (host: string): readonly string[] => [host, ...leads(host).places];
  });
  const [placesThen = noPlaces, placesNow = noPlaces] = placesIn;
  return calledIn(is).flatMap(called => {
    const there = former.filter(
      one =>
        isAmong(called, one) &&
        haveCommonPorts(one.port, called.port) &&
        one.places.some(place => called.places.includes(place)),
    );
    if (there.length === 0) return [];
    const { port } = called;
    const { host } = port;
    const ports = there.map(one => one.port);
    if (host === undefined) return [{ port, there: ports }];
    const isKnown = there.some(one => one.places.includes(addressPlace(host)));
    const known = new Set(
      isKnown ? ports.flatMap(one => (one.host === undefined ? [] : placesThen(one.host))) : [],
    );
    const places = placesNow(host).filter(one => !known.has(one));
    // If a network resource has this name, the name leads to the same places as the domain of the
    // resource, and a change of these places counts as access.
    const isOther = !isKnown || (places.length > 0 && ports.some(one => one.host === host));
    const otherHost = { host, isLedElsewhere: isKnown, places };
    return [{ port, there: ports, ...(isOther && { otherHost }) }];
  });
}

/**
 * Returns whether another port admitted, in the earlier state, everybody whom a port admits in the
 * later state.
 */
export function admittedBefore(
  was: AccessState,
  is: AccessState,
): (port: InternetPort, former: InternetPort) => boolean {
  const calledIn = callsIn([was, is]);
  const then = new Map(calledIn(was).map(called => [called.port, called]));
  const now = new Map(calledIn(is).map(called => [called.port, called]));
  return (port, former) => {
    const one = now.get(port);
    const other = then.get(former);
    return one !== undefined && other !== undefined && isAmong(one, other);
  };
}

const noPlaces = (): readonly string[] => [];

/** The requests that callers may newly send through a port: to more paths, to another host, or with another host name. */
export function otherRequests({ port, there, otherHost }: CalledBefore): readonly OtherRequest[] {
  const paths = [port.path, port.pathThere].filter(
    (path, at) => !there.some(one => isBelow(path, at === 0 ? one.path : one.pathThere)),
  );
  const isNamed = there.some(({ nameThere }) => nameThere === port.nameThere);
  const texts = new Set(paths.map(path => `leads to ${nameText(path ?? '/')}`));
  return [
    ...Array.from(texts, says => ({ says, isPath: true })),
    ...(isNamed ? [] : [{ says: 'uses another name in its requests', isPath: false }]),
    ...(otherHost === undefined ? [] : [callTo(otherHost)]),
  ];
}

function callTo({ host, isLedElsewhere, places }: OtherHost): OtherRequest {
  const what = isLedElsewhere ? `another address of ${nameText(host)}` : 'another host';
  return { says: `calls ${what}`, isPath: false, places };
}

/** A request that callers could not send before, in words. */
export interface OtherRequest {
  readonly says: string;
  /** Whether it is a request to another path. */
  readonly isPath: boolean;
  /**
   * The places to which the request is sent, if callers of the port reached other places before.
   */
  readonly places?: readonly string[];
}

// Whether all requests under one path are also under the other path.
const isBelow = (path = '/', above = '/'): boolean =>
  path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);

// If another port with the same name does not admit some of the callers, these callers also get a
// separate name.
function ownNames(called: Called, related: readonly Called[]): readonly Outsiders[] {
  const { port, secret, limits } = called;
  const { to } = port;
  const others = related.filter(
    one => one.port.to.name === to.name && !(isWithin(limits, one.limits) && areAmong(called, one)),
  );
  if (others.length === 0) return [to];
  const words = [
    ...(others.some(one => one.secret !== secret) && secret !== undefined ? [secret] : []),
    ...(others.some(one => !isWithin(limits, one.limits)) ? [wordsOf(limits)] : []),
  ];
  if (words.length === 0) return [to];
  const are = to.are === 'anybody' ? 'some-of-the-internet' : to.are;
  return [to, { ...to, name: `${to.name} (${words.join(', ')})`, are }];
}

// The maximum number of single callers with separate names. If there are more, they share one name.
const SINGLE = 10;

// The callers that another port with the same name does not admit, because its groups do not
// contain them. Each of them is a separate outsider, because another service, or only an
// intermediate state, may admit some of them.
function singleOnes(
  called: Called,
  related: readonly Called[],
  members: readonly Member[],
): readonly Called[] {
  const { port, who } = called;
  const { to } = port;
  if (who === undefined) return [];
  // A port that admits nobody is left out. In comparison with such a port, all callers with this
  // name would gain access.
  const others = related.filter(
    one => one.port.to.name === to.name && !(one.who && isEmpty(one.who)),
  );
  const more = orAll(others.map(one => (one.who === undefined ? bitsOf([]) : minus(who, one.who))));
  const each = [...indexesIn(more)].map(index => bitsOf([index]));
  const sets = count(more) > SINGLE ? [more] : each;
  return sets.map(set => {
    const single = [...indexesIn(set)].flatMap(index => singleOne(members[index]));
    const names = single.map(({ type, key }) =>
      accessName(type === 'machine' ? 'peer' : type, key),
    );
    const name = `${to.name} (${names.toSorted().join(', ')})`;
    return withText({ ...called, port: { ...port, to: { ...to, name, single } }, who: set });
  });
}

function singleOne(member: Member | undefined): NonNullable<Outsiders['single']> {
  if (member === undefined) return [];
  const { type, key } = member;
  return type === 'internet' ? [] : [{ type, key }];
}

function openedTo(
  port: InternetPort,
  to: Outsiders,
  groupsIn: (groups: readonly string[]) => readonly string[],
): InternetPort {
  const { key, id } = port;
  const named = { key, ...(id !== undefined && { id }) };
  const { groups: own, ...rest } = to;
  // Single callers are admitted through the groups of this port.
  const groups = to.single === undefined ? own : port.to.groups;
  return {
    ...port,
    of: port.of ?? named,
    key: `${key} ${to.name}`,
    ...(id !== undefined && { id: `${id} ${to.name}` }),
    to: { ...rest, ...(groups !== undefined && { groups: groupsIn(groups) }) },
  };
}
// Whether one limit admits every caller that the other limit admits.
const isWithin = (one: CallerLimits, other: CallerLimits): boolean =>
  !admitsMore(other.networks, one.networks) &&
  !admitsMore(other.countries, one.countries) &&
  [...other.blocked].every(place => isCovered(place, one.blocked)) &&
  (!other.isChecked || one.isChecked);

function wordsOf({ networks, countries, blocked, isChecked }: CallerLimits): string {
  const words = [
    ...(networks.length > 0 ? [`from ${networks.join(', ')}`] : []),
    ...(countries.length > 0 ? [`in ${countries.join(', ')}`] : []),
    ...(blocked.length > 0 ? [`except ${blocked.join(', ')}`] : []),
    ...(isChecked ? ['checked by CrowdSec'] : []),
  ];
  return words.length === 0 ? 'from anywhere' : words.join(' ');
}
