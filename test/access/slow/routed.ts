// Whether one machine reaches an address through another.
import type { Network, Policy, Resource, Route, Rule } from './account.ts';
import { hasEdge } from './between.ts';
import { INTERNET, type Someone } from './everyone.ts';
import { movedPlaces } from './led.ts';
import { concerned, controlNear, countsAsSingle, isMeant, isTold } from './matches.ts';
import { isOpened } from './opened.ts';
import {
  everServing,
  ids,
  isAbout,
  isDestination,
  isInAny,
  isSource,
  isThe,
  mayServeNetwork,
  mayServeRoute,
  type Protocol,
  passesPosture,
  servingNow,
  type World,
} from './world.ts';

/** An address that a routing machine offers, as a resource or a route. */
export interface Offer {
  /** What it is to a person: `resource <network> <address>` or `route <network_id> <address>`. */
  readonly destination: string;
  readonly address: string;
  readonly via: Someone;
  readonly isOpen: boolean;
  /** Whether the internet reaches it. */
  readonly isExposed?: (at: readonly [Protocol, number]) => boolean;
  readonly receives: (source: Someone) => boolean;
  readonly rules: readonly { readonly rule: Rule; readonly counts: (source: Someone) => boolean }[];
}

export function offersIn(world: World): Offer[] {
  const { networks, routes } = world.account;
  return [
    ...networks.flatMap(network =>
      network.resources.flatMap(one => {
        const { id } = network;
        return withLed(world, ofResource(world, network, one), `resource ${id}`);
      }),
    ),
    ...routes
      .filter(({ enabled }) => enabled)
      .flatMap(route =>
        ofRoute(world, route).flatMap(offer => {
          return withLed(world, [offer], `route ${route.network_id}`);
        }),
      ),
  ];
}

// Whoever reaches a domain reaches what it leads to.
function withLed({ account, compared }: World, offers: readonly Offer[], name: string): Offer[] {
  return offers.flatMap(offer => [
    offer,
    ...movedPlaces(account, compared, offer.address).map(place => ({
      ...offer,
      destination: `${name} ${place}`,
    })),
  ]);
}

/** Whether a source reaches an address through a routing machine, as one destination or (without `as`) as any. */
export function passes(
  here: readonly Offer[],
  source: Someone,
  [protocol, port]: readonly [Protocol, number],
  as?: string,
): boolean {
  const asked = here.filter(({ destination }) => as === undefined || destination === as);
  if (source.name === INTERNET)
    return asked.some(({ isExposed }) => isExposed?.([protocol, port]) === true);
  if (!asked.some(offer => offer.receives(source))) return false;
  const counting = here
    .flatMap(({ rules }) => rules)
    .filter(({ rule, counts }) => counts(source) && isAbout(rule, protocol, port, true));
  const isOpen = here.some(offer => offer.isOpen && offer.via.name !== source.name);
  return (
    (isOpen || counting.some(({ rule }) => rule.action === 'accept')) &&
    !counting.some(({ rule }) => rule.action === 'drop')
  );
}

function ofResource(world: World, network: Network, resource: Resource): Offer[] {
  if (!resource.enabled) return [];
  const routers = network.routers.filter(router => router.enabled);
  const routing = routers.flatMap(router => everServing(world, router));
  const vias = new Set(routers.flatMap(router => servingNow(world, router, mayServeNetwork)));
  const concerning = concerned(world, resource);
  return [...vias].map(via => ({
    destination: `resource ${network.id} ${resource.address}`,
    address: resource.address,
    via,
    isOpen: false,
    isExposed: at => isOpened(world.account, resource.id, at),
    receives: source => {
      if (!source.isApproved || !source.isLoggedIn) return false;
      if (source.name === via.name) return true;
      if (routing.some(({ name }) => name === source.name)) return false;
      return concerning.some(policy => distributes(world, policy, source));
    },
    rules: concerning.flatMap(policy => rulesAt(world, policy, via, () => true)),
  }));
}

function distributes(world: World, policy: Policy, source: Someone): boolean {
  return isMeant(source, policy) && passesPosture(world, source, policy, 'accept');
}

/** Every enabled rule of a policy, as a routing machine has it. `sourceGroups`: those whose members the machine is reported. */
function rulesAt(
  world: World,
  policy: Policy,
  via: Someone,
  isEligible: (source: Someone) => boolean,
  sourceGroups = (rule: Rule) => ids(rule.sources),
): Offer['rules'] {
  const routed = policy.rules.filter(rule => rule.enabled && rule.protocol !== 'netbird-ssh');
  return routed.map(rule => ({
    rule,
    counts: source => {
      if (!source.isApproved || !isEligible(source)) return false;
      const { action, sourceResource } = rule;
      if (sourceResource)
        return (
          isThe(source, sourceResource) && countsAsSingle(world, source, via, { policy, action })
        );
      if (!passesPosture(world, source, policy, action)) return false;
      return source.name !== via.name && isInAny(source, sourceGroups(rule));
    },
  }));
}

function ofRoute(world: World, route: Route): Offer[] {
  const control = route.access_control_groups ?? [];
  const same = world.account.routes.filter(other => isSame(other, route));
  const own = same.flatMap(other => everServing(world, other)).map(({ name }) => name);
  const controlling = world.enabledPolicies.filter(policy =>
    policy.rules.some(rule => isToward(rule, control)),
  );
  const isDistributed = (one: Someone) => isInAny(one, route.groups);
  const addresses = route.network ? [route.network] : (route.domains ?? []);
  return servingNow(world, route, mayServeRoute).flatMap(via =>
    addresses.map(address => ({
      destination: `route ${route.network_id} ${address}`,
      address,
      via,
      isOpen: control.length === 0,
      receives: (source: Someone) => {
        if (!source.isApproved || !source.isLoggedIn || !isDistributed(source)) return false;
        if (source.name === via.name) return control.length > 0;
        return !own.includes(source.name) && hasEdge(world, source, via);
      },
      rules: controlling
        .filter(policy => seesPolicy(world, via, policy))
        .flatMap(policy =>
          rulesAt(world, policy, via, isDistributed, rule =>
            ids(rule.sources).filter(group => isTold(world, via, group, rule.action)),
          ),
        ),
    })),
  );
}

function seesPolicy(world: World, via: Someone, policy: Policy): boolean {
  const named = controlNear(world, via);
  return policy.rules.some(
    rule =>
      rule.enabled &&
      (isSource(world, via, { policy, rule }, 'accept') ||
        isDestination(via, rule) ||
        isToward(rule, named)),
  );
}

function isToward(rule: Rule, groups: readonly string[]): boolean {
  return !rule.destinationResource && ids(rule.destinations).some(id => groups.includes(id));
}

function isSame(one: Route, other: Route): boolean {
  return (
    one.network_id === other.network_id &&
    one.network === other.network &&
    String(one.domains) === String(other.domains)
  );
}
