// Ports that are open to the internet or to other outsiders, as rules. The only source of such a
// rule is the internet or these outsiders. The internet stands for all clients that are neither a
// machine nor a user of the account. It is in no group, so no rule of a policy accepts or drops its
// traffic.
import { bitsOf } from '../sets/bits.ts';
import { joinedIntervals, portsOf, SPAN, type Traffic } from '../sets/traffic.ts';
import type {
  AccessState,
  InternetPort,
  Outsiders,
  Policy,
  Resource,
  Rule,
} from '../state/accessState.ts';
import { distanceWithin, haveCommonAddresses } from './address.ts';
import type { CompiledPolicy } from './compiledPolicies.ts';
import { existingGroups } from './existingGroups.ts';
import { machinesAt } from './machinesAt.ts';
import { leadsIn } from './nameTargets.ts';
import type { Provider } from './replies.ts';
import { namesOf } from './roster.ts';

/** The parts of an account state on which the rules for its open ports depend. */
interface Members {
  readonly machineOf: (key: string) => number | undefined;
  /** Whether no machine can be one of these outsiders. */
  readonly areNobody: (to: Outsiders) => boolean;
  /** Returns the index of outsiders by their name. */
  readonly outsider: (name: string) => number | undefined;
  /** The first number that is free for a rule in the compiled state. */
  readonly number: number;
}

/**
 * The rules for the open ports of a state. They are separate from the rules of policies, because
 * rules of policies also affect network resources and routes.
 */
export function internetRules(
  state: AccessState,
  { machineOf, outsider, areNobody, number }: Members,
): readonly CompiledPolicy[] {
  const ports = state.internetPorts.flatMap(port => [port, ...elsewhere(port, state)]);
  return ports.flatMap((port, at) => {
    const source = outsider(port.to.name);
    const machine = machineOf(port.machine);
    if (source === undefined || (machine === undefined && port.resource === undefined)) return [];
    if (isForNobody(port, state) || areNobody(port.to)) return [];
    const policy = policyFor(port);
    const traffic = trafficOf(port);
    const [rule] = policy.rules;
    const rules = rule && {
      number: number + at,
      policy,
      rule,
      isActive: true,
      internetPort: port,
      sources: bitsOf([source]),
      destinations: bitsOf(machine === undefined ? [] : [machine]),
      traffic,
      trafficOfOldAgents: traffic,
    };
    return rules ? [{ policy, rules: [rules] }] : [];
  });
}

// Whether a port admits nobody. A service whose groups are all deleted admits nobody. A service
// without groups is different.
function isForNobody({ to }: InternetPort, state: AccessState): boolean {
  const { groups = [] } = to;
  return groups.length > 0 && existingGroups(groups, state).length === 0;
}

// The other objects that a port opens. A caller that reaches a host through a network resource also
// reaches other objects with the address of the host, inside or outside the resource: the machine
// with this overlay address, and network resources. If the host is a name, the caller reaches the
// places to which the name resolves.
function elsewhere(port: InternetPort, state: AccessState): readonly InternetPort[] {
  const { host, key, id, by } = port;
  if (host === undefined) return [];
  const leads = leadsIn(state);
  const { places, providers } = leads(host);
  const called = [host, ...places];
  const { resource: _, ...rest } = port;
  const alike = (
    place: string,
    where: Pick<InternetPort, 'machine' | 'resource'>,
    along: readonly Provider[] = [],
  ) => ({
    ...rest,
    ...where,
    key: `${key} ${place}`,
    ...(id !== undefined && { id: `${id} ${place}` }),
    by: [...by, ...providers.map(byPartaker), ...along.map(byPartaker)],
  });
  return [
    ...resourcesAt(called, port, state).map(one =>
      alike(
        `network_resource ${one.key}`,
        { machine: '', resource: one.key },
        leads(one.address).providers,
      ),
    ),
    ...machinesAt(state.machines)(called).map(one =>
      alike(`peer ${one.key}`, { machine: one.key }),
    ),
  ];
}

// The network resources at some places that a port calls through its own network resource. A
// resource that contains all addresses of the port's own resource is left out, because it adds
// nothing.
function resourcesAt(
  called: readonly string[],
  { resource: own }: InternetPort,
  state: AccessState,
): readonly Resource[] {
  const leads = leadsIn(state);
  const placesOf = ({ address }: Resource) => [address, ...leads(address).places];
  const resources = state.networks.flatMap(network => network.resources);
  const within = resources.filter(one => namesOf(one).includes(own ?? '')).flatMap(placesOf);
  const outside = called.filter(
    place => !within.some(address => haveCommonAddresses(place, address)),
  );
  return resources.filter(one => {
    const places = placesOf(one);
    const isAmong = (some: readonly string[]) =>
      some.some(place => places.some(address => haveCommonAddresses(place, address)));
    const isWider = within.some(address =>
      places.some(place => distanceWithin(address, place) !== undefined),
    );
    return isAmong(isWider ? outside : called);
  });
}

const byPartaker = ({ kind, object: { key } }: Provider) => ({ kind, key });

function policyFor({ key, id, machine, resource }: InternetPort): Policy {
  const rule: Rule = {
    name: key,
    isEnabled: true,
    isDrop: false,
    isBidirectional: false,
    protocol: 'all',
    ports: [],
    ranges: [],
    source: { type: 'groups', groups: [] },
    destination:
      resource === undefined ? { type: 'machine', machine } : { type: 'resource', resource },
  };
  return {
    key: `port ${key}`,
    ...(id !== undefined && { id: `port ${id}` }),
    isEnabled: true,
    checks: [],
    rules: [rule],
    isTemporary: false,
  };
}

// The traffic of a port. For a direct opening, the server chooses the port, so it may be any port.
function trafficOf({ openings }: InternetPort): Traffic {
  const intervals = openings.flatMap(({ protocol, range }) =>
    range === undefined
      ? [SPAN[protocol]]
      : portsOf(protocol, [{ from: range.start, to: range.end }]),
  );
  return joinedIntervals(intervals.toSorted((one, other) => one.from - other.from));
}
