// The rules and open routes that admit flows in one state, as `access from … to …` shows them.
import type { AccountReach } from '../accountReach.ts';
import { type Reaches, reachesIn } from '../flows/reaches.ts';
import { type MachineTarget, type RoutedTarget, rowAt, type Target } from '../flows/targets.ts';
import type { Delivery } from '../routed/delivery.ts';
import { type Bits, has } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { ALL_TRAFFIC, type Interval, type Traffic } from '../sets/traffic.ts';
import type { AccessState, Route } from '../state/accessState.ts';
import { rangeOf } from '../world/address.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { Reading } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { type Destinations, destinationsIn, type FlowEnd, flowEndText } from './flowEnds.ts';
import { isOtherProtocol, type SentTraffic, trafficOf } from './flowTraffic.ts';
import { domainUseIn, type LocatedFlow, type PossibleUse, possibleUseIn } from './possibleUse.ts';
import { meantPorts } from './sshPorts.ts';

/** A flow from a source to a destination. */
export interface AskedFlow extends SentTraffic {
  readonly source: FlowEnd;
  readonly destination: FlowEnd;
}

/** A flow, and the ids of the machines that reported it. */
export interface ReportedFlow extends AskedFlow {
  readonly reporters: readonly string[];
}

/** A text that identifies a flow, whichever machine reports it. */
export const flowText = ({ source, destination, protocol, port }: AskedFlow): string =>
  `${flowEndText(source)}|${flowEndText(destination)}|${protocol}|${port}`;

/** A rule, or a route that is open to all, that admits a flow. */
export interface Admission {
  readonly compiled?: CompiledRule;
  readonly openRoute?: Route;
  readonly isReverse: boolean;
  /** The targets to which the rule or route admits the flow. */
  readonly targets: readonly Target[];
}

/** A route that brought a flow to a target, and the rules of its access control that admit the flow. */
export interface Carriage {
  readonly route: Route;
  readonly rules: readonly CompiledRule[];
}

/** The rules and routes that admit a flow. */
export interface Admitted {
  /** The index of the source; undefined if the state has no such machine. */
  readonly source: number | undefined;
  readonly isDestinationKnown: boolean;
  readonly admissions: readonly Admission[];
  readonly carriages: readonly Carriage[];
  /** Whether the flow is admitted only if a posture check passes that fails by the known facts. */
  readonly isAgainstPosture: boolean;
  /** Whether the flow is admitted only if a router translates between IPv6 and IPv4. */
  readonly isTranslated: boolean;
  /** Whether only ranges of all addresses admit the flow, as of exit nodes: they lead to the internet, not to what is behind others. */
  readonly isThroughExit: boolean;
}

/**
 * Whether a change stops a flow. A flow over IPv4 does not continue over IPv6 if nothing shows that
 * a router translates. A flow to a narrower range does not continue through an exit node.
 */
export const isStopped = (before: Admitted, after: Admitted): boolean =>
  before.admissions.length > 0 &&
  (after.admissions.length === 0 ||
    (after.isTranslated && !before.isTranslated) ||
    (after.isThroughExit && !before.isThroughExit));

/** Finds the rules and routes that admit flows in one state. */
export interface Admissions {
  readonly world: World;
  readonly admissionsOf: (flow: AskedFlow) => Admitted;
  /** The targets of a destination; empty if the state does not have it. */
  readonly targetsOf: (destination: FlowEnd) => readonly Target[];
  /** Whether a flow is admitted whatever the unknown results of posture checks are. */
  readonly isCertain: (flow: AskedFlow) => boolean;
  /**
   * The rules and routes that a flow may have used although nothing admits it. `isAttempt`: whether
   * only the source reported the flow.
   */
  readonly possibleUseOf: (flow: AskedFlow, isAttempt: boolean) => PossibleUse;
  /** The domains to which a flow may have gone by name, because one of its reporters routes them. */
  readonly domainsOf: (flow: ReportedFlow) => readonly RoutedTarget[];
  /** The rules and routes to these domains that it may have used, `by` its source, or by anyone if nothing shows its source's groups. */
  readonly domainUseOf: (flow: ReportedFlow, by: 'source' | 'anyone') => PossibleUse;
  /** Whether one of the reporters of a flow, but not its source, routes a target. */
  readonly isReportedAt: (target: RoutedTarget, flow: ReportedFlow) => boolean;
}

// Access that a check denies by the known facts of a machine counts only if nothing else explains a
// flow, because the facts may have changed since the flow.
const READINGS: readonly Reading[] = ['possible', 'granted'];

const positionIn = ({ positions }: World, id: string): number | undefined =>
  positions.machine.get(`id:${id}`);

const NO_USE: PossibleUse = { rules: [], routes: [] };

