// Which machines the network map of each machine holds, by the parts of the model that know edges and deliveries.
import { accountReach } from '../../../src/access/accountReach.ts';
import { knownAwaiting } from '../../../src/access/machines/knownAwaiting.ts';
import { edgesIn } from '../../../src/access/routed/edges.ts';
import { distributedTo, routingOf } from '../../../src/access/routed/networkRouting.ts';
import {
  add,
  and,
  type Bits,
  has,
  indexesIn,
  noBits,
  orInto,
} from '../../../src/access/sets/bits.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { countedMembersIn } from '../../../src/access/world/reading.ts';
import { type World, worldOf } from '../../../src/access/world/world.ts';

/** By the id of each machine of today, those that its map holds. */
export function networkMaps(state: AccessState): Readonly<Record<string, readonly string[]>> {
  const world = worldOf(state);
  const edges = edgesIn(world, 'seen');
  const awaiting = knownAwaiting(world, countedMembersIn(world, 'seen'));
  const { deliveries } = accountReach(world, 'seen', rowPool());
  const idOf = (index: number) => world.machineAt(index)?.id ?? '';
  const mapOf = (index: number) => {
    const known = and(edges.to(index), world.approved);
    orInto(known, awaiting.get(index) ?? noBits());
    for (const { receivers, router } of deliveries) if (has(receivers, index)) add(known, router);
    orInto(known, receiversBehind(world, index));
    const others = [...indexesIn(and(known, world.today))].filter(other => other !== index);
    return has(world.approved, index) ? others.map(idOf).toSorted() : [];
  };
  return Object.fromEntries([...indexesIn(world.today)].map(index => [idOf(index), mapOf(index)]));
}

/** The receivers, by each policy, of the resources that a machine routes. */
function receiversBehind(world: World, router: number): Bits {
  const counting = countedMembersIn(world, 'seen');
  const found = noBits();
  for (const network of world.state.networks.filter(one =>
    has(routingOf(world, one).routing, router),
  ))
    for (const resource of network.resources.filter(({ isEnabled }) => isEnabled))
      for (const { policy, rules } of world.resourcePolicies(resource))
        orInto(found, and(distributedTo(rules), counting(policy).opens));
  return and(found, world.approved);
}
