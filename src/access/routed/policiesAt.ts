// Finds the policies that can affect access to an address. Other policies and their posture checks
// make no difference to it.
import { type Bits, bitsOf, intersect, isEmpty, noBits, or, orInto } from '../sets/bits.ts';
import type { CompiledPolicy } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { perWorld } from './computedOnce.ts';
import { routingOf } from './networkRouting.ts';
import { controllingPolicies } from './routeOffers.ts';
import { servedRoutes } from './servedRoutes.ts';
import { isOfRouter } from './sourcesAtRouters.ts';

/** The rules that determine access to an address. */
export interface Deciding {
  readonly policies: ReadonlySet<CompiledPolicy>;
  /** The routing machines that deliver the address. */
  readonly routers: Bits;
  /**
   * Whether each check of a policy counts separately. This is the case if a machine is the single
   * source of a rule.
   */
  readonly isByCheck: boolean;
}

/** Finds the rules and machines that determine who reaches an address in a state. */
export function decidingAt(world: World, address: string): Deciding {
  const known = decided(world);
  const found = known.get(address) ?? decidingIn(world, address);
  known.set(address, found);
  return found;
}

const decided = perWorld((_: World) => new Map<string, Deciding>());

function decidingIn(world: World, address: string): Deciding {
  const policies = new Set<CompiledPolicy>();
  const routers = noBits();
  const connected = noBits();
  for (const network of world.state.networks) {
    const resources = network.resources.filter(one => one.isEnabled && one.address === address);
    for (const resource of resources)
      for (const policy of world.resourcePolicies(resource)) policies.add(policy);
    if (resources.length > 0) orInto(routers, bitsOf(routingOf(world, network).servers));
  }
  for (const { route, servers } of servedRoutes(world)) {
    if (!route.isEnabled || !route.addresses.includes(address)) continue;
    for (const policy of controllingPolicies(world, route)) policies.add(policy);
    // The server distributes routes along rules that connect sources with routing machines.
    orInto(connected, bitsOf(servers));
  }
  orInto(routers, connected);
  const byMembers = membersIn(world);
  const addThose = (members: Bits) => {
    if (isEmpty(members)) return;
    for (const [policy, { all }] of byMembers) if (intersect(all, members)) policies.add(policy);
  };
  addThose(connected);
  const singles = [...policies].filter(policy => isOfRouter(world, policy));
  if (singles.length > 0) {
    // Whether a single source passes a check depends on the policies for which the server evaluates
    // the check. These policies differ between routing machines.
    addThose(or(routers, singles.map(singleSources).reduce(or, noBits())));
  }
  return { policies, routers, isByCheck: singles.length > 0 };
}

const singleSources = ({ rules }: CompiledPolicy): Bits =>
  rules
    .filter(({ rule }) => rule.source.type === 'machine')
    .map(({ sources }) => sources)
    .reduce(or, noBits());

/**
 * The members on either side of a policy's rules and the members on their source side, whatever
 * their posture.
 */
export interface PolicyMembers {
  readonly all: Bits;
  readonly sources: Bits;
}

/**
 * The members of the enabled policies. Disabled rules of such a policy count too, because the
 * sources of these rules receive resources.
 */
export const membersIn = perWorld(
  ({ policies }: World): ReadonlyMap<CompiledPolicy, PolicyMembers> =>
    new Map(
      policies
        .filter(({ policy }) => policy.isEnabled)
        .map(policy => {
          const sources = noBits();
          const all = noBits();
          for (const rule of policy.rules) {
            orInto(sources, rule.sources);
            orInto(all, or(rule.sources, rule.destinations));
          }
          return [policy, { sources, all }] as const;
        }),
    ),
);
