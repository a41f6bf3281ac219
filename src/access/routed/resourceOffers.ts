// Network resources: their policies, their receivers, and the deliveries by their routing machines.
import { and, type Bits, has, minus, noBits, orInto, withOne } from '../sets/bits.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { CompiledPolicy } from '../world/compiledPolicies.ts';
import { resourceDestination } from '../world/destinationNames.ts';
import { type CountedMembers, countedMembersIn, type Posture } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { once } from './computedOnce.ts';
import type { Offer } from './delivery.ts';
import { distributedTo, routingOf } from './networkRouting.ts';
import { routedEntries } from './routedEntries.ts';
import { isOfRouter, type SourcesAt } from './sourcesAtRouters.ts';

/** The deliveries of the routers of all networks. */
export function resourceOffers(
  world: World,
  reading: Posture,
  { pool, sourcesAt }: { readonly pool: RowPool; readonly sourcesAt: SourcesAt },
): Offer[] {
  const counting = countedMembersIn(world, reading);
  return world.state.networks.flatMap(network => {
    const enabled = network.resources.filter(({ isEnabled }) => isEnabled);
    return enabled.map((resource): Offer => {
      const { address } = resource;
      const destination = resourceDestination(world.siteOf(network, address), address);
      const deliveries = () => {
        const { routing, servers } = routingOf(world, network);
        const concerning = world.resourcePolicies(resource);
        // A machine that routes the network does not receive its resources from another machine.
        const receivers = minus(receiversOf(world, concerning, counting), routing);
        const entriesAt = (router: number) =>
          concerning.flatMap(policy =>
            routedEntries(policy, world.connected, sourcesAt(router), pool),
          );
        const [first] = servers;
        const shared = concerning.some(policy => isOfRouter(world, policy)) ? undefined : first;
        const entries = shared === undefined ? [] : entriesAt(shared);
        return servers.map(router => ({
          what: { type: 'network_resource', resource, network } as const,
          destination,
          address,
          router,
          isOpen: false,
          entries: shared === undefined ? entriesAt(router) : entries,
          receivers: has(world.connected, router) ? withOne(receivers, router) : receivers,
        }));
      };
      return { destination, address, deliveries: once(deliveries) };
    });
  });
}

/**
 * The receivers of a resource. Each policy adds the single source of its first rule or, if that
 * rule has source groups, the members of the source groups of all its rules. Disabled rules and
 * drop rules count too.
 */
function receiversOf(
  world: World,
  concerning: readonly CompiledPolicy[],
  counting: (policy: CompiledPolicy['policy']) => CountedMembers,
): Bits {
  const receivers = noBits();
  for (const { policy, rules } of concerning)
    orInto(receivers, and(distributedTo(rules), counting(policy).opens));
  return and(receivers, world.connected);
}
