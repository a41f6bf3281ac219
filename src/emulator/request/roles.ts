// The rights of each role (docs/server-behaviour.md#roles). The rights for the modules of the hosted service are an assumption.

/** The modules of the open server, including those without an operation in the emulator. */
export const OPEN_MODULES = [
  'accounts',
  'agent_network',
  'agent_network.budgets',
  'agent_network.guardrails',
  'agent_network.logs',
  'agent_network.policies',
  'agent_network.providers',
  'agent_network.settings',
  'agent_network.usage',
  'dns',
  'events',
  'groups',
  'identity_providers',
  'nameservers',
  'networks',
  'pats',
  'peers',
  'policies',
  'remote_jobs',
  'routes',
  'services',
  'settings',
  'setup_keys',
  'users',
] as const;

/** The modules of the hosted service alone. */
const CLOUD_MODULES = ['ingress', 'msp', 'edr', 'idp', 'notifications', 'event_streaming'] as const;

export type Module = (typeof OPEN_MODULES)[number] | (typeof CLOUD_MODULES)[number];
export type Right = 'read' | 'create' | 'update' | 'delete';

/** Every role, the strongest first. */
export const ROLES = [
  'owner',
  'admin',
  'network_admin',
  'auditor',
  'user',
  'billing_admin',
] as const;
export type Role = (typeof ROLES)[number];

type Extent = 'all' | 'read' | 'nothing';

/** The modules for which a network administrator has other rights than reading. */
const OF_THE_NETWORK: readonly Module[] = [
  'groups',
  'policies',
  'networks',
  'routes',
  'pats',
  'dns',
  'nameservers',
];

/** Whether a module is closed to a network administrator: modules of the hosted service, and modules that act on machines. */
function isBeyondTheNetwork(module: Module): boolean {
  const own: readonly Module[] = ['remote_jobs', 'services', ...CLOUD_MODULES];
  return own.includes(module) || module.startsWith('agent_network');
}

const EXTENTS: Readonly<Record<Role, (module: Module) => Extent>> = {
  owner: () => 'all',
  admin: module => (module === 'accounts' ? 'read' : 'all'),
  network_admin: module => {
    if (OF_THE_NETWORK.includes(module)) return 'all';
    return isBeyondTheNetwork(module) ? 'nothing' : 'read';
  },
  auditor: () => 'read',
  // This role has no rights, because the access of users to their own peers and their own record does not depend on rights.
  user: () => 'nothing',
  billing_admin: () => 'nothing',
};

/** The role with this name, in any case; undefined if there is none. */
export function parseRole(text: string): Role | undefined {
  return ROLES.find(role => role === text.toLowerCase());
}

/** Whether the role of a user has any rights. `billing_admin` has none, so such a user cannot even read their own record. */
export function hasRights(user: {
  readonly role: string;
  readonly is_service_user: boolean;
}): boolean {
  return user.is_service_user || parseRole(user.role) !== 'billing_admin';
}

/** Whether a user has a right. A service user may read everything, regardless of the role. */
export function isAllowed(
  user: { readonly role: string; readonly is_service_user: boolean },
  module: Module,
  right: Right,
): boolean {
  if (user.is_service_user && right === 'read') return true;
  const extent = EXTENTS[parseRole(user.role) ?? 'billing_admin'](module);
  return extent === 'all' || (extent === 'read' && right === 'read');
}
