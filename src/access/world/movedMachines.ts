// Machines whose overlay address differs between two states. An object that serves the address
// serves another machine in the other state.
import type { AccessState, Machine, Named } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses, rangeOf } from './address.ts';
import { namesOf } from './roster.ts';

export interface MovedMachine {
  readonly id: string;
  readonly machine: Machine;
  /** The names of the machine in both states. */
  readonly names: readonly string[];
}

/** The id of a machine among the places to which an address leads. */
export const machineId = ({ key, id }: Named): string => `machine ${id ?? key}`;

/** The machines that exist in both states but with different addresses. */
export function movedMachines(first: AccessState, last: AccessState): readonly MovedMachine[] {
  if (first.machines === last.machines) return [];
  const before = new Map(first.machines.flatMap(one => namesOf(one).map(name => [name, one])));
  return last.machines.flatMap((machine): MovedMachine[] => {
    const names = namesOf(machine);
    const was = before.get(names.at(-1) ?? machine.key);
    if (was === undefined || (was.ip === machine.ip && was.ipv6 === machine.ipv6)) return [];
    return [{ id: machineId(machine), machine, names: [...names, ...namesOf(was)] }];
  });
}

/**
 * An overlay address of a machine that has a different address in another state, or the range from
 * which the machine will get its address.
 */
export interface MovedAddress {
  readonly id: string;
  readonly address: string;
}

/** The overlay addresses of these machines in a state. */
export function movedAddressesAmong(
  moved: readonly MovedMachine[],
  { machines }: AccessState,
): readonly MovedAddress[] {
  const ids = new Map(moved.flatMap(({ id, names }) => names.map(name => [name, id])));
  return machines.flatMap((machine): readonly MovedAddress[] => {
    const id = ids.get(namesOf(machine).at(-1) ?? machine.key);
    return id === undefined ? [] : overlayAddresses(machine).map(address => ({ id, address }));
  });
}

/**
 * The overlay addresses in these places. A default route contains none, because machines do not
 * send overlay traffic to it.
 */
export function heldIn(
  places: readonly string[],
  moved: readonly MovedAddress[],
): readonly MovedAddress[] {
  const ranges = places.filter(place => (rangeOf(place)?.length ?? 0) > 0);
  return moved.filter(({ address }) => ranges.some(range => haveCommonAddresses(address, range)));
}
