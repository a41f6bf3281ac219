// The machines that may call a service over the overlay.
import { add, and, type Bits, copyOf, indexesIn, minus, noBits, withoutOne } from '../sets/bits.ts';
import type { AccessState, Machine, Outsiders } from '../state/accessState.ts';
import { machineOf, overlayAddresses } from '../state/machines.ts';
import { SERVICE } from '../state/services.ts';
import type { StateObject } from '../state/stateObject.ts';
import { haveCommonAddresses } from './address.ts';

/**
 * The ranges for callers from the overlay. Only a caller with an address in one of these ranges
 * counts as a machine of the account.
 */
const TUNNEL = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** The facts of a state that determine which machines may call services. */
export interface CallerFacts {
  readonly state: AccessState;
  /** The current machines. */
  readonly today: Bits;
  /** Current machines that are approved and logged in, and all future members. */
  readonly connected: Bits;
  readonly machineAt: (index: number) => Machine | undefined;
  readonly inGroups: (groups: readonly string[]) => Bits;
}

/** The machines that may call a service over the overlay, including future machines. */
export function callersOf(world: CallerFacts, { groups, refusesBlocked }: Outsiders): Bits {
  const { state, connected, today } = world;
  const blocked = new Set(refusesBlocked ? state.blockedUsers : []);
  const members = and(groups === undefined ? connected : world.inGroups(groups), connected);
  let callers = minus(members, withoutTunnel(world, members));
  for (const index of indexesIn(and(members, today))) {
    const machine = world.machineAt(index);
    const isRefused = machine?.user !== undefined && blocked.has(machine.user);
    if (machine && (isRefused || !comesByTunnel(machine))) callers = withoutOne(callers, index);
  }
  return callers;
}

// Whether a machine calls from one of the ranges for callers from the overlay. A machine that only
// files declare has no known address, so it counts.
function comesByTunnel(machine: Machine): boolean {
  const addresses = overlayAddresses(machine);
  return addresses.length === 0 || addresses.some(isPrivate);
}

const isPrivate = (address: string): boolean =>
  TUNNEL.some(range => haveCommonAddresses(address, range));

// Machines without a known address that will get an address in a range of the account outside the
// ranges for callers from the overlay.
function withoutTunnel({ state, today, machineAt, inGroups }: CallerFacts, members: Bits): Bits {
  const { overlay } = state;
  if (overlay === undefined || overlay.range === '' || isPrivate(overlay.range)) return NOBODY;
  const unknown = copyOf(minus(members, today));
  for (const index of indexesIn(and(members, today))) {
    const machine = machineAt(index);
    if (machine && overlayAddresses(machine).length === 0) add(unknown, index);
  }
  // If the settings contain no IPv6 range, the server uses a local range.
  const isLocal = overlay.ipv6Range === '' || isPrivate(overlay.ipv6Range);
  return isLocal ? minus(unknown, inGroups(overlay.ipv6Groups)) : unknown;
}

const NOBODY = noBits();

/** The kinds that determine the addresses of future machines. */
const OVERLAY_KINDS: ReadonlySet<string> = new Set(['account_settings']);
const NO_KINDS: ReadonlySet<string> = new Set();

/** An object, or an action of a plan; a delete has no fields. */
interface Mentioned {
  readonly kind: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * The kinds that must be read if the addresses of future machines determine whether a private
 * service admits anybody.
 */
export function kindsOfCallers(
  objects: readonly StateObject[],
  actions: readonly Mentioned[] = [],
): ReadonlySet<string> {
  const isCalled = [...objects, ...actions].some(
    ({ kind, fields }: Mentioned) => kind === SERVICE && fields?.private === true,
  );
  const machines = isCalled ? objects.filter(({ kind }) => kind === 'peer').map(machineOf) : [];
  return machines.length > 0 && !machines.some(comesByTunnel) ? OVERLAY_KINDS : NO_KINDS;
}
