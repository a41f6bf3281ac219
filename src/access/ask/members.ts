// The members of a selector.
import { add, and, type Bits, bitsOf, has, isEmpty, noBits, or, orInto } from '../sets/bits.ts';
import type { InternetPort, Outsiders } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { distanceWithin } from '../world/address.ts';
import { callersOf } from '../world/callingMachines.ts';
import { signedInOf, singleOnes } from '../world/outsiders.ts';
import { INTERNET, namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import type { Selector } from './selector.ts';

/**
 * The members that match a selector; undefined if the state has no such object, or if the object
 * cannot be a source.
 */
export function membersOf(world: World, { type, name }: Selector): Bits | undefined {
  const { positions, present } = world;
  switch (type) {
    case 'all':
      return and(or(world.today, world.approved), present);
    case 'internet':
      return and(bitsOf([positions.internet.get(INTERNET) ?? []].flat()), present);
    case 'group':
      return positions.group.has(name) ? and(world.inGroups([name]), present) : undefined;
    case 'peer': {
      const index = positions.machine.get(name);
      return index === undefined ? undefined : bitsOf([index]);
    }
    case 'user':
      return ofUser(world, name);
    case 'proxy_service':
      return callersOfService(world, name);
    case 'address':
      return atAddress(world, name);
    default:
      return undefined;
  }
}

/**
 * The members of a selector, and the outsiders that these members may be: the internet, callers
 * that know the secret of a service or call from certain addresses, users who sign in, and machines
 * that call a service.
 */
export function possiblyOf(world: World, selector: Selector): Bits | undefined {
  const own = membersOf(world, selector);
  return own && withOutsiders(own, outsidersAmong(world, selector, own));
}

/**
 * The outsiders that a question about a selector also covers: users who sign in, and machines that
 * call a service. Each entry contains the members of the selector that may be this outsider.
 * Callers that know a secret or call from certain addresses count as the internet.
 */
export function callersAmong(world: World, selector: Selector, own: Bits): readonly Caller[] {
  const isAsked = ({ are }: Outsiders) =>
    are !== 'anybody' && (selector.type === 'internet') === (are === 'some-of-the-internet');
  return outsidersAmong(world, selector, own).filter(({ to }) => isAsked(to));
}

/** Outsiders, and the members of a selector that may be these outsiders. */
export interface Caller {
  readonly index: number;
  readonly to: Outsiders;
  readonly members: Bits;
}

/** The members of a selector, and the callers that a question about it also covers; undefined as for `membersOf`. */
export function askedOf(world: World, selector: Selector): Bits | undefined {
  const own = membersOf(world, selector);
  return own && withOutsiders(own, callersAmong(world, selector, own));
}

/** The members together with these outsiders. */
export const withOutsiders = (own: Bits, callers: readonly Caller[]): Bits =>
  or(own, bitsOf(callers.map(({ index }) => index)));

function outsidersAmong(world: World, selector: Selector, own: Bits): readonly Caller[] {
  const found = new Map<number, Caller>();
  for (const { to } of world.state.internetPorts) {
    const index = world.positions.internet.get(to.name);
    if (index === undefined || found.has(index)) continue;
    const members = whoMayBe(world, selector, own, to);
    if (members !== undefined) found.set(index, { index, to, members });
  }
  return [...found.values()];
}

// The members that may be these outsiders; undefined if no member may be.
function whoMayBe(world: World, { type }: Selector, own: Bits, to: Outsiders): Bits | undefined {
  // A machine or a user may also call from the internet, and may know a secret.
  if (to.are === 'anybody' || to.are === 'some-of-the-internet') return own;
  if (type === 'internet') return undefined;
  const single = singleOnes(world, to);
  const some = single === undefined ? own : and(own, single);
  if (to.are === 'users' && to.groups === undefined)
    return single === undefined || !isEmpty(some) ? some : undefined;
  const callers = to.are === 'machines' ? callersOf(world, to) : signedInOf(world, to.groups ?? []);
  const members = and(some, callers);
  return isEmpty(members) ? undefined : members;
}

function callersOfService({ state, positions, present }: World, name: string): Bits | undefined {
  if (!state.services.some(one => namesOf(one).includes(name))) return undefined;
  const ports = state.internetPorts.filter(isOpenedBy(name));
  return and(bitsOf(ports.flatMap(({ to }) => positions.internet.get(to.name) ?? [])), present);
}

/** Whether a port is opened by the service with this name or id. */
export const isOpenedBy =
  (name: string) =>
  ({ service, serviceId }: InternetPort): boolean =>
    service === name || (serviceId !== undefined && `id:${serviceId}` === name);

function ofUser({ state, positions }: World, name: string): Bits | undefined {
  const user = state.enrolments.find(one => one.by === 'user' && namesOf(one).includes(name));
  if (user === undefined) return undefined;
  const bits = noBits();
  const toCome = positions.user.get(user.key);
  if (toCome !== undefined) add(bits, toCome);
  for (const { key, user: owner } of state.machines) {
    const index = owner !== undefined && owner === user.id ? positions.machine.get(key) : undefined;
    if (index !== undefined) add(bits, index);
  }
  return bits;
}

function atAddress({ state, positions }: World, address: string): Bits | undefined {
  const indexes = state.machines.flatMap(machine =>
    overlayAddresses(machine).some(one => distanceWithin(one, address) !== undefined)
      ? (positions.machine.get(machine.key) ?? [])
      : [],
  );
  return indexes.length === 0 ? undefined : bitsOf(indexes);
}

/** The current machines and users behind some sources that are callers of services. */
export function callersAmongToday(world: World, sources: Bits): Bits {
  const found = noBits();
  const users = bitsOf(world.positions.user.values());
  for (const { to } of world.state.internetPorts) {
    const index = world.positions.internet.get(to.name);
    if (index === undefined || !has(sources, index)) continue;
    const single = singleOnes(world, to);
    const callers = peopleOrMachines(world, to, users);
    orInto(found, single === undefined ? callers : and(callers, single));
  }
  return found;
}

function peopleOrMachines(world: World, to: Outsiders, users: Bits): Bits {
  if (to.are === 'machines') return and(callersOf(world, to), world.today);
  if (to.are !== 'users') return noBits();
  return to.groups === undefined ? users : and(signedInOf(world, to.groups), users);
}

/**
 * The current machines of the groups that may call services, if these callers are among the
 * sources.
 */
export function callersToday(world: World, sources: Bits): Bits {
  const found = noBits();
  for (const { to } of world.state.internetPorts) {
    const index = world.positions.internet.get(to.name);
    if (to.are !== 'machines' || to.groups === undefined) continue;
    if (index === undefined || !has(sources, index)) continue;
    const single = singleOnes(world, to);
    const callers = and(callersOf(world, to), world.today);
    orInto(found, single === undefined ? callers : and(callers, single));
  }
  return found;
}
