// Networks: their routers, and the members to which a policy distributes the resources of a
// network.
import { and, type Bits, indexesIn, noBits, orInto } from '../sets/bits.ts';
import type { Network } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { ableForNetworks, everyServer, serversOf } from './servers.ts';

/** All routers of a network, including future machines, and the current machines among them. */
export function routingOf(
  world: World,
  { routers }: Network,
): { readonly routing: Bits; readonly servers: readonly number[] } {
  const routing = noBits();
  const serving = noBits();
  const able = ableForNetworks(world);
  for (const router of routers.filter(({ isEnabled }) => isEnabled)) {
    orInto(routing, everyServer(world, router.servers));
    orInto(serving, serversOf(world, router.servers, able));
  }
  return {
    routing: and(routing, world.approved),
    servers: [...indexesIn(serving)],
  };
}

/** The members to which the rules of a policy distribute a resource. */
export function distributedTo([first, ...rest]: readonly CompiledRule[]): Bits {
  if (first === undefined) return noBits();
  if (first.rule.source.type === 'machine') return first.sources;
  const members = noBits();
  for (const { rule, sources } of [first, ...rest])
    if (rule.source.type === 'groups') orInto(members, sources);
  return members;
}
