// Converts objects in name space to the state of the account.
import type { AccessState, Group, Machine, Part } from './accessState.ts';
import { blockedUserOf, enrolmentOf, groupOf } from './groups.ts';
import { internetPortsOf } from './internetPorts.ts';
import { withEndedLogins } from './logins.ts';
import { machineOf } from './machines.ts';
import { networkOf, routeOf } from './networks.ts';
import { policyOf, postureCheckOf } from './policies.ts';
import { SERVICE } from './services.ts';
import { namedBy, type StateObject, textIn, textsIn } from './stateObject.ts';
import { zoneOf } from './zones.ts';

/**
 * The state with these objects. Objects of kinds that do not affect access are ignored. `unread`:
 * the parts of a live account that could not be read; absent if the objects come from files.
 */
export function stateOf(
  objects: readonly StateObject[],
  unread?: ReadonlyMap<Part, string>,
): AccessState {
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  const of = (kind: string) => byKind.get(kind) ?? [];
  const peers = of('peer');
  const blockedUsers = of('user').flatMap(blockedUserOf);
  return {
    machines: withEndedLogins(peers.map(machineOf), blockedUsers),
    groups: withDeclaredMembers(of('group').map(groupOf), peers),
    enrolments: [...of('setup_key'), ...of('user'), ...invited(of)].flatMap(enrolmentOf),
    blockedUsers,
    policies: of('policy').map(policyOf),
    checks: of('posture_check').map(postureCheckOf),
    networks: networksOf(of('network'), of('network_resource'), of('network_router')),
    routes: of('route').map(routeOf),
    zones: zonesOf(of('dns_zone'), of('dns_record')),
    internetPorts: internetPortsOf(of, unread !== undefined && !unread.has('ingress_ports')),
    services: of(SERVICE).map(namedBy),
    ...overlayOf(of('account_settings')),
    unread: unread ?? NONE,
  };
}

function overlayOf([settings]: readonly StateObject[]): Pick<AccessState, 'overlay'> {
  if (settings === undefined) return {};
  const { fields } = settings;
  const overlay = {
    range: textIn(fields, 'network_range'),
    ipv6Range: textIn(fields, 'network_range_v6'),
    ipv6Groups: textsIn(fields, 'ipv6_enabled_groups'),
  };
  return { overlay };
}

// The users that invitations will create. A user who accepts an invitation gets the name in the invitation, unless another user
// has it.
function invited(of: (kind: string) => readonly StateObject[]): readonly StateObject[] {
  const users = new Set(of('user').map(({ key }) => key));
  return of('user_invite').filter(({ key }) => !users.has(key));
}

const NONE: ReadonlyMap<Part, string> = new Map();

/** A machine about which only the key is known. */
export function unseenMachine(key: string): Machine {
  return { key, facts: {}, awaitsApproval: false, isLoginExpired: false, isEphemeral: false };
}

function networksOf(
  networks: readonly StateObject[],
  resources: readonly StateObject[],
  routers: readonly StateObject[],
): AccessState['networks'] {
  const resourcesIn = Map.groupBy(resources, ({ parent }) => parent);
  const routersIn = Map.groupBy(routers, ({ parent }) => parent);
  return networks.map(network =>
    networkOf(network, resourcesIn.get(network.key) ?? [], routersIn.get(network.key) ?? []),
  );
}

function zonesOf(
  zones: readonly StateObject[],
  records: readonly StateObject[],
): AccessState['zones'] {
  const recordsIn = Map.groupBy(records, ({ parent }) => parent);
  return zones.map(zone => zoneOf(zone, recordsIn.get(zone.key) ?? []));
}

// Adds the members of groups that files declare on the machine instead of on the group.
function withDeclaredMembers(
  groups: readonly Group[],
  peers: readonly StateObject[],
): readonly Group[] {
  const declared = new Map<string, string[]>();
  for (const { key, fields } of peers) {
    for (const group of textsIn(fields, 'groups')) {
      const machines = declared.get(group);
      if (machines) machines.push(key);
      else declared.set(group, [key]);
    }
  }
  return groups.map(group => {
    const machines = declared.get(group.key);
    return machines
      ? { ...group, machines: [...new Set([...group.machines, ...machines])] }
      : group;
  });
}
