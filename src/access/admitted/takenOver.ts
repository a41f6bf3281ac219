// Finds traffic that a narrower range takes from a wider range. A machine sends traffic to the
// narrowest range that it receives.
import type { Reaches } from '../flows/reaches.ts';
import { type RoutedTarget, routedTargets, rowAt } from '../flows/targets.ts';
import { has } from '../sets/bits.ts';
import { distanceWithin } from '../world/address.ts';
import type { AskedFlow } from './admission.ts';
import { trafficOf } from './flowTraffic.ts';

/**
 * Returns the ids of the targets that take traffic of a flow from wider ranges and refuse it. A
 * flow is stored with the declared range, so it may have gone to any part of this range.
 */
export function takersIn(reaches: Reaches): (flow: AskedFlow) => readonly string[] {
  const { world } = reaches;
  const reach = reaches.under('possible');
  const nearBy = new Map<string, readonly Near[]>();
  return flow => {
    const { source: from, destination } = flow;
    const source =
      from.type === 'machine' ? world.positions.machine.get(`id:${from.id}`) : undefined;
    const address = destination.type === 'machine' ? undefined : destination.address;
    if (source === undefined || address === undefined) return [];
    const near = nearBy.get(address) ?? nearTo(address, routedTargets(world));
    nearBy.set(address, near);
    if (near.length < 2) return [];
    const received = near.filter(({ target }) =>
      reach.deliveriesOf(target.id).some(({ receivers }) => has(receivers, source)),
    );
    const traffic = trafficOf(flow);
    const admits = ({ target }: Near): boolean =>
      rowAt(reach, target).some(
        one => one.from <= traffic.to && one.to >= traffic.from && has(one.sources, source),
      );
    const around = received.filter(({ size }) => size >= 0);
    const least = around.reduce((size, one) => Math.min(size, one.size), Infinity);
    const narrowest = around.filter(({ size }) => size === least);
    const inside = received.filter(one => one.size < 0 && !admits(one));
    const takers = narrowest.some(admits) ? inside : inside.concat(narrowest);
    return takers.map(({ target }) => target.id);
  };
}

/**
 * A target that overlaps an address. The number says by how many bits the target is larger than the
 * address; it is negative if the target is inside the address.
 */
interface Near {
  readonly target: RoutedTarget;
  readonly size: number;
}

const nearTo = (address: string, targets: readonly RoutedTarget[]): readonly Near[] =>
  targets.flatMap(target => {
    const size = distanceWithin(address, target.address);
    if (size !== undefined) return { target, size };
    const inside = distanceWithin(target.address, address);
    return inside === undefined ? [] : { target, size: -inside };
  });
