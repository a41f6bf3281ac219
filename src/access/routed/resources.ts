// Network resources: which policies concern one, who receives it, and what its routing machines deliver.
import { and, type Bits, minus, noBits, orInto, withOne } from '../sets/bits.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { Network } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/policies.ts';
import { type Counting, countingIn, type Reading } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { type Delivery, resourceDestination } from './delivery.ts';
import { routedEntries } from './entries.ts';
import { ableServers, everyServer, serversOf } from './servers.ts';

/** What the routers of all networks deliver. */
export function resourceDeliveries(world: World, reading: Reading, pool: RowPool): Delivery[] {
  const counting = countingIn(world, reading);
  return world.state.networks.flatMap(network => {
    const { routing, servers } = routingOf(world, network);
    return network.resources
      .filter(({ isEnabled }) => isEnabled)
      .flatMap(resource => {
        const concerning = world.concerning(resource);
        const entries = concerning.flatMap(policy =>
          routedEntries(policy, counting(policy.policy), world.approved, pool),
        );
        // A machine that routes the network receives its resources from no other one.
        const receivers = minus(receiversOf(world, concerning, counting), routing);
        const what = { type: 'network_resource', resource, network } as const;
        const { address } = resource;
        const destination = resourceDestination(world.sites.get(network.key), address);
        return servers.map(router => ({
          ...{ what, destination, address, router, entries, isOpen: false },
          receivers: withOne(receivers, router),
        }));
      });
  });
}

/** Everyone who routes a network, and the machines that do so today. */
export function routingOf(
  world: World,
  { routers }: Network,
): { readonly routing: Bits; readonly servers: readonly number[] } {
  const routing = noBits(world.size);
  const serving = noBits(world.size);
  for (const router of routers.filter(({ isEnabled }) => isEnabled)) {
    orInto(routing, everyServer(world, router.servers));
    orInto(serving, serversOf(world, router.servers));
  }
  return {
    routing: and(routing, world.approved),
    servers: ableServers(world, serving, false),
  };
}

/**
 * Who receives a resource: by each policy, the single machine of its first rule, or else the members of the source groups
 * of all its rules. Disabled rules and drop rules count.
 */
function receiversOf(
  world: World,
  concerning: readonly CompiledPolicy[],
  counting: (policy: CompiledPolicy['policy']) => Counting,
): Bits {
  const receivers = noBits(world.size);
  for (const { policy, rules } of concerning)
    orInto(receivers, and(distributedTo(rules, world.size), counting(policy).opens));
  return and(receivers, world.approved);
}

/** Whom the rules of a policy distribute a resource to. */
export function distributedTo([first, ...rest]: readonly CompiledRule[], size: number): Bits {
  if (first === undefined) return noBits(size);
  if (first.rule.source.type === 'machine') return first.sources;
  const members = noBits(size);
  for (const { rule, sources } of [first, ...rest])
    if (rule.source.type === 'groups') orInto(members, sources);
  return members;
}
