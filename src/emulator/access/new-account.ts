// Creates accounts with their initial content: the owner, the group All and the policy Default
// (docs/server-behaviour.md#a-new-account).
import { present } from '../../model/errors.ts';
import { auditLog } from '../audit/log.ts';
import { type Environment, randomBelow } from '../environment.ts';
import { ALL_GROUP } from '../groups/membership.ts';
import { objectId, personIds } from '../ids/new-object.ts';
import type { UserRecord } from '../records/people.ts';
import type { RuleRecord } from '../records/topology.ts';
import { type Account, openAccount, openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { timestamp } from '../time/times.ts';
import { addCredential } from './authentication.ts';
import { noteToken } from './new-token.ts';
import { ownerOf } from './owned-account.ts';

/** The DNS domain of accounts that have not chosen one. */
export const DNS_DOMAIN = 'netbird.selfhosted';

const FIRST_TOKEN = 'setup-token';

/** The name of the owner of a new account. */
export type OwnerName = Pick<UserRecord, 'name' | 'email'>;

/** The owner of a new account, unless an option names another. */
export const OWNER: OwnerName = { name: 'Owner', email: 'owner@example.com' };

/** Creates an account with an owner, and returns the ids of both. If an id was chosen, it becomes the id of the account. */
export function createAccount(
  rows: Rows,
  owner: OwnerName,
  { chosen, ...environment }: Environment,
): { readonly account: string; readonly user: string } {
  const { accounts } = openInstallation(rows);
  const id = objectId(accounts, { ...environment, ...(chosen && { chosen }) });
  const { id: user, idp_id } = personIds(openAccount(rows, id).users, environment);
  const account = openAccount(rows, id, auditLog(rows, id, user, environment));
  const now = timestamp(environment.clock);
  accounts.put({ id, created_at: now, created_by: user });
  account.users.put({
    id: user,
    ...owner,
    role: 'owner',
    is_service_user: false,
    auto_groups: [],
    is_blocked: false,
    pending_approval: false,
    invited: false,
    issued: 'api',
    idp_id,
    created_at: now,
    last_login: now,
  });
  furnish(account, environment);
  return { account: id, user };
}

/**
 * Gives a new account, or an account with which an emulator starts, its first token. In dialects that show the initial token, the
 * token is one of the owner's tokens. It never expires.
 */
export function addFirstToken(
  rows: Rows,
  secret: string,
  { account: id, user }: { readonly account: string; readonly user: string },
  environment: Environment,
): void {
  const credential = addCredential(rows, secret, { account: id, user });
  if (environment.behaviour.beginnings === 'hidden') return;
  const account = openAccount(rows, id, auditLog(rows, id, user, environment));
  if (account.tokens.all().some(token => token.credential === credential)) return;
  const owner = present(account.users.get(user), 'the owner of an account');
  const token = { user: owner, name: FIRST_TOKEN, credential, createdBy: owner };
  noteToken(account, token, environment);
}

/** The first `count` accounts with their owners; missing accounts are created. */
export function firstAccounts(
  rows: Rows,
  count: number,
  environment: Environment,
): readonly { readonly account: string; readonly user: string }[] {
  const known = openInstallation(rows)
    .accounts.all()
    .slice(0, count)
    .map(({ id }) => ({ account: id, user: ownerOf(rows, id).id }));
  const missing = Math.max(0, count - known.length);
  return [
    ...known,
    ...Array.from({ length: missing }, () => createAccount(rows, OWNER, environment)),
  ];
}

/** Adds the initial objects of every account to an account that has only an owner. The owner is the initiator of the events. */
export function furnish(account: Account, environment: Environment): void {
  if (environment.behaviour.beginnings === 'shown')
    account.log({ code: 'account.create', target: account.id });
  const all = environment.newId();
  account.settings.put({
    id: account.id,
    network: overlayNetwork(environment),
    dns_domain: DNS_DOMAIN,
    group_propagation: true,
    user_approval_required: true,
    regular_users_view_blocked: true,
    peer_login_expiration: 86_400,
    ipv6_enabled_groups: [all],
  });
  account.groups.put({ id: all, name: ALL_GROUP, issued: 'api', peers: [], resources: [] });
  putDefaultPolicy(account, environment.newId(), all);
}

function putDefaultPolicy(account: Account, id: string, all: string): void {
  const rule: RuleRecord = {
    id,
    name: 'Default',
    description: 'This is a default rule that allows connections between all the resources',
    enabled: true,
    action: 'accept',
    bidirectional: true,
    protocol: 'all',
    ports: [],
    port_ranges: [],
    authorized_groups: {},
    sources: [all],
    sourceResource: null,
    destinations: [all],
    destinationResource: null,
  };
  const { name, description, enabled } = rule;
  account.policies.put({
    id,
    name,
    description,
    enabled,
    source_posture_checks: null,
    rules: [rule],
  });
}

/** A random /16 within 100.64.0.0/10. */
function overlayNetwork({ random }: Environment): string {
  return `100.${64 + randomBelow(random, 64)}.0.0/16`;
}
