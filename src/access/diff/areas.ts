// The access that a step may change, whatever steps were taken before it. The result may contain
// too much access, but never too little.
import type { Target } from '../flows/targets.ts';
import { everyServer } from '../routed/servers.ts';
import { allBits, type Bits, bitsOf, has, intersect, noBits, or, orInto } from '../sets/bits.ts';
import type {
  AccessState,
  Group,
  Policy,
  Route,
  Router,
  Rule,
  Servers,
  Side,
} from '../state/accessState.ts';
import { callsByName, domainsIn } from '../state/zones.ts';
import { namesOf } from '../world/roster.ts';
import type { Frame, World } from '../world/world.ts';
import { nameOf, type StateChange } from './stateChanges.ts';

/** Sources and targets between which access may change. */
interface Field {
  readonly sources: Bits;
  readonly targets: Bits;
}

export interface Area {
  readonly between: readonly Field[];
  /**
   * The sources that may reach other addresses. The names show whether two steps concern the same
   * addresses.
   */
  readonly routed: readonly {
    readonly sources: Bits;
    readonly names: ReadonlySet<string> | 'all';
  }[];
}

/** Whether two steps may change the same access. */
export function overlap(one: Area, other: Area): boolean {
  return (
    one.between.some(({ sources, targets }) =>
      other.between.some(
        field => intersect(sources, field.sources) && intersect(targets, field.targets),
      ),
    ) ||
    one.routed.some(({ sources, names }) =>
      other.routed.some(
        field =>
          (names === 'all' || field.names === 'all' || !names.isDisjointFrom(field.names)) &&
          intersect(sources, field.sources),
      ),
    )
  );
}

/** Whether the access of some sources to a target may change. */
export function mayConcern({ between, routed }: Area, sources: Bits, target: Target): boolean {
  if (target.type !== 'machine') return routed.some(field => intersect(sources, field.sources));
  return between.some(
    field => has(field.targets, target.index) && intersect(sources, field.sources),
  );
}

/**
 * Returns a function that finds the area of a step. The area depends on the first and the last
 * state.
 */
export function areasIn(frame: Frame): (changes: readonly StateChange[]) => Area {
  const ends = endsOf(frame);
  return changes => {
    const areas = changes.flatMap(change => areasOf(change, ends));
    return {
      between: areas.flatMap(({ between }) => between),
      routed: areas.flatMap(one => one.routed),
    };
  };
}

/** The first and the last state, and the facts about them on which areas depend. */
interface AreaContext {
  readonly worlds: readonly World[];
  readonly everyone: Bits;
  /** Outsiders. */
  readonly internet: Bits;
  /** Machines that await approval in the first or the last state. */
  readonly awaiting: Bits;
  /** Machines that route in the first or the last state. */
  readonly serving: Bits;
  readonly hasRouted: boolean;
  /** The area of all access of outsiders. */
  readonly anywhere: Area;
  /** The area for a change of members, if services admit callers by group; otherwise empty. */
  readonly byService: readonly Area[];
  /** The area for a change of network resources, if services call addresses in them; otherwise empty. */
  readonly byHost: readonly Area[];
}

function endsOf({ first, last }: Frame): AreaContext {
  const worlds = [first, last];
  const everyone = allBits(first.size);
  const hasRouted = worlds.some(
    ({ state: { networks, routes } }) =>
      routes.length > 0 || networks.some(({ resources }) => resources.length > 0),
  );
  const anywhere: Area = {
    between: [{ sources: first.internet, targets: everyone }],
    routed: hasRouted ? [{ sources: first.internet, names: 'all' }] : [],
  };
  // If services admit callers by group, a machine that joins a group may call them.
  const isCalledByGroup = worlds.some(({ state }) =>
    state.internetPorts.some(({ to }) => to.are === 'users' || to.are === 'machines'),
  );
  // Which object has the address of a host depends on all network resources together.
  const isCalledByHost = worlds.some(({ state }) =>
    state.internetPorts.some(({ host }) => host !== undefined),
  );
  return {
    worlds,
    everyone,
    internet: first.internet,
    awaiting: or(first.awaiting, last.awaiting),
    serving: everServing(worlds),
    hasRouted,
    anywhere,
    byService: isCalledByGroup ? [anywhere] : [],
    byHost: isCalledByHost ? [anywhere] : [],
  };
}

