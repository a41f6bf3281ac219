// The right that each operation needs. Rights that depend on the owner of an object are checked by handlers.
import type { Operation } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import type { UserRecord } from '../records/people.ts';
import { denied } from './refusal.ts';
import { hasRights, isAllowed, type Module, parseRole, type Right } from './roles.ts';

const BY_TAG: Readonly<Record<string, Module>> = {
  Tokens: 'pats',
  Users: 'users',
  Invites: 'users',
  Networks: 'networks',
  Peers: 'peers',
  Jobs: 'remote_jobs',
  Ingress: 'ingress',
  Groups: 'groups',
  Routes: 'routes',
  'Setup keys': 'setup_keys',
  'Identity providers': 'identity_providers',
  Policies: 'policies',
  'Posture checks': 'policies',
  'MSP tenants': 'msp',
  'Endpoint detection': 'edr',
  'Directory sync': 'idp',
  Notifications: 'notifications',
  'Event streaming': 'event_streaming',
  'Event logs': 'events',
  Account: 'settings',
  DNS: 'dns',
  'Reverse proxy': 'services',
};

/** Operations whose module differs from the module of their tag. */
const BY_ID: Readonly<Record<string, Module>> = {
  listNameserverGroups: 'nameservers',
  createNameserverGroup: 'nameservers',
  getNameserverGroup: 'nameservers',
  updateNameserverGroup: 'nameservers',
  deleteNameserverGroup: 'nameservers',
};

const BY_METHOD: Readonly<Record<Operation['method'], Right>> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  DELETE: 'delete',
};

/** Operations that every user with any right may call, because their handlers check the caller. */
const DECIDED_BY_HANDLERS = [
  'listUsers',
  'getCurrentUser',
  'changePassword',
  'listPeers',
  'getPeer',
  'listAccessiblePeers',
  'updateAccount',
  'deleteAccount',
  'validateProxyDomain',
  'createProxyToken',
  'revokeProxyToken',
];

/** Whether a caller may call an operation at all. */
export function mayCall(operation: Operation, caller: UserRecord): boolean {
  if (DECIDED_BY_HANDLERS.includes(operation.id)) return hasRights(caller);
  return isAllowed(caller, moduleOf(operation), BY_METHOD[operation.method]);
}

/** Whether a caller may read the objects of an operation. */
export function mayRead(operation: Operation, caller: UserRecord): boolean {
  return isAllowed(caller, moduleOf(operation), 'read');
}

/** Refuses a caller who may not call an operation. */
export function refuseCall(caller: UserRecord): never {
  const { role } = caller;
  // The role `billing_admin` has no rights at all.
  throw parseRole(role) === 'billing_admin'
    ? denied(`failed to validate user permissions: user role: ${role} not found`)
    : denied('permission denied');
}

/** Refuses all requests of users who are blocked or wait for approval. */
export function refuseOutsiders({ is_blocked, pending_approval }: UserRecord): void {
  if (is_blocked) throw denied('user is blocked');
  if (pending_approval) throw denied('user is pending approval');
}

function moduleOf({ id, tag }: Operation): Module {
  return present(BY_ID[id] ?? BY_TAG[tag], `the module of ${id}`);
}
