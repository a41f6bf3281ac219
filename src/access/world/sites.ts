// The network to which an address belongs. The same address in two networks is two destinations, unless a network resource has
// moved from one network to the other.
import { segmentsOf } from '../../model/key.ts';
import type { AccessState, Network, Resource } from '../state/accessState.ts';
import { matched } from './roster.ts';

/** Returns a number for an address of a network. The number is the same in all compared states. */
export type SiteOf = (network: Network, address: string) => number | undefined;

/**
 * The site functions of compared states, in the order of the states. An object that exists in
 * another state has the number from the first or the last state.
 */
export function sitesOf(states: readonly AccessState[]): readonly SiteOf[] {
  const numbers = matched(states.map(({ networks }) => networks)).indexes.map(
    list => new Map(list),
  );
  const moved = movedAddresses(states, numbers);
  return numbers.map(numberOf => siteIn(numberOf, moved));
}

/** The site function for all states between the first and the last one. */
export function sitesBetween(first: AccessState, last: AccessState): SiteOf {
  const ends = [first, last];
  const numbers = matched(ends.map(({ networks }) => networks)).indexes.map(list => new Map(list));
  const known = new Map(numbers.flatMap(map => [...map]));
  return siteIn(known, movedAddresses(ends, numbers));
}

type Numbers = ReadonlyMap<string, number>;

const siteIn =
  (numberOf: Numbers, moved: ReadonlyMap<string, number>): SiteOf =>
  ({ key }, address) => {
    const number = numberOf.get(key);
    return moved.get(nameOf(number, address)) ?? number;
  };

const nameOf = (number: number | undefined, address: string): string => `${number} ${address}`;

interface Placed {
  readonly resource: Resource;
  readonly site: number | undefined;
}

// The sites of addresses that moved, together with their resource, from one network to another.
// They are listed by their new network and address.
function movedAddresses(
  states: readonly AccessState[],
  numbers: readonly Numbers[],
): ReadonlyMap<string, number> {
  const moved = new Map<string, number>();
  const first = states[0];
  const last = states.at(-1);
  if (first === undefined || last === undefined || first === last) return moved;
  const was = placesIn(first, numbers[0]);
  const is = placesIn(last, numbers.at(-1));
  const gone = Map.groupBy(
    [...was].filter(([place]) => !is.has(place)),
    ([, { resource }]) => resource.address,
  );
  const taken = new Set<string>();
  for (const [place, { resource }] of is) {
    if (was.has(place)) continue;
    const candidates = gone.get(resource.address) ?? [];
    const same = candidates.find(([, former]) => areSame(former.resource, resource));
    if (same === undefined || taken.has(same[0])) continue;
    taken.add(same[0]);
    if (same[1].site !== undefined) moved.set(place, same[1].site);
  }
  return moved;
}

function placesIn(
  { networks }: AccessState,
  numberOf: Numbers | undefined,
): ReadonlyMap<string, Placed> {
  const places = new Map<string, Placed>();
  for (const network of networks)
    for (const resource of network.resources) {
      const site = numberOf?.get(network.key);
      places.set(nameOf(site, resource.address), { resource, site });
    }
  return places;
}

// A replaced resource has no id yet, so its name identifies it.
function areSame(one: Resource, other: Resource): boolean {
  if (one.address !== other.address) return false;
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return ownName(one) === ownName(other);
}

const ownName = ({ key }: Resource): string => segmentsOf(key, 2)?.at(-1) ?? key;