function areasOf(change: StateChange, ends: AreaContext): readonly Area[] {
  switch (change.type) {
    case 'machine':
      return areasOfMachine(change, ends);
    case 'group':
      return areasOfGroup(change, ends);
    case 'enrolment':
      return areasOfEnrolment(change, ends);
    case 'policy':
      return areasOfPolicies([change.was, change.is], ends);
    case 'check':
      return areasOfCheck(change, ends);
    case 'resource':
      return [areaOfResource(change, ends), ...ends.byHost];
    case 'router':
      return [areaOfRouter(change, ends)];
    case 'route':
      return [areaOfRoute(change, ends)];
    case 'zone':
      return areasOfZones(ends);
    case 'internet':
      return areasOfInternetPort(change, ends);
  }
}

/** A change of one type. */
type ChangeOf<T extends StateChange['type']> = Extract<StateChange, { readonly type: T }>;

function areasOfMachine({ was, is }: ChangeOf<'machine'>, ends: AreaContext): readonly Area[] {
  const index = indexOf(is ?? was, ends.worlds, 'machine');
  return [areaOfMembers(bitsOf(index), { isServing: true }, ends), ...ends.byService];
}

function areasOfGroup(change: ChangeOf<'group'>, ends: AreaContext): readonly Area[] {
  const isServing = isServer(change.is ?? change.was, ends.worlds);
  return [areaOfMembers(movedIn(change, ends.worlds), { isServing }, ends), ...ends.byService];
}

function areasOfEnrolment({ was, is }: ChangeOf<'enrolment'>, ends: AreaContext): readonly Area[] {
  const { by = 'user' } = is ?? was ?? {};
  const members = bitsOf(indexOf(is ?? was, ends.worlds, by));
  return [areaOfMembers(members, { isServing: false }, ends), ...ends.byService];
}

function areaOfMembers(
  members: Bits,
  { isServing }: { readonly isServing: boolean },
  { everyone, serving, hasRouted }: AreaContext,
): Area {
  const sources = isServing || intersect(members, serving) ? everyone : members;
  return {
    between: [
      { sources: members, targets: everyone },
      { sources: everyone, targets: members },
    ],
    routed: hasRouted ? [{ sources, names: 'all' }] : [],
  };
}

const areasOfPolicies = (
  policies: readonly (Policy | undefined)[],
  ends: AreaContext,
): readonly Area[] =>
  policies.flatMap(policy => policy?.rules.map(rule => areaOfRule(rule, ends)) ?? []);

function areaOfRule(
  { source, destination, isBidirectional }: Rule,
  { worlds, everyone, awaiting, hasRouted }: AreaContext,
): Area {
  const membersOf = (side: Side): Bits =>
    worlds.map(world => sideMembers(side, world)).reduce(or, noBits());
  // If a rule makes a machine known that awaits approval, the machines that know it treat it as a
  // member of its groups in every rule.
  const isDistinguishing = [source, destination].some(
    side => side.type === 'machine' && intersect(membersOf(side), awaiting),
  );
  const routedFrom = (sources: Bits): Area['routed'] =>
    hasRouted ? [{ sources, names: 'all' }] : [];
  if (isDistinguishing)
    return {
      between: [{ sources: everyone, targets: everyone }],
      routed: routedFrom(everyone),
    };
  const sources = membersOf(source);
  const targets = membersOf(destination);
  const back = isBidirectional ? [{ sources: targets, targets: sources }] : [];
  return {
    between: [{ sources, targets }, ...back],
    routed: routedFrom(or(sources, targets)),
  };
}

function areasOfCheck({ was, is }: ChangeOf<'check'>, ends: AreaContext): readonly Area[] {
  const names = namesOf(is ?? was ?? { key: '' });
  const policies = ends.worlds.flatMap(({ state }) => state.policies);
  const checked = policies.filter(({ checks }) => checks.some(one => names.includes(one)));
  return areasOfPolicies(checked, ends);
}

function areaOfResource({ network, was, is }: ChangeOf<'resource'>, ends: AreaContext): Area {
  const at = [was, is].flatMap(one => (one ? `at ${one.address}` : []));
  return areaOfAddresses([`in ${network}`, ...at], ends);
}

