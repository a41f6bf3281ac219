// Controls for the tenants of a managed service provider. The owner of the provider may act in the accounts of the tenants. These
// tenants are active at once, whereas a tenant that is created through the API has to prove its domain first.
import type { Json } from '../../model/value.ts';
import { addFirstToken, createAccount, firstAccounts, OWNER } from '../access/new-account.ts';
import { type OwnedAccount, openOwned } from '../access/owned-account.ts';
import type { Environment } from '../environment.ts';
import { choosing, secretToken } from '../ids/new-object.ts';
import { digest } from '../ids/secret-tokens.ts';
import { newUuid } from '../ids/source.ts';
import type { TenantRecord } from '../records/integrations.ts';
import { ok } from '../request/answer.ts';
import { anything, list, object, optional, text } from '../request/body.ts';
import { conflict, invalid } from '../request/refusal.ts';
import { parseRole } from '../request/roles.ts';
import { openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { NEVER, timestamp } from '../time/times.ts';
import type { Control } from './control.ts';
import { copyAccount } from './copied-account.ts';
import { knownSnapshot, type Snapshot, usable } from './snapshot.ts';

/**
 * The initial properties of a tenant. Its name and domain are derived from its number by default, such as `t001` and
 * `t001.customer.example`.
 */
export interface TenantDraft {
  /** The id of the tenant and of its account. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  /**
   * The groups of the provider whose members may act in the tenant, each with a role. The default is a group of the owner, whose
   * members are admins.
   */
  readonly groups?: TenantRecord['groups'] | undefined;
  /** The initial state: a copy of the first account of this snapshot, with new ids. By default the state of a new account. */
  readonly snapshot?: Json | undefined;
}

/** The group of a provider whose members may act in the tenants for which no groups are given. */
const ACCESS_GROUP = 'Tenant access';

const TENANT = object({
  id: optional(text),
  token: optional(text),
  name: optional(text),
  domain: optional(text),
  groups: optional(list(object({ id: text, role: text }))),
  snapshot: anything,
});

/** Creates an active tenant of the account. Responds with its id, name and domain, and a token of the tenant's owner. */
export const addTenant: Control = ({ rows, account, owner, environment, body }) => {
  const { snapshot, token: secret, ...draft } = body(TENANT);
  const read = snapshot === null ? undefined : knownSnapshot(snapshot);
  const chosen = choosing(environment, { id: draft.id, secret });
  const token = secretToken('personal', chosen);
  if (account.credentials.get(digest(token)) !== undefined) throw conflict('the token is taken');
  const provider = { account, owner };
  const full = named(provider, draft, account.tenants.all().length + 1);
  const { tenant, user } = foundTenant(provider, full, chosen, read);
  addFirstToken(rows, token, { account: tenant.id, user }, environment);
  const { id, name, domain } = tenant;
  return ok({ id, name, domain, token });
};

/**
 * Makes the first account the provider of the other accounts up to `count`. Missing accounts are created from drafts. An existing
 * account becomes a tenant unchanged.
 */
export function openTenants(
  rows: Rows,
  count: number,
  draftOf: (index: number) => TenantDraft,
  environment: Environment,
): void {
  const snapshots = new Map<Json, Snapshot>();
  // Each snapshot is parsed only once, because hundreds of tenants may begin with the same snapshot.
  const read = (json: Json): Snapshot => {
    const snapshot = snapshots.get(json) ?? knownSnapshot(json);
    snapshots.set(json, snapshot);
    return snapshot;
  };
  for (const { account: id } of firstAccounts(rows, 1, environment)) {
    const provider = openOwned(rows, id, environment);
    const there = openInstallation(rows).accounts.all().slice(1, count);
    const tenants = new Set(provider.account.tenants.all().map(({ account }) => account));
    for (let number = 1; number < count; number += 1) {
      const found = there[number - 1];
      if (found !== undefined && tenants.has(found.id)) continue;
      const { snapshot, ...given } = draftOf(number - 1);
      const draft = named(provider, given, number);
      const chosen = choosing(environment, { id: draft.id });
      if (found !== undefined) putTenant(provider, found.id, draft, environment);
      else if (snapshot === undefined) foundTenant(provider, draft, chosen, undefined);
      else usable(() => foundTenant(provider, draft, chosen, read(snapshot)), true);
    }
  }
}

interface Named extends Omit<TenantDraft, 'snapshot'> {
  readonly name: string;
  readonly domain: string;
}

/** Creates the account of a tenant, and the tenant. A chosen id becomes the id of both. */
function foundTenant(
  provider: OwnedAccount,
  draft: Named,
  environment: Environment,
  snapshot: Snapshot | undefined,
): { readonly tenant: TenantRecord; readonly user: string } {
  const { rows } = provider.account.installation;
  const email = `owner@${draft.domain}`;
  const { account, user } =
    snapshot === undefined
      ? createAccount(rows, { ...OWNER, email }, environment)
      : copyAccount(rows, snapshot, email, environment);
  return { tenant: putTenant(provider, account, draft, environment), user };
}

function putTenant(
  provider: OwnedAccount,
  account: string,
  { name, domain, groups: given }: Named,
  environment: Environment,
): TenantRecord {
  const { tenants, groups: known } = provider.account;
  if (isTaken(provider, domain)) throw conflict(`domain ${domain} already has a tenant`);
  const groups = given ?? [{ id: accessGroup(provider, environment), role: 'admin' }];
  for (const { id, role } of groups) {
    if (known.get(id) === undefined) throw invalid(`group id ${id} not found`);
    if (parseRole(role) === undefined) throw invalid(`unknown role: ${role}`);
  }
  const now = timestamp(environment.clock);
  const tenant: TenantRecord = {
    id: account,
    name,
    domain,
    groups,
    account,
    price: '',
    status: 'active',
    activated_at: now,
    created_at: now,
    updated_at: now,
    invited_at: NEVER,
    dns_challenge: newUuid(environment.random),
  };
  tenants.put(tenant);
  return tenant;
}

function isTaken({ account }: OwnedAccount, domain: string): boolean {
  return account.tenants.having(byDomain, domain).length > 0;
}

/** An index of tenants. */
const byDomain = ({ domain }: TenantRecord) => [domain];

/**
 * A draft with a name and a domain. If the draft has no domain, both are derived from a number: the
 * first one, beginning with `number`, whose domain no tenant has.
 */
function named(provider: OwnedAccount, draft: TenantDraft, number: number): Named {
  const label = `t${String(number).padStart(3, '0')}`;
  const { name = label, domain = `${label}.customer.example` } = draft;
  return draft.domain === undefined && isTaken(provider, domain)
    ? named(provider, draft, number + 1)
    : { ...draft, name, domain };
}

/**
 * The id of the group whose members act in tenants. The group is created if it does not exist, and the owner becomes a member.
 */
function accessGroup({ account, owner }: OwnedAccount, environment: Environment): string {
  const found = account.groups.all().find(({ name }) => name === ACCESS_GROUP);
  const id = found?.id ?? environment.newId();
  if (found === undefined)
    account.groups.put({ id, name: ACCESS_GROUP, issued: 'api', peers: [], resources: [] });
  const user = account.users.get(owner.id) ?? owner;
  if (!user.auto_groups.includes(id))
    account.users.put({ ...user, auto_groups: [...user.auto_groups, id] });
  return id;
}
