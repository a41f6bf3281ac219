// Who may call a service in one state and not in another: whoever has another secret, or is let in by wider limits, are callers of
// their own, and callers whom a wider service lets in as well are among its callers.
import { admitsMore, isCovered } from '../../kinds/values/exposure.ts';
import type { AccessState, CallerLimits, InternetPort, Outsiders } from '../state/accessState.ts';
import { namesOf } from './roster.ts';

/**
 * States of an account with the callers that only some of these states let in. They are outsiders beside those of the same name, so
 * that another lock and a wider limit are a gain, and that callers lose or gain nothing by a service that others may call, too.
 */
export function withCallers(states: readonly AccessState[]): (state: AccessState) => AccessState {
  if (states.length < 2) return state => state;
  const serviceOf = servicesIn(states);
  const known = new Map<string, Map<string, Called>>();
  for (const state of states)
    for (const called of calledIn(state, serviceOf))
      for (const place of called.places) {
        const there = known.get(place) ?? new Map<string, Called>();
        there.set(called.text, called);
        known.set(place, there);
      }
  if (![...known.values()].some(({ size }) => size > 1)) return state => state;
  const relatedTo = ({ places, port }: Called): readonly Called[] => {
    const there = places.flatMap(place => [...(known.get(place)?.values() ?? [])]);
    return [...new Set(there)].filter(one => haveCommonPorts(one.port, port));
  };
  const names = new Map<string, readonly Outsiders[]>();
  const namesFor = (called: Called): readonly Outsiders[] => {
    const found = names.get(called.text) ?? ownNames(called, relatedTo(called));
    names.set(called.text, found);
    return found;
  };
  return state => ({
    ...state,
    internetPorts: calledIn(state, serviceOf).flatMap(called => {
      const among = relatedTo(called).filter(one => isAmong(one, called));
      const others = new Map(
        [called, ...among].flatMap(namesFor).map(to => [to.name, to] as const),
      );
      others.delete(called.port.to.name);
      return [called.port, ...[...others.values()].map(to => openedTo(called.port, to))];
    }),
  });
}

/** A port with whoever may call it. */
interface Called {
  readonly port: InternetPort;
  /** Where it leads: the machine, or the addresses. */
  readonly places: readonly string[];
  /** What only some know; undefined if nothing is asked for. */
  readonly secret: string | undefined;
  readonly limits: CallerLimits;
  /** Equal for the same callers of the same port. */
  readonly text: string;
}

const NO_LIMITS: CallerLimits = { networks: [], countries: [], blocked: [], isChecked: false };

function calledIn(
  { internetPorts, networks }: AccessState,
  serviceOf: (port: InternetPort) => string,
): readonly Called[] {
  const addresses = new Map(
    networks.flatMap(({ resources }) =>
      resources.flatMap(one => namesOf(one).map(name => [name, one.address] as const)),
    ),
  );
  return internetPorts.map(port => {
    const { machine, resource, host, lock, limits = NO_LIMITS, to, openings, isBeside } = port;
    const at = [host, resource === undefined ? undefined : addresses.get(resource)];
    const places = [
      ...(machine === '' ? [] : [`peer ${machine}`]),
      ...at.flatMap(one => (one === undefined ? [] : `address ${one.replace(/\/(32|128)$/, '')}`)),
    ];
    const secret = lock === undefined ? undefined : `${lock.name} of ${serviceOf(port)}`;
    const text = JSON.stringify([places, to, isBeside, secret, limits, openings]);
    return { port, places, secret, limits, text };
  });
}

// A service has one name in all states: that of the last one.
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

// Whether all callers of one port may call the other one.
function isAmong(one: Called, other: Called): boolean {
  if (other.port.isBeside && !one.port.isBeside) return false;
  return isWithin(one.limits, other.limits) && areAmong(one, other);
}

function areAmong(one: Called, other: Called): boolean {
  const { to: some } = one.port;
  const { to: all } = other.port;
  if (other.secret !== undefined) return one.secret === other.secret;
  if (all.are === 'anybody' || all.are === 'some-of-the-internet') return true;
  if (some.are !== all.are || (all.refusesBlocked && !some.refusesBlocked)) return false;
  const { groups } = all;
  return groups === undefined || some.groups?.every(group => groups.includes(group)) === true;
}

/** The ports of a state by which callers reach a destination under more paths than in the state before. */
export function portsWithMorePaths(was: AccessState, is: AccessState): readonly InternetPort[] {
  const serviceOf = servicesIn([was, is]);
  const former = calledIn(was, serviceOf);
  return calledIn(is, serviceOf).flatMap(called => {
    const there = former.filter(
      one =>
        isAmong(called, one) &&
        haveCommonPorts(one.port, called.port) &&
        one.places.some(place => called.places.includes(place)),
    );
    // Whoever called nothing there gains access.
    const isMore = there.length > 0 && !there.some(one => isBelow(called.port, one.port));
    return isMore ? [called.port] : [];
  });
}

// Whether all requests to one port are below the path of the other one.
const isBelow = ({ path = '/' }: InternetPort, { path: above = '/' }: InternetPort): boolean =>
  path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);

// Callers whom another port of this name does not let in have a name of their own as well.
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
  const are = to.are === 'anybody' ? 'some-of-the-internet' : to.are;
  return [to, { ...to, name: `${to.name} (${words.join(', ')})`, are }];
}

function openedTo(port: InternetPort, to: Outsiders): InternetPort {
  const { key, id } = port;
  return {
    ...port,
    key: `${key} ${to.name}`,
    ...(id !== undefined && { id: `${id} ${to.name}` }),
    to,
  };
}
// Whether a limit lets in nobody whom the other one does not.
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
