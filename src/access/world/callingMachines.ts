// The machines that may call a service over the overlay.
import { and, type Bits, indexesIn, withoutOne } from '../sets/bits.ts';
import type { AccessState, Machine, Outsiders } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses } from './address.ts';

/** Where a caller must come from to be taken for a machine of the account. */
const TUNNEL = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** What decides in a state which machines may call. */
interface Calling {
  readonly state: AccessState;
  /** The current machines. */
  readonly today: Bits;
  /** Current machines that are approved, and all future members. */
  readonly approved: Bits;
  readonly machineAt: (index: number) => Machine | undefined;
  readonly inGroups: (groups: readonly string[]) => Bits;
}

/** The machines that may call a service over the overlay, including future machines. */
export function callersOf(world: Calling, { groups, refusesBlocked }: Outsiders): Bits {
  const { state, approved, today } = world;
  const blocked = new Set(refusesBlocked ? state.blockedUsers : []);
  const members = and(groups === undefined ? approved : world.inGroups(groups), approved);
  let callers = members;
  for (const index of indexesIn(and(members, today))) {
    const machine = world.machineAt(index);
    const isRefused = machine?.user !== undefined && blocked.has(machine.user);
    if (machine && (isRefused || !comesByTunnel(machine))) callers = withoutOne(callers, index);
  }
  return callers;
}

// The addresses of a machine that only files describe are not known.
function comesByTunnel(machine: Machine): boolean {
  const addresses = overlayAddresses(machine);
  const isPrivate = (address: string) => TUNNEL.some(range => haveCommonAddresses(address, range));
  return addresses.length === 0 || addresses.some(isPrivate);
}
