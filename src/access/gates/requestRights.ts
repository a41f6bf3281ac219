// The requests that callers of a service may newly send to a destination that they already reached.
// A different path or name, different headers, an unchecked certificate or missing encryption opens
// no port. So the change is a right if the destination is guarded. If everybody on the internet may
// call the service, a different path or host is always a right.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { type Fields, isObject } from '../../model/value.ts';
import { addressesOf } from '../ask/destinations.ts';
import { selectorOf } from '../ask/selector.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import type { InternetPort } from '../state/accessState.ts';
import { SERVICE } from '../state/services.ts';
import { flagIn, objectsIn, textIn } from '../state/stateObject.ts';
import { callsByName, changeNames } from '../state/zones.ts';
import { haveCommonAddresses, isAddressOrRange } from '../world/address.ts';
import { type CalledBefore, otherRequests, portsCalledBefore } from '../world/callers.ts';
import { unknownHostsIn } from '../world/knownHosts.ts';
import { machinesAt } from '../world/machinesAt.ts';
import { namesOfOne } from './sameObject.ts';
import { guardedAt, isOfService } from './servedTargets.ts';
import { unknownHostRights, unknownTargets } from './unknownHosts.ts';
import { unprovidedRights, unprovidedTargets } from './unprovidedHosts.ts';

/** The rights that a plan gives to callers of services beyond the ports that they reach. */
export function requestRights(
  states: Comparison,
  { live, plan }: Pick<PlannedAccount, 'live'> & { readonly plan: Pick<Plan, 'changes'> },
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const concerned = plan.changes.filter(({ kind, type }) => kind === SERVICE && type !== 'delete');
  const { stateBefore, stateAfter } = states;
  const isLeading = stateAfter.internetPorts.some(callsByName) && changeLeads(plan.changes);
  const beyond = [...unprovidedRights(states, guarded), ...unknownHostRights(states, guarded)];
  if (concerned.length === 0 && !isLeading) return beyond;
  const called = portsCalledBefore(stateBefore, stateAfter);
  const services = live.filter(({ kind }) => kind === SERVICE);
  const requestsOf = requestsThrough(states);
  const describe = described(states, guarded);
  const ofNames = isLeading ? requestsByName(states, called, { concerned, guarded }) : [];
  const ofServices = concerned.flatMap((change): RightEntry[] => {
    const isOwn = isOfService(change);
    const own = called.filter(({ port }) => isOwn(port));
    const former = services.filter(one => own.some(({ there }) => there.some(isOfService(one))));
    const found: readonly NewRequests[] = [
      ...own.flatMap(requestsOf),
      ...optionsOf(change, former).map(
        ({ path, says }): NewRequests => ({
          ports: stateAfter.internetPorts.filter(one => isOwn(one) && (one.path ?? '/') === path),
          says,
          isOpen: false,
          others: 'paths',
          isToHost: false,
          isMeant: isAny,
        }),
      ),
    ];
    return [...new Set(found.flatMap(describe))].map(message => ({
      object: change.address,
      right: 'exposure',
      message,
    }));
  });
  return [...ofServices, ...ofNames, ...beyond];
}

// Describes the requests for each guarded target. If everybody may call the service, the requests
// are described even without a guard, because for these callers a path or a host is a part of the
// destination.
function messagesOf(
  stateAfter: Comparison['stateAfter'],
  { ports, says, isOpen, others, isMeant }: NewRequests,
  guarded: AccessGuards['guarded'],
): readonly string[] {
  const some = guarded.filter(({ to }) => isMeant(to));
  const at = some.length === 0 ? [] : guardedAt(stateAfter, ports, some);
  return at.length === 0 && isOpen
    ? [`${says}; before, everybody on the internet reached only other ${others} there`]
    : at.map(to => `${says} at ${nameText(to)}, which is guarded`);
}

// Returns descriptions of requests for each guarded target, also for those to which no line of access
// leads the callers, although the service may call them. Another host there is a right of its own.
function described(
  states: Comparison,
  guarded: AccessGuards['guarded'],
): (requests: NewRequests) => readonly string[] {
  const { stateAfter } = states;
  const unprovided = unprovidedTargets(stateAfter, guarded);
  const unknown = unknownTargets(states, guarded);
  return requests => {
    const listed = messagesOf(stateAfter, requests, guarded);
    if (requests.isToHost) return listed;
    const unlisted = requests.ports
      .flatMap(port => [...unprovided(port), ...unknown(port).filter(one => one.isOutside)])
      .map(({ to }) => `${requests.says} at ${nameText(to)}, which is guarded`);
    return [...listed, ...unlisted];
  };
}

/**
 * The changes after which names of services may resolve differently. They give the rights of
 * services that the plan does not change.
 */
export const changesOfNames = (changes: Plan['changes']): Plan['changes'] =>
  changes.filter(({ kind, before, after }) =>
    [before, after].some(fields => fields !== undefined && changeNames([{ kind, fields }])),
  );

const changeLeads = (changes: Plan['changes']): boolean => changesOfNames(changes).length > 0;

