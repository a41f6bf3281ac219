// Machines that have another overlay address in one of two states than in the other: what served the address serves another machine.
import type { AccessState, Machine, Named } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses, rangeOf } from './address.ts';
import { namesOf } from './roster.ts';

export interface MovedMachine {
  readonly id: string;
  readonly machine: Machine;
  /** Its names in both states. */
  readonly names: readonly string[];
}

/** The identity of a machine among the places that an address leads to. */
export const machineId = ({ key, id }: Named): string => `machine ${id ?? key}`;

/** The machines that both states have, with other addresses. */
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

/** An overlay address of a machine that has a different address in another state, or the range from which it will get one. */
export interface Holder {
  readonly id: string;
  readonly address: string;
}

/** The overlay addresses of these machines in a state. */
export function holdersAmong(
  moved: readonly MovedMachine[],
  { machines }: AccessState,
): readonly Holder[] {
  const ids = new Map(moved.flatMap(({ id, names }) => names.map(name => [name, id])));
  return machines.flatMap((machine): readonly Holder[] => {
    const id = ids.get(namesOf(machine).at(-1) ?? machine.key);
    return id === undefined ? [] : overlayAddresses(machine).map(address => ({ id, address }));
  });
}

/** The overlay addresses in these places. A default route leads to none: machines send it nothing that is for the overlay network. */
export function heldIn(places: readonly string[], holders: readonly Holder[]): readonly Holder[] {
  const ranges = places.filter(place => (rangeOf(place)?.length ?? 0) > 0);
  return holders.filter(({ address }) => ranges.some(range => haveCommonAddresses(address, range)));
}
