// Finds the objects that would admit the access of a rule or a route: the destinations of a rule,
// its sources if it is bidirectional, and the routing machines of routed destinations.
import { routingOf } from '../routed/networkRouting.ts';
import { controllingPolicies } from '../routed/routeOffers.ts';
import { servedRoutes } from '../routed/servedRoutes.ts';
import { add, and, type Bits, bitsOf, has, indexesIn, orInto } from '../sets/bits.ts';
import type { Machine, Network, Resource, Route } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/** A rule, limited to some of its groups. The groups are given by their keys in the state. */
export interface RulePart {
  readonly sourceGroups?: readonly string[];
  readonly destinationGroups?: readonly string[];
}

/** The objects that would admit the access of a rule or route. */
export interface AdmittingObjects {
  readonly machines: readonly Machine[];
  /** The network resources and routes to which the rule or route leads. */
  readonly resources: readonly Resource[];
  readonly routes: readonly Route[];
}

/** The machines, resources and routes that would admit the access of a rule. */
export function admittingObjectsOfRule(
  world: World,
  compiled: CompiledRule,
  part: RulePart = {},
): AdmittingObjects {
  const { rule, destinations, sources, policy } = compiled;
  const machines = limited(world, destinations, part.destinationGroups);
  if (rule.isBidirectional) orInto(machines, limited(world, sources, part.sourceGroups));
  const whole = world.policies.find(one => one.policy === policy);
  const routed = whole ? routedOf(world, whole, part.destinationGroups) : NOTHING;
  for (const router of routed.routers) add(machines, router);
  return {
    machines: machinesIn(world, machines),
    resources: routed.resources,
    routes: routed.routes,
  };
}

/** The machines, resources and routes that would admit the access of a route. */
export function admittingObjectsOfRoute(world: World, route: Route): AdmittingObjects {
  const served = servedRoutes(world).find(one => one.route === route);
  return {
    machines: machinesIn(world, bitsOf(served?.servers ?? [])),
    resources: [],
    routes: [route],
  };
}

function limited(world: World, members: Bits, groups: readonly string[] | undefined): Bits {
  const some = and(members, world.today);
  return groups === undefined ? some : and(some, world.inGroups(groups));
}

const machinesIn = (world: World, members: Bits): readonly Machine[] =>
  [...indexesIn(members)].flatMap(index =>
    has(world.today, index) ? (world.machineAt(index) ?? []) : [],
  );

interface Routed {
  readonly routers: readonly number[];
  readonly resources: readonly Resource[];
  readonly routes: readonly Route[];
}

const NOTHING: Routed = { routers: [], resources: [], routes: [] };

// A routing machine applies each rule of a policy to the destinations of every rule of that policy.
function routedOf(
  world: World,
  policy: CompiledPolicy,
  groups: readonly string[] | undefined,
): Routed {
  const ofNetworks = world.state.networks.map(network => ({
    network,
    resources: network.resources.filter(
      one =>
        one.isEnabled &&
        isAmong(one.groups, groups) &&
        world.resourcePolicies(one).includes(policy),
    ),
  }));
  const used = ofNetworks.filter(({ resources }) => resources.length > 0);
  const routes = servedRoutes(world).filter(
    ({ route }) =>
      route.isEnabled &&
      isAmong(route.accessControl, groups) &&
      controllingPolicies(world, route).includes(policy),
  );
  return {
    routers: [
      ...used.flatMap(({ network }) => serversIn(world, network)),
      ...routes.flatMap(({ servers }) => servers),
    ],
    resources: used.flatMap(({ resources }) => resources),
    routes: routes.map(({ route }) => route),
  };
}

const serversIn = (world: World, network: Network): readonly number[] =>
  routingOf(world, network).servers;

const isAmong = (own: readonly string[], groups: readonly string[] | undefined): boolean =>
  groups === undefined || own.some(group => groups.includes(group));