// The new requests through services that the plan does not change, because names of these services
// resolve differently.
function requestsByName(
  states: Comparison,
  called: readonly CalledBefore[],
  {
    concerned,
    guarded,
  }: { readonly concerned: Plan['changes']; readonly guarded: AccessGuards['guarded'] },
): readonly RightEntry[] {
  const { stateAfter } = states;
  const requestsOf = requestsThrough(states);
  const others = called.filter(
    ({ port, otherHost }) =>
      otherHost?.isLedElsewhere === true && !concerned.some(one => isOfService(one)(port)),
  );
  const found = others.flatMap(({ port, otherHost }) =>
    otherHost === undefined
      ? []
      : requestsOf({ port, there: [port], otherHost }).flatMap(one =>
          messagesOf(stateAfter, one, guarded).map(
            (message): RightEntry => ({
              object: addressOf(kindName(SERVICE), (port.service ?? '') as Key),
              right: 'exposure',
              message,
            }),
          ),
        ),
  );
  return [...new Map(found.map(one => [`${one.object} ${one.message}`, one])).values()];
}

/** Requests that callers may newly send through ports. */
interface NewRequests {
  readonly ports: readonly InternetPort[];
  /** A description of what the requests do. */
  readonly says: string;
  /** Whether the requests go to another path or host through a port that everybody may call. */
  readonly isOpen: boolean;
  /** What everybody already reached, in addition to the new paths or addresses. */
  readonly others: 'paths' | 'addresses';
  /** Whether the requests go to another host, or to another address of the host. */
  readonly isToHost: boolean;
  /** Whether a guard of a target concerns the requests. */
  readonly isMeant: (to: string) => boolean;
}

function requestsThrough(states: Comparison): (called: CalledBefore) => readonly NewRequests[] {
  const isUnknown = unknownHostsIn(states.stateAfter);
  return called =>
    otherRequests(called).map(({ says, isPath, places }) => ({
      ports: [called.port],
      says,
      isOpen:
        called.port.to.are === 'anybody' &&
        (isPath || placesBeyondMachines(states, places ?? []).length > 0),
      others: isPath ? 'paths' : 'addresses',
      isToHost: places !== undefined,
      isMeant: places === undefined || isUnknown(called.port) ? isAny : isGuardAt(places, states),
    }));
}

/** The places that are not machines of the account. Requests to a machine are a gain of access to it. */
export function placesBeyondMachines(
  { stateAfter }: Pick<Comparison, 'stateAfter'>,
  places: readonly string[],
): readonly string[] {
  const machines = machinesAt(stateAfter.machines);
  return places.filter(place => machines([place]).length === 0);
}

const isAny = (): boolean => true;

// Returns whether a guard is about a place. The guard of an object is about its addresses: reaching
// another address of a subnet is no gain of access to the subnet. A name about which nothing is
// known may resolve to any address of the subnet.
function isGuardAt(places: readonly string[], states: Comparison): (to: string) => boolean {
  if (places.length > 0 && !places.some(isAddressOrRange)) return isAny;
  return to => {
    const selector = selectorOf(to);
    if ('fault' in selector) return false;
    const addresses =
      selector.type === 'address'
        ? [selector.name]
        : namesOfOne(states, selector).flatMap(one => addressesOf(states.after.world, one) ?? []);
    return places.some(place => addresses.some(address => haveCommonAddresses(place, address)));
  };
}

interface OtherOption {
  readonly path: string;
  readonly says: string;
}

// Options of targets that give more permissions to callers, or to somebody between the proxy and
// the target. They are compared with the former options of the service. For a new service, they are
// compared with the options of the services that its callers called before.
function optionsOf(
  { before, after, fields }: ShownChange,
  services: readonly Live[],
): readonly OtherOption[] {
  if (after === undefined || (before === undefined && services.length === 0)) return [];
  const former =
    before === undefined
      ? services.flatMap(one => objectsIn(one.fields, 'targets'))
      : objectsIn(before, 'targets');
  // Files may write header values in another form than the account. The values count as equal, unless a change names them.
  const areChanged =
    before === undefined || fields.some(one => one.path.includes('custom_headers'));
  return objectsIn(after, 'targets').flatMap((target): OtherOption[] => {
    const same = former.filter(one => nameOf(one) === nameOf(target));
    const path = textIn(target, 'path') || '/';
    const says: string[] = [];
    const headers = namesOf(optionsIn(target).custom_headers);
    const isKnown = same.some(one => headers.isSubsetOf(namesOf(optionsIn(one).custom_headers)));
    const isOther = areChanged && !same.some(one => haveSameHeaders(one, target));
    if (headers.size > 0 && (isOther || !isKnown)) says.push('sends other headers');
    const isUnchecked = (one: Fields) => flagIn(optionsIn(one), 'skip_tls_verify', false);
    if (isUnchecked(target) && !same.some(isUnchecked)) says.push('accepts any certificate');
    const isEncrypted = (one: Fields) => textIn(one, 'protocol') === 'https';
    const wasEncrypted = same.length > 0 && same.every(isEncrypted);
    if (wasEncrypted && textIn(target, 'protocol') === 'http') says.push('asks without encryption');
    return says.map(text => ({ path, says: text }));
  });
}

const optionsIn = (target: Fields): Fields => (isObject(target.options) ? target.options : {});

const namesOf = (value: unknown): ReadonlySet<string> =>
  new Set(typeof value === 'object' && value !== null ? Object.keys(value) : []);

const haveSameHeaders = (one: Fields, other: Fields): boolean =>
  JSON.stringify(optionsIn(one).custom_headers) === JSON.stringify(optionsIn(other).custom_headers);

const nameOf = ({ target, host, port }: Fields): string =>
  JSON.stringify([target ?? null, host ?? null, port ?? 0]);
