// Other objects that lead to the addresses of the objects in a picture: resources and routes with
// the same address.
import { accessName } from '../../model/access/accessName.ts';
import type { AddressPicture, RuleSide } from '../../model/access/accessPicture.ts';
import { targetsBeside } from '../ask/destinations.ts';
import { type RoutedTarget, routedTargets } from '../flows/targets.ts';
import { and, type Bits, bitsOf, indexesIn } from '../sets/bits.ts';
import type { Side } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** `around` is absent if nothing else leads to the address. */
export type WithWays = Pick<RuleSide, 'around'>;

/** Returns the other resources and routes that lead to the address of a routed destination. */
export function waysToRouted(
  world: World,
): (isMeant: (target: RoutedTarget) => boolean) => WithWays {
  const targets = routedTargets(world);
  return isMeant => {
    const target = targets.find(isMeant);
    return target === undefined ? {} : withWays(targetsBeside(world, target));
  };
}

/** Returns the resources and routes that lead to the overlay address of a machine on a side of a rule. */
export function waysToMachines(world: World): (side: Side) => WithWays {
  const waysTo = (bits: Bits) =>
    targetsBeside(world, { type: 'machine', index: -1 }, indexesIn(and(bits, world.today)));
  const hasAny = waysTo(world.today).length > 0;
  return side => (hasAny ? withWays(waysTo(machinesOn(world, side))) : {});
}

function machinesOn(world: World, side: Side): Bits {
  if (side.type === 'groups') return world.inGroups(side.groups);
  const index = side.type === 'machine' ? world.machineOf(side.machine) : undefined;
  return bitsOf(index === undefined ? [] : [index]);
}

function withWays(targets: readonly RoutedTarget[]): WithWays {
  const around = targets.flatMap(pictured);
  return around.length === 0 ? {} : { around };
}

function pictured({ address, resources, routes }: RoutedTarget): readonly AddressPicture[] {
  const networks = new Set(routes.map(({ networkId }) => networkId));
  return [
    ...resources.map(({ resource }) => ({
      name: accessName('network_resource', resource.key),
      address: resource.address,
    })),
    ...networks.values().map(key => ({ name: accessName('route', key), address })),
  ];
}