/** The admissions of a state, or of a state that the caller has already compiled. */
export function admissionsIn(given: AccessState | Reaches): Admissions {
  const reaches = 'under' in given ? given : reachesIn(given);
  const { world } = reaches;
  const destinationsOf = destinationsIn(world);
  const readings = reaches.hasPosture ? READINGS : READINGS.slice(0, 1);
  const gates = readings.map(reading => gatesIn(reaches.under(reading)));
  const sourceOf = sourceIn(world);
  const possibleUseOf = possibleUseIn(world);
  return {
    world,
    ...domainsIn(world, destinationsOf),
    isCertain: flow => {
      const source = sourceOf(flow);
      const certain = reaches.under('certain');
      const { targets } = destinationsOf(flow.destination);
      return (
        source !== undefined &&
        targets.some(target =>
          trafficsTo(target, flow).some(traffic => admits(rowAt(certain, target), source, traffic)),
        )
      );
    },
    targetsOf: destination => destinationsOf(destination).targets,
    possibleUseOf: ({ destination, protocol, port, ...flow }, isAttempt) =>
      possibleUseOf({
        source: sourceOf(flow),
        targets: destinationsOf(destination).targets,
        isToMachine: destination.type === 'machine',
        protocol,
        port,
        isAttempt,
      }),
    admissionsOf: flow => {
      const source = sourceOf(flow);
      const { targets, translating } = destinationsOf(flow.destination);
      const isDestinationKnown = targets.length > 0;
      const nothing = {
        source,
        isDestinationKnown,
        isAgainstPosture: false,
        isTranslated: false,
        isThroughExit: false,
      };
      if (source !== undefined)
        for (const [at, gateAt] of gates.entries()) {
          const found = through(targets.map(gateAt), source, flow);
          if (found.admissions.length > 0)
            return {
              ...nothing,
              ...found,
              isAgainstPosture: at > 0,
              isTranslated: isByTranslation(found, translating),
              isThroughExit: isByExit(found),
            };
        }
      return { ...nothing, admissions: [], carriages: [] };
    },
  };
}

const sourceIn =
  (world: World) =>
  ({ source: end }: Pick<AskedFlow, 'source'>): number | undefined =>
    end.type === 'machine' ? positionIn(world, end.id) : undefined;

// A routing machine reports what it routes for the network resource that the server names. So only another machine shows that a flow
// to a resource went by name.
function domainsIn(
  world: World,
  destinationsOf: (end: FlowEnd) => Destinations,
): Pick<Admissions, 'domainsOf' | 'domainUseOf' | 'isReportedAt'> {
  const { hasDomains, reportedDomains, useOf, isRoutedBy } = domainUseIn(world);
  const sourceOf = sourceIn(world);
  const located = (flow: ReportedFlow): LocatedFlow => {
    const { destination, protocol, port } = flow;
    const reporters = flow.reporters.flatMap(id => positionIn(world, id) ?? []);
    const { targets } = destinationsOf(destination);
    const shows = (machine: number): boolean =>
      destination.type === 'address' ||
      !targets.some(target => target.type !== 'machine' && isRoutedBy(target, [machine]));
    const source = sourceOf(flow);
    return { source, protocol, port, reporters: reporters.filter(shows) };
  };
  const mayBeNamed = ({ destination }: AskedFlow): boolean =>
    hasDomains && destination.type !== 'machine';
  return {
    domainsOf: flow => (mayBeNamed(flow) ? reportedDomains(located(flow)) : []),
    domainUseOf: (flow, by) => (mayBeNamed(flow) ? useOf(located(flow), by) : NO_USE),
    isReportedAt: (target, flow) => {
      const { source, reporters } = located(flow);
      return isRoutedBy(
        target,
        reporters.filter(one => one !== source),
      );
    },
  };
}

const isByTranslation = (
  { admissions }: Pick<Admitted, 'admissions'>,
  translating: ReadonlySet<Target>,
): boolean =>
  translating.size > 0 &&
  admissions.every(({ targets }) => targets.every(target => translating.has(target)));

const isByExit = ({ admissions }: Pick<Admitted, 'admissions'>): boolean =>
  admissions.every(({ targets }) => targets.every(isExit));

const isExit = (target: Target): boolean =>
  target.type !== 'machine' && rangeOf(target.served)?.length === 0;

/** The rows and rules of a target that decide which flows it admits. */
interface Gate {
  readonly target: Target;
  readonly row: Row;
  /** The rules and open routes that admit some of this traffic. */
  readonly at: (traffic: Interval) => readonly Opening[];
}

/** A rule or an open route at a target. */
interface Opening {
  /** The admitted traffic; undefined if the opening admits all traffic of all sources. */
  readonly traffic: Traffic | undefined;
  readonly sources: Bits | undefined;
  readonly admission: Admission;
  /** The delivery that brings the traffic to the routing machine; absent if the target is a machine. */
  readonly delivery?: Delivery;
  /**
   * Whether the opening belongs to the object of the delivery, and not to a different object with
   * the same address.
   */
  readonly isOfDelivery: boolean;
}

function gatesIn(reach: AccountReach): (target: Target) => Gate {
  const known = new Map<string | number, Gate>();
  return target => {
    const name = target.type === 'machine' ? target.index : target.id;
    const gate = known.get(name) ?? gateAt(reach, target);
    known.set(name, gate);
    return gate;
  };
}

