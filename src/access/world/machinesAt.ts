// Finds the machines at some addresses and names. An account may have thousands of machines, so single addresses are looked up in
// an index.
import { domainText } from '../../kinds/values/domain.ts';
import { bits, type Prefix } from '../../kinds/values/ip.ts';
import type { AccessState, Machine } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses, rangesIn } from './address.ts';

type Machines = AccessState['machines'];

/** Returns the machines that have one of the places as an overlay address or DNS name. */
type MachinesAt = (places: readonly string[]) => readonly Machine[];

const known = new WeakMap<Machines, MachinesAt>();

/** Finds machines by their overlay addresses and DNS names. */
export function machinesAt(machines: Machines): MachinesAt {
  const found = known.get(machines) ?? machinesIn(machines);
  known.set(machines, found);
  return found;
}

function machinesIn(machines: Machines): MachinesAt {
  const index = new Map<string, Set<Machine>>();
  // Machines with a range instead of an address, because the server has not chosen the address yet.
  const unsettled = new Set<Machine>();
  for (const machine of machines)
    for (const place of placesOf(machine)) {
      const keys = keysOf(place);
      if (keys === undefined) unsettled.add(machine);
      for (const key of keys ?? []) index.set(key, (index.get(key) ?? new Set()).add(machine));
    }
  const isAt = (machine: Machine, place: string) =>
    placesOf(machine).some(own => haveCommonAddresses(own, place));
  return places => {
    const found = new Set(
      places.flatMap(place => {
        const keys = keysOf(place);
        if (keys === undefined) return machines.filter(machine => isAt(machine, place));
        const settled = keys.flatMap(key => [...(index.get(key) ?? [])]);
        return [...settled, ...Array.from(unsettled).filter(machine => isAt(machine, place))];
      }),
    );
    return machines.filter(machine => found.has(machine));
  };
}

const placesOf = (machine: Machine): readonly string[] => [
  ...overlayAddresses(machine),
  ...(machine.dnsNames ?? []),
];

// The keys of a single address or name. Undefined for a range or a wildcard, because it covers many
// addresses or names.
function keysOf(place: string): readonly string[] | undefined {
  const ranges = rangesIn(place);
  if (ranges.length === 0) return place.startsWith('*') ? undefined : [domainText(place)];
  return ranges.every(isSingle)
    ? ranges.map(({ version, address }) => `${version} ${address}`)
    : undefined;
}

const isSingle = ({ version, length }: Prefix): boolean => length === bits(version);
