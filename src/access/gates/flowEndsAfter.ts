// The destination of a flow after a plan. The plan may change the address of a network resource, or
// narrow a range.
import type { FlowEnd } from '../admitted/flowEnds.ts';
import type { AccessState } from '../state/accessState.ts';
import { distanceWithin } from '../world/address.ts';

/**
 * Returns a function that finds the same destination after a plan; null if nothing leads to the
 * destination any more.
 */
export function flowEndsAfter(
  before: AccessState,
  after: AccessState,
): (place: FlowEnd) => FlowEnd | null {
  const was = addressesById(before);
  const is = addressesById(after);
  const isLedTo = (state: AccessState) => {
    const ranges = rangesOf(state);
    return (address: string): boolean => ranges.some(range => isWithin(address, range));
  };
  const isLedToBefore = isLedTo(before);
  const isLedToAfter = isLedTo(after);
  return place => {
    if (place.type === 'machine') return place;
    const own = place.type === 'resource' ? was.get(place.id) : undefined;
    const address = place.address ?? own;
    if (address === undefined) return place;
    const now = place.type === 'resource' ? is.get(place.id) : undefined;
    if (now !== undefined && isWithin(address, now)) return place;
    if (isLedToAfter(address)) return { type: 'address', address };
    // If no declared object led to the address before, everything that leads to a part of the
    // address counts.
    return isLedToBefore(address) ? null : place;
  };
}

const isWithin = (address: string, range: string): boolean =>
  distanceWithin(address, range) !== undefined;

const addressesById = ({ networks }: AccessState): ReadonlyMap<string, string> =>
  new Map(
    networks.flatMap(({ resources }) =>
      resources.flatMap(({ id, address }) => (id === undefined ? [] : [[id, address] as const])),
    ),
  );

const rangesOf = ({ networks, routes }: AccessState): readonly string[] => [
  ...networks.flatMap(({ resources }) => resources.map(({ address }) => address)),
  ...routes.flatMap(({ addresses }) => addresses),
];