function gateAt(reach: AccountReach, target: Target): Gate {
  const openings =
    target.type === 'machine' ? machineOpenings(reach, target) : routedOpenings(reach, target);
  const known = new Map<string, readonly Opening[]>();
  return {
    target,
    row: rowAt(reach, target),
    at: traffic => {
      const name = `${traffic.from} ${traffic.to}`;
      const found = known.get(name) ?? openings.filter(one => touches(one.traffic, traffic));
      known.set(name, found);
      return found;
    },
  };
}

const touches = (traffic: Traffic = ALL_TRAFFIC, { from, to }: Interval): boolean =>
  traffic.some(one => one.from <= to && one.to >= from);

function machineOpenings({ machines }: AccountReach, target: MachineTarget): readonly Opening[] {
  const targets = [target];
  return machines
    .inboundAt(target.index)
    .filter(({ entry }) => !entry.isDrop)
    .map(({ compiled, isReverse, entry: { traffic, sources } }) => ({
      traffic,
      sources,
      admission: { compiled, isReverse, targets },
      isOfDelivery: false,
    }));
}

// A routing machine applies all its rules for an address, for whichever resource or route the
// traffic is.
function routedOpenings(reach: AccountReach, target: RoutedTarget): readonly Opening[] {
  return reach
    .deliveriesOf(target.id)
    .flatMap(delivery =>
      reach
        .deliveriesThrough(delivery.router, delivery.address)
        .flatMap(passage => openingsOf(passage, delivery, target)),
    );
}

function openingsOf(
  { what, isOpen, entries }: Delivery,
  delivery: Delivery,
  target: RoutedTarget,
): readonly Opening[] {
  const isOfDelivery =
    what.type === 'route' && delivery.what.type === 'route' && what.route === delivery.what.route;
  const of = { delivery, isOfDelivery } as const;
  const to = { isReverse: false, targets: [target] } as const;
  const open: readonly Opening[] =
    isOpen && what.type === 'route'
      ? [
          {
            traffic: undefined,
            sources: undefined,
            admission: { openRoute: what.route, ...to },
            ...of,
          },
        ]
      : [];
  const ruled = entries
    .filter(({ entry }) => !entry.isDrop)
    .map(({ compiled, entry: { traffic, sources } }) => ({
      traffic,
      sources,
      admission: { compiled, ...to },
      ...of,
    }));
  return [...open, ...ruled];
}

/** The admissions and carriages of a flow at the gates of all its targets. */
function through(
  gates: readonly Gate[],
  source: number,
  flow: AskedFlow,
): Pick<Admitted, 'admissions' | 'carriages'> {
  const openings: Opening[] = [];
  for (const { target, row, at } of gates)
    for (const traffic of trafficsTo(target, flow))
      if (admits(row, source, traffic))
        for (const opening of at(traffic)) if (isFor(opening, source, flow)) openings.push(opening);
  const isRouted = openings.some(({ delivery }) => delivery !== undefined);
  // At a machine, each rule has a separate opening for each direction.
  const isPlain =
    !isRouted && gates.length === 1 && meantPorts(flow.protocol, flow.port).length === 1;
  return {
    admissions: isPlain ? openings.map(({ admission }) => admission) : merged(openings),
    carriages: isRouted ? carriagesOf(openings) : [],
  };
}

const trafficsTo = ({ type }: Target, flow: AskedFlow): readonly Interval[] =>
  type === 'machine'
    ? meantPorts(flow.protocol, flow.port).map(port => trafficOf({ ...flow, port }))
    : [trafficOf(flow)];

const admissionText = ({ compiled, isReverse, openRoute }: Admission): string =>
  `${compiled?.number} ${isReverse} ${openRoute?.key}`;

function merged(openings: readonly Opening[]): readonly Admission[] {
  const admissions = openings.map(({ admission }) => admission);
  return [...Map.groupBy(admissions, admissionText).values()].flatMap(same => {
    const [first] = same;
    const targets = new Set(same.flatMap(one => one.targets));
    if (first === undefined) return [];
    return targets.size === first.targets.length ? first : { ...first, targets: [...targets] };
  });
}

function carriagesOf(openings: readonly Opening[]): readonly Carriage[] {
  const carriages = new Map<Route, Set<CompiledRule>>();
  for (const { delivery, admission, isOfDelivery } of openings) {
    if (delivery?.what.type !== 'route') continue;
    const { route } = delivery.what;
    const rules = carriages.get(route) ?? new Set();
    carriages.set(route, rules);
    if (admission.compiled && isOfDelivery) rules.add(admission.compiled);
  }
  return [...carriages].map(([route, rules]) => ({ route, rules: [...rules] }));
}

const admits = (row: Row, source: number, { from, to }: Interval): boolean =>
  row.some(one => one.from <= to && one.to >= from && has(one.sources, source));

function isFor(
  { sources, admission: { compiled, openRoute }, delivery }: Opening,
  source: number,
  flow: AskedFlow,
): boolean {
  if (delivery && !has(delivery.receivers, source)) return false;
  // A routing machine is not a source of its own open route.
  if (openRoute) return delivery?.router !== source;
  if (sources && !has(sources, source)) return false;
  return compiled?.rule.protocol === 'all' || !isOtherProtocol(flow);
}
