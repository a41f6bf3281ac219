// What a new account holds: its owner, the group All and the policy Default (facts §10).
import { type Account, openAccount, openInstallation } from './account.ts';
import { type Environment, randomBelow } from './environment.ts';
import { ALL_GROUP } from './membership.ts';
import { ownerOf } from './owned-account.ts';
import type { UserRecord } from './records/people.ts';
import type { RuleRecord } from './records/topology.ts';
import type { Rows } from './store/store.ts';
import { timestamp } from './times.ts';

const DNS_DOMAIN = 'netbird.selfhosted';

/** How the owner of a new account is called. */
export type OwnerName = Pick<UserRecord, 'name' | 'email'>;

export const OWNER: OwnerName = { name: 'Owner', email: 'owner@example.com' };

/** Makes an account with an owner. */
export function createAccount(
  rows: Rows,
  owner: OwnerName,
  environment: Environment,
): { readonly account: string; readonly user: string } {
  const account = openAccount(rows, environment.newId());
  openInstallation(rows).accounts.put({ id: account.id });
  const user = environment.newId();
  const now = timestamp(environment.clock);
  account.users.put({
    ...{ id: user, ...owner, role: 'owner', is_service_user: false, auto_groups: [] },
    ...{ is_blocked: false, pending_approval: false, invited: false, issued: 'api', idp_id: user },
    ...{ created_at: now, last_login: now },
  });
  furnish(account, environment);
  return { account: account.id, user };
}

/** The first accounts with their owners, so many of them; those that are missing are made. */
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

/** Puts what every account begins with into one that has only its owner. */
export function furnish(account: Account, environment: Environment): void {
  account.settings.put({
    ...{ id: account.id, network: overlayNetwork(environment), dns_domain: DNS_DOMAIN },
    ...{ group_propagation: true, user_approval_required: true, regular_users_view_blocked: true },
    peer_login_expiration: 86_400,
  });
  const all = environment.newId();
  account.groups.put({ id: all, name: ALL_GROUP, issued: 'api', peers: [], resources: [] });
  putDefaultPolicy(account, environment.newId(), all);
}

function putDefaultPolicy(account: Account, id: string, all: string): void {
  const rule: RuleRecord = {
    id,
    name: 'Default',
    description: 'Allows connections between all resources',
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
    source_posture_checks: [],
    rules: [rule],
  });
}

/** One /16 out of 100.64.0.0/10. */
function overlayNetwork({ random }: Environment): string {
  return `100.${64 + randomBelow(random, 64)}.0.0/16`;
}
