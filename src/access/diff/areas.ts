// The access that a step may change, whatever steps precede it. It is never underestimated.
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
  /** Who may reach other addresses, and the names by which steps that concern the same addresses are recognised. */
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

/** Whether access of some sources to a target may change. */
export function mayConcern({ between, routed }: Area, sources: Bits, target: Target): boolean {
  if (target.type !== 'machine') return routed.some(field => intersect(sources, field.sources));
  return between.some(
    field => has(field.targets, target.index) && intersect(sources, field.sources),
  );
}

/** Finds the area of a step, from the first and the last world. */
export function areasIn({ first, last }: Frame): (changes: readonly StateChange[]) => Area {
  const ends = [first, last];
  const { size } = first;
  const everyone = allBits(size);
  const hasRouted = ends.some(
    ({ state: { networks, routes } }) =>
      routes.length > 0 || networks.some(({ resources }) => resources.length > 0),
  );
  const awaiting = or(first.awaiting, last.awaiting);
  const serving = everServing(ends);
  const membersOf = (side: Side): Bits =>
    ends.map(world => sideMembers(side, world)).reduce(or, noBits());
  const routed = (sources: Bits, names: ReadonlySet<string> | 'all') =>
    hasRouted ? [{ sources, names }] : [];
  const ofRule = ({ source, destination, isBidirectional }: Rule): Area => {
    const sources = membersOf(source);
    const targets = membersOf(destination);
    // A machine that knows a machine awaiting approval through a rule treats it as a member of its groups in every rule.
    const isTelling = [source, destination].some(
      side => side.type === 'machine' && intersect(membersOf(side), awaiting),
    );
    if (isTelling)
      return {
        between: [{ sources: everyone, targets: everyone }],
        routed: routed(everyone, 'all'),
      };
    const back = isBidirectional ? [{ sources: targets, targets: sources }] : [];
    return {
      between: [{ sources, targets }, ...back],
      routed: routed(or(sources, targets), 'all'),
    };
  };
  const ofPolicies = (policies: readonly (Policy | undefined)[]): Area[] =>
    policies.flatMap(policy => policy?.rules.map(ofRule) ?? []);
  const ofMembers = (members: Bits, isServing: boolean): Area => ({
    between: [
      { sources: members, targets: everyone },
      { sources: everyone, targets: members },
    ],
    routed: routed(isServing || intersect(members, serving) ? everyone : members, 'all'),
  });
  const addresses = (names: readonly string[]): Area => ({
    between: [],
    routed: routed(everyone, new Set(names)),
  });
  // What outsiders may call.
  const anywhere: Area = {
    between: [{ sources: first.internet, targets: everyone }],
    routed: routed(first.internet, 'all'),
  };
  // Whoever joins a group may call what its callers may.
  const byService = ends.some(({ state }) =>
    state.internetPorts.some(({ to }) => to.are === 'users' || to.are === 'machines'),
  )
    ? [anywhere]
    : [];
  const areaOf = (change: StateChange): Area[] => {
    switch (change.type) {
      case 'machine': {
        const index = indexOf(change.is ?? change.was, ends, 'machine');
        return [ofMembers(bitsOf(index), true), ...byService];
      }
      case 'group':
        return [
          ofMembers(movedIn(change, ends), isServer(change.is ?? change.was, ends)),
          ...byService,
        ];
      case 'enrolment': {
        const { by = 'user' } = change.is ?? change.was ?? {};
        const members = bitsOf(indexOf(change.is ?? change.was, ends, by));
        return [ofMembers(members, false), ...byService];
      }
      case 'policy':
        return ofPolicies([change.was, change.is]);
      case 'check': {
        const names = namesOf(change.is ?? change.was ?? { key: '' });
        const policies = ends.flatMap(({ state }) => state.policies);
        return ofPolicies(policies.filter(({ checks }) => checks.some(one => names.includes(one))));
      }
      case 'resource': {
        const at = [change.was, change.is].flatMap(one => (one ? `at ${one.address}` : []));
        return [addresses([`in ${change.network}`, ...at])];
      }
      case 'router': {
        const networks = ends.flatMap(({ state }) => state.networks);
        const served = networks.filter(network => nameOf(network) === change.network);
        const at = served.flatMap(({ resources }) => resources.map(one => `at ${one.address}`));
        return [addresses([`in ${change.network}`, ...at])];
      }
      case 'route': {
        const all = [change.was, change.is].flatMap(one => one?.addresses ?? []);
        return [addresses(['routes', ...all.map(address => `at ${address}`)])];
      }
      case 'zone': {
        const domains = ends.flatMap(({ state }) => domainsIn(state));
        const isCalled = ends.some(({ state }) => state.internetPorts.some(callsByName));
        return [
          ...(domains.length === 0 ? [] : [addresses(domains.map(address => `at ${address}`))]),
          ...(isCalled ? [anywhere] : []),
        ];
      }
      case 'internet': {
        // A host is called wherever it is.
        if ([change.was, change.is].some(port => port?.host !== undefined)) return [anywhere];
        const machines = [change.was, change.is].flatMap(one => (one ? [one.machine] : []));
        const indexes = machines.flatMap(key =>
          ends.flatMap(({ machineOf }) => machineOf(key) ?? []),
        );
        const between = [{ sources: first.internet, targets: bitsOf(indexes) }];
        const resources = [change.was, change.is].flatMap(one => one?.resource ?? []);
        const at = ends.flatMap(({ state }) => addressesOf(state, resources));
        return at.length === 0
          ? [{ between, routed: [] }]
          : [{ between, routed: [] }, addresses(at)];
      }
    }
  };
  return changes => {
    const areas = changes.flatMap(areaOf);
    return {
      between: areas.flatMap(({ between }) => between),
      routed: areas.flatMap(one => one.routed),
    };
  };
}

// Where network resources of these names are.
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

// The future member of a group is added or removed with the group.
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
