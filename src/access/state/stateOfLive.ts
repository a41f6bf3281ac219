// Converts the engine's live objects to the state.
import type { KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { AccessState, Part } from './accessState.ts';
import { INTERNET_KINDS } from './internetPorts.ts';
import { SERVICE } from './services.ts';
import type { StateObject } from './stateObject.ts';
import { stateOf } from './stateOf.ts';
import { NAME_KINDS } from './zones.ts';

/** The state of a live account. `unavailable`: the kinds whose lists could not be read, and why. */
export function stateOfLive(
  live: readonly Live[],
  unavailable: ReadonlyMap<KindName, string>,
): AccessState {
  return stateOf(objectsOfLive(live), unreadParts(unavailable));
}

/** Live objects as objects of the state. */
function objectsOfLive(live: readonly Live[]): readonly StateObject[] {
  const parents = live.filter(({ kind }) => PARENTS.has(kind));
  const keys = new Map(parents.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  return live.map(({ kind, key, id, parentId, fields, serverFields }) => {
    const parent = parentId === undefined ? undefined : keys.get(`${PARENT_OF[kind]} ${parentId}`);
    const object = { kind, key, id, fields, serverFields };
    return parent === undefined ? object : { ...object, parent };
  });
}

const PARENT_OF: Readonly<Record<string, string>> = {
  network_resource: 'network',
  network_router: 'network',
  dns_record: 'dns_zone',
  ingress_port_allocation: 'peer',
};
const PARENTS: ReadonlySet<string> = new Set(Object.values(PARENT_OF));

const PART_OF_KIND: Readonly<Record<string, Part>> = {
  peer: 'peers',
  group: 'groups',
  user: 'users',
  setup_key: 'setup_keys',
  policy: 'policies',
  posture_check: 'posture_checks',
  network: 'networks',
  network_resource: 'networks',
  network_router: 'networks',
  route: 'routes',
  proxy_service: 'proxy_services',
};

/**
 * The kinds on which access depends, except kinds whose objects open ports to the internet, because
 * these are not read for every machine.
 */
export const ACCESS_KINDS: ReadonlySet<string> = new Set(Object.keys(PART_OF_KIND));

/**
 * The kind of invitations. When a user accepts an invitation, the machines of the user join groups.
 * A server that does not manage users itself has no invitations.
 */
export const INVITE_KINDS: ReadonlySet<string> = new Set(['user_invite']);

/** All kinds from which a state is computed. */
export const STATE_KINDS: ReadonlySet<string> = ACCESS_KINDS.union(INTERNET_KINDS)
  .union(NAME_KINDS)
  .union(INVITE_KINDS);

/** Kinds that affect the same lists of a state, and how these lists are computed. */
export interface Family {
  readonly kinds: ReadonlySet<string>;
  readonly lists: (state: AccessState) => Partial<AccessState>;
  /** The list, if each item comes from one object and its nested objects. */
  readonly nested?: 'policies' | 'checks' | 'networks' | 'routes' | 'zones';
}

const FAMILIES: readonly Family[] = [
  // When a user changes, the server may also move machines between groups and end the logins on
  // machines.
  {
    kinds: new Set(['peer', 'group', 'user', 'user_invite', 'setup_key']),
    lists: ({ machines, groups, enrolments, blockedUsers }) => ({
      machines,
      groups,
      enrolments,
      blockedUsers,
    }),
  },
  { kinds: new Set(['policy']), lists: ({ policies }) => ({ policies }), nested: 'policies' },
  { kinds: new Set(['posture_check']), lists: ({ checks }) => ({ checks }), nested: 'checks' },
  {
    kinds: new Set(['network', 'network_resource', 'network_router']),
    lists: ({ networks }) => ({ networks }),
    nested: 'networks',
  },
  { kinds: new Set(['route']), lists: ({ routes }) => ({ routes }), nested: 'routes' },
  { kinds: NAME_KINDS, lists: ({ zones }) => ({ zones }), nested: 'zones' },
  {
    kinds: INTERNET_KINDS.union(new Set([SERVICE])),
    lists: ({ internetPorts, services }) => ({ internetPorts, services }),
  },
];

/** The kinds and lists that must be read again if an object of a kind changes. */
export function familyOf(kind: string): Family {
  return FAMILIES.find(({ kinds }) => kinds.has(kind)) ?? { kinds: new Set(), lists: () => ({}) };
}

/** The parts of the state that cannot be computed without the lists of these kinds. */
export function unreadParts(unavailable: ReadonlyMap<KindName, string>): ReadonlyMap<Part, string> {
  const parts = [...unavailable].flatMap(([kind, reason]) => {
    const part = partOf(kind);
    return part === undefined ? [] : [[part, reason] as const];
  });
  return new Map(parts);
}

function partOf(kind: string): Part | undefined {
  if (INTERNET_KINDS.has(kind)) return 'ingress_ports';
  return NAME_KINDS.has(kind) ? 'dns_zones' : PART_OF_KIND[kind];
}