function areaOfRouter({ network }: ChangeOf<'router'>, ends: AreaContext): Area {
  const networks = ends.worlds.flatMap(({ state }) => state.networks);
  const served = networks.filter(one => nameOf(one) === network);
  const at = served.flatMap(({ resources }) => resources.map(one => `at ${one.address}`));
  return areaOfAddresses([`in ${network}`, ...at], ends);
}

function areaOfRoute({ was, is }: ChangeOf<'route'>, ends: AreaContext): Area {
  const all = [was, is].flatMap(one => one?.addresses ?? []);
  return areaOfAddresses(['routes', ...all.map(address => `at ${address}`)], ends);
}

function areasOfZones(ends: AreaContext): readonly Area[] {
  const { worlds, anywhere } = ends;
  const at = worlds.flatMap(({ state }) => domainsIn(state)).map(address => `at ${address}`);
  const isCalled = worlds.some(({ state }) => state.internetPorts.some(callsByName));
  return [...(at.length === 0 ? [] : [areaOfAddresses(at, ends)]), ...(isCalled ? [anywhere] : [])];
}

function areasOfInternetPort(
  { was, is }: ChangeOf<'internet'>,
  ends: AreaContext,
): readonly Area[] {
  const { worlds, internet, anywhere } = ends;
  const ports = [was, is].filter(port => port !== undefined);
  // A port with a host may lead to any place with the address of the host.
  if (ports.some(({ host }) => host !== undefined)) return [anywhere];
  const machines = ports.flatMap(port =>
    worlds.flatMap(({ machineOf }) => machineOf(port.machine) ?? []),
  );
  const between = [{ sources: internet, targets: bitsOf(machines) }];
  const resources = ports.flatMap(({ resource }) => resource ?? []);
  const at = worlds.flatMap(({ state }) => addressesOf(state, resources));
  return [{ between, routed: [] }, ...(at.length === 0 ? [] : [areaOfAddresses(at, ends)])];
}

const areaOfAddresses = (names: readonly string[], { everyone, hasRouted }: AreaContext): Area => ({
  between: [],
  routed: hasRouted ? [{ sources: everyone, names: new Set(names) }] : [],
});

// The addresses of the network resources with these names.
const addressesOf = ({ networks }: AccessState, names: readonly string[]): readonly string[] =>
  networks
    .flatMap(({ resources }) => resources)
    .filter(resource => namesOf(resource).some(name => names.includes(name)))
    .map(({ address }) => `at ${address}`);

function sideMembers(side: Side, { inGroups, machineOf }: World): Bits {
  if (side.type === 'groups') return inGroups(side.groups);
  const index = side.type === 'machine' ? machineOf(side.machine) : undefined;
  return index === undefined ? noBits() : bitsOf([index]);
}

function indexOf(
  object: { readonly key: string; readonly id?: string } | undefined,
  ends: readonly World[],
  type: 'machine' | 'group' | 'setup_key' | 'user',
): readonly number[] {
  const names = object ? namesOf(object) : [];
  const found = ends.flatMap(({ positions }) => names.map(name => positions[type].get(name)));
  return found.filter(index => index !== undefined);
}

// The future member of a group exists only together with the group.
function movedIn(
  { was, is }: { readonly was?: Group; readonly is?: Group },
  ends: readonly World[],
): Bits {
  const moved = new Set(was?.machines ?? []).symmetricDifference(new Set(is?.machines ?? []));
  const indexes = [...moved].flatMap(key => ends.flatMap(({ machineOf }) => machineOf(key) ?? []));
  const toCome = was && is ? [] : indexOf(is ?? was, ends, 'group');
  return bitsOf([...indexes, ...toCome]);
}

function isServer(group: Group | undefined, ends: readonly World[]): boolean {
  const names = group ? namesOf(group) : [];
  return ends.some(world =>
    serversIn(world).some(({ groups }) => names.some(name => groups.includes(name))),
  );
}

function everServing(ends: readonly World[]): Bits {
  const bits = noBits();
  for (const world of ends)
    for (const servers of serversIn(world)) orInto(bits, everyServer(world, servers));
  return bits;
}

function serversIn({ state: { networks, routes } }: World): readonly Servers[] {
  const all: readonly (Router | Route)[] = [...networks.flatMap(one => one.routers), ...routes];
  return all.map(({ servers }) => servers);
}
