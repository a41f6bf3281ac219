// The possible destinations of a flow in a state: everything that serves the address to which the flow was sent.
import {
  placesOf,
  targetsAround,
  targetsServing,
  targetsTranslating,
} from '../ask/destinations.ts';
import { type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { overlayAddresses } from '../state/machines.ts';
import { distanceWithin, rangeOf } from '../world/address.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';

/**
 * The source or destination of a flow: a machine or network resource by its id, or an address. The address of a resource is
 * absent if the resource covers many addresses.
 */
export type FlowEnd =
  | { readonly type: 'machine'; readonly id: string }
  | { readonly type: 'resource'; readonly id: string; readonly address?: string }
  | { readonly type: 'address'; readonly address: string };

/** A string that identifies the source or destination. */
export function flowEndText(place: FlowEnd): string {
  if (place.type === 'machine') return `machine ${place.id}`;
  return place.type === 'resource' ? `resource ${place.id} ${place.address ?? ''}` : place.address;
}

/** The targets for the destination of a flow. */
export interface Destinations {
  /** Empty if the state has no target for the destination. */
  readonly targets: readonly Target[];
  /** The targets that lead to the destination only if a router translates between IPv6 and IPv4. */
  readonly translating: ReadonlySet<Target>;
}

/** Finds the targets of the destinations of flows. */
export function destinationsIn(world: World): (end: FlowEnd) => Destinations {
  const known = new Map<string, Destinations>();
  const atMachine = machineTargets(world);
  return end => {
    const text = flowEndText(end);
    const found =
      known.get(text) ??
      (end.type === 'machine' ? directly(atMachine(end.id)) : routedTo(world, end));
    known.set(text, found);
    return found;
  };
}

const directly = (targets: readonly Target[]): Destinations => ({
  targets,
  translating: new Set(),
});

function machineTargets(world: World): (id: string) => readonly Target[] {
  const overlays = world.state.machines.flatMap(overlayAddresses);
  const around = targetsAround(world, overlays);
  return id => {
    const index = world.positions.machine.get(`id:${id}`);
    const machine = index === undefined ? undefined : world.machineAt(index);
    if (index === undefined || machine === undefined) return [];
    const own = overlayAddresses(machine);
    const routed = around.filter(target => placesOf(target).some(place => isWithin(own, place)));
    return [{ type: 'machine', index }, ...routed];
  };
}

const isWithin = (addresses: readonly string[], place: string): boolean =>
  addresses.some(address => distanceWithin(address, place) !== undefined);

function routedTo(world: World, end: Exclude<FlowEnd, { readonly type: 'machine' }>): Destinations {
  const own = end.type === 'resource' ? resourceTargets(world, end.id) : [];
  const addresses = end.address === undefined ? own.map(({ address }) => address) : [end.address];
  const all = addresses.flatMap(address => covering(world, address));
  const direct = new Set([...own, ...all.flatMap(({ targets }) => targets)]);
  const translating = new Set(all.flatMap(one => [...one.translating])).difference(direct);
  return { targets: [...direct, ...translating], translating };
}

const resourceTargets = (world: World, id: string): readonly RoutedTarget[] =>
  routedTargets(world).filter(({ resources }) =>
    resources.some(({ resource }) => namesOf(resource).includes(`id:${id}`)),
  );

// A flow is stored with the narrowest declared range that contained its address. So its destination
// is everything that covers this range or, if nothing covers the range any more, everything inside
// it. A domain resolves to several addresses. An IPv6 address may contain an IPv4 address, so
// targets that a router reaches by translation also count.
function covering(world: World, address: string): Destinations {
  const isName = rangeOf(address) === null;
  const places = isName ? [address, ...world.names.leadsTo(address)] : [address];
  const all = targetsServing(world, places);
  if (isName) return directly(all);
  const translating = new Set<Target>(targetsTranslating(world, places));
  const touching = all.filter(target => !translating.has(target));
  const around = touching.filter(target => placesOf(target).some(place => isWithin(places, place)));
  const machines = machinesAt(world, address);
  const targets = around.length + machines.length > 0 ? [...machines, ...around] : touching;
  return { targets, translating };
}

const machinesAt = ({ state, positions }: World, address: string): readonly Target[] =>
  state.machines.flatMap((machine): readonly Target[] => {
    const index = positions.machine.get(machine.key);
    const isThere = index !== undefined && overlayAddresses(machine).includes(address);
    return isThere ? [{ type: 'machine', index }] : [];
  });
