// Finds the rules and routes that a flow may have used although nothing in a state admits the flow.
// Between two observations of an account, a machine may have come and gone, or may have been in
// another group. The log may also be wrong about the flow.
import { type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { routingOf } from '../routed/networkRouting.ts';
import { controllingPolicies } from '../routed/routeOffers.ts';
import { type ServedRoute, servedRoutes } from '../routed/servedRoutes.ts';
import { type Bits, has, intersect } from '../sets/bits.ts';
import { overlap, type Traffic } from '../sets/traffic.ts';
import type { Policy, Route } from '../state/accessState.ts';
import { rangeOf } from '../world/address.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { isOtherProtocol, type SentTraffic, trafficOf } from './flowTraffic.ts';
import { meantPorts } from './sshPorts.ts';

/** The rules and routes that a flow may have used. */
export interface PossibleUse {
  readonly rules: readonly CompiledRule[];
  readonly routes: readonly Route[];
}

/** A flow that nothing in a state admits, with its source and its targets in this state. */
export interface UnadmittedFlow extends SentTraffic {
  /** The index of the source; undefined if the state does not have the source. */
  readonly source: number | undefined;
  /** Empty if the state does not have the destination. */
  readonly targets: readonly Target[];
  readonly isToMachine: boolean;
  /**
   * Whether only the source reported the flow. The source does not know whether the flow was
   * refused.
   */
  readonly isAttempt: boolean;
}

const NOTHING: PossibleUse = { rules: [], routes: [] };

/** A flow with its source and the machines that reported it, by their indexes in a state. */
export interface LocatedFlow extends SentTraffic {
  /** Undefined if the state does not have it. */
  readonly source: number | undefined;
  readonly reporters: readonly number[];
}

/** What may have carried flows by name, whatever else admits them. Nothing shows to which addresses a domain leads. */
export interface DomainUse {
  readonly hasDomains: boolean;
  /** The domains that a machine which reported the flow routes; its source does not count. */
  readonly reportedDomains: (flow: LocatedFlow) => readonly RoutedTarget[];
  /** The accept rules and routes to these domains that the flow may have used, `by` its source or by anyone. */
  readonly useOf: (flow: LocatedFlow, by: 'source' | 'anyone') => PossibleUse;
  /** Whether one of these machines routes a target. */
  readonly isRoutedBy: (target: RoutedTarget, machines: readonly number[]) => boolean;
}

/** The use of the domains of a world. */
export function domainUseIn(world: World): DomainUse {
  const routersOf = new Map<RoutedTarget, ReadonlySet<number>>();
  const isRoutedBy = (target: RoutedTarget, machines: readonly number[]): boolean => {
    const routers = routersOf.get(target) ?? routersTo(world, target);
    routersOf.set(target, routers);
    return machines.some(one => routers.has(one));
  };
  const domains = routedTargets(world).filter(({ address }) => rangeOf(address) === null);
  const reportedDomains = ({ source, reporters }: LocatedFlow): readonly RoutedTarget[] => {
    const others = reporters.filter(one => one !== source);
    return domains.filter(target => isRoutedBy(target, others));
  };
  const active = activeRules(world);
  const useOf = (flow: LocatedFlow, by: 'source' | 'anyone'): PossibleUse => {
    const reported = reportedDomains(flow);
    if (reported.length === 0) return NOTHING;
    const source = by === 'source' ? flow.source : undefined;
    const routes = reported.flatMap(target => target.routes);
    const behind = policiesBehind(world, reported, routes);
    const carries = carrying(flow);
    const isFrom = (sources: Bits) => source === undefined || has(sources, source);
    return {
      routes: routes.filter(
        ({ isEnabled, distribution }) => isEnabled && isFrom(world.inGroups(distribution)),
      ),
      rules: active.filter(
        rule => behind.has(rule.policy) && carries(rule) && isFrom(rule.sources),
      ),
    };
  };
  return { hasDomains: domains.length > 0, reportedDomains, useOf, isRoutedBy };
}

function routersTo(world: World, { resources, routes }: RoutedTarget): ReadonlySet<number> {
  const networks = new Set(resources.map(({ network }) => network));
  const own = new Set(routes);
  const served = servedRoutes(world).filter(({ route }) => own.has(route));
  const ofNetworks = [...networks].flatMap(network => routingOf(world, network).servers);
  return new Set(ofNetworks.concat(served.flatMap(({ servers }) => servers)));
}

const activeRules = ({ policies }: World): readonly CompiledRule[] =>
  policies.flatMap(({ rules }) => rules.filter(({ isActive, rule }) => isActive && !rule.isDrop));

/**
 * Returns what a flow may have used although nothing admits it: the accept rules for its traffic
 * with its source or destination or, if the state has neither, with any. If a machine other than
 * the source reported the flow, all accept rules between source and destination count too. Routes
 * to the destination come with the rules along which they are distributed.
 */
export function possibleUseIn(world: World): (flow: UnadmittedFlow) => PossibleUse {
  const active = activeRules(world);
  return flow => {
    const { source, isAttempt } = flow;
    if (source !== undefined && flow.targets.length > 0 && isAttempt) return NOTHING;
    const ends = endsOf(world, flow);
    const routes = ends.routes.filter(route => isPossibleRoute(world, route, flow));
    const distributes = distributionBy(world, routes);
    const carries = carrying(flow);
    return {
      routes,
      rules: active.filter(
        rule =>
          (carries(rule) && isAtAnEnd(rule, ends)) ||
          (!isAttempt && ends.isBetween(rule)) ||
          distributes(rule),
      ),
    };
  };
}

/** The source and destination of a flow in a state, and the rules for them. */
interface Ends {
  /** Whether a rule applies to the source; undefined if the state does not have the source. */
  readonly isNear: ((rule: CompiledRule) => boolean) | undefined;
  readonly isFar: ((rule: CompiledRule) => boolean) | undefined;
  /**
   * Whether a rule connects source and destination. If the destination is unknown, it may be
   * anything behind routing machines.
   */
  readonly isBetween: (rule: CompiledRule) => boolean;
  /** The routes that lead to the destination. */
  readonly routes: readonly Route[];
}

function endsOf(world: World, { source, targets, isToMachine }: UnadmittedFlow): Ends {
  const machines = targets.flatMap(one => (one.type === 'machine' ? one.index : []));
  const known = targets.flatMap(one => (one.type === 'machine' ? [] : one));
  const isAnywhere = targets.length === 0 && !isToMachine;
  const routed = isAnywhere ? routedTargets(world) : known;
  const routes = [...new Set(routed.flatMap(target => target.routes))];
  const behind = policiesBehind(world, routed, routes);
  const isFar = (rule: CompiledRule) =>
    behind.has(rule.policy) || machines.some(machine => leadsTo(rule, machine));
  return {
    routes,
    isNear: source === undefined ? undefined : rule => leadsFrom(rule, source),
    isFar: targets.length === 0 ? undefined : isFar,
    isBetween: rule =>
      source !== undefined &&
      ((behind.has(rule.policy) && has(rule.sources, source)) ||
        machines.some(machine => isBetween(rule, source, machine))),
  };
}

function isAtAnEnd(rule: CompiledRule, { isNear, isFar }: Ends): boolean {
  if (isNear === undefined && isFar === undefined) return true;
  return isNear?.(rule) === true || isFar?.(rule) === true;
}

const leadsFrom = ({ rule, sources, destinations }: CompiledRule, machine: number): boolean =>
  has(sources, machine) || (rule.isBidirectional && has(destinations, machine));

const leadsTo = ({ rule, sources, destinations }: CompiledRule, machine: number): boolean =>
  has(destinations, machine) || (rule.isBidirectional && has(sources, machine));

// In either direction: a log may show the reply to a flow as a flow.
const isBetween = (
  { sources, destinations }: CompiledRule,
  source: number,
  machine: number,
): boolean =>
  (has(sources, source) && has(destinations, machine)) ||
  (has(destinations, source) && has(sources, machine));

function carrying(flow: SentTraffic): (rule: CompiledRule) => boolean {
  const sent: Traffic = meantPorts(flow.protocol, flow.port).map(port =>
    trafficOf({ ...flow, port }),
  );
  const isOther = isOtherProtocol(flow);
  return ({ rule, traffic }) => (!isOther || rule.protocol === 'all') && overlap(traffic, sent);
}

// If the destination is known, the source may have been in a distribution group for a short time.
// Otherwise, a source in the state must be in one.
const isPossibleRoute = (
  world: World,
  { isEnabled, distribution }: Route,
  { source, targets }: UnadmittedFlow,
): boolean =>
  isEnabled &&
  (source === undefined || targets.length > 0 || has(world.inGroups(distribution), source));

function policiesBehind(
  world: World,
  routed: readonly RoutedTarget[],
  routes: readonly Route[],
): ReadonlySet<Policy> {
  const ofResources = routed.flatMap(({ resources }) =>
    resources.flatMap(({ resource }) => world.resourcePolicies(resource)),
  );
  const ofRoutes = routes.flatMap(route => controllingPolicies(world, route));
  return new Set([...ofResources, ...ofRoutes].map(({ policy }) => policy));
}

// Returns whether a rule distributes routes. A machine receives a route if a rule connects it with
// a routing machine.
function distributionBy(world: World, routes: readonly Route[]): (rule: CompiledRule) => boolean {
  if (routes.length === 0) return () => false;
  const wanted = new Set(routes);
  const served = servedRoutes(world).filter(({ route }) => wanted.has(route));
  return rule => served.some(one => connects(rule, one));
}

const connects = (
  { sources, destinations }: CompiledRule,
  { serving, distribution }: ServedRoute,
): boolean =>
  (intersect(sources, distribution) && intersect(destinations, serving)) ||
  (intersect(destinations, distribution) && intersect(sources, serving));
