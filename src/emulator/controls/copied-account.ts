// Copies an account from a snapshot into a new account. The copied objects get new ids, as if they had been created again.
import { isList, isObject, type Json } from '../../model/value.ts';
import type { Environment } from '../environment.ts';
import { objectId, personIds } from '../ids/new-object.ts';
import { newUuid } from '../ids/source.ts';
import { invalid } from '../request/refusal.ts';
import { INSTALLATION, openAccount, openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { timestamp } from '../time/times.ts';
import type { Snapshot } from './snapshot.ts';

/** Tables that are not copied. Credentials must open only one account; the other tables are not about the account itself. */
const LEFT_OUT = ['tokens', 'invites', 'tenants', 'outbox'];

const NO_ACCOUNT = 'the snapshot has no account with an owner';

/** The form of generated ids. Ids of any other form were chosen; these, and numbers, are unique only within an account. */
const OBJECT_ID = /^[0-9a-v]{20}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Creates an account like the first account of a snapshot, whose owner gets another email. A chosen id becomes the id of the
 * account.
 */
export function copyAccount(
  rows: Rows,
  { rows: kept }: Snapshot,
  email: string,
  { chosen, ...environment }: Environment,
): { readonly account: string; readonly user: string } {
  const source = kept.find(({ scope, table }) => scope === INSTALLATION && table === 'accounts');
  if (source === undefined) throw invalid(NO_ACCOUNT);
  const own = kept.filter(({ scope, table }) => scope === source.key && !LEFT_OUT.includes(table));
  const { accounts } = openInstallation(rows);
  const id = objectId(accounts, { ...environment, ...(chosen && { chosen }) });
  const account = openAccount(rows, id);
  const ids = new Map([[source.key, id]]);
  for (const { table, key, value } of own) {
    if (table === 'users' && !ids.has(key)) ids.set(key, personIds(account.users, environment).id);
    for (const old of [key, ...idsIn(value)])
      if (!ids.has(old) && isGenerated(old)) ids.set(old, newIdLike(old, environment));
  }
  for (const { table, key, value } of own)
    rows.put(id, table, ids.get(key) ?? key, renamed(value, ids));
  const owner = account.users.all().find(({ role }) => role === 'owner');
  if (owner === undefined) throw invalid(NO_ACCOUNT);
  account.users.put({ ...owner, email });
  accounts.put({ id, created_at: timestamp(environment.clock), created_by: owner.id });
  return { account: id, user: owner.id };
}

function isGenerated(id: string): boolean {
  return OBJECT_ID.test(id) || UUID.test(id);
}

function newIdLike(id: string, { newId, random }: Environment): string {
  return UUID.test(id) ? newUuid(random) : newId();
}

/** The ids of the objects in a value, such as the rules of a policy. */
function idsIn(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(idsIn);
  if (!isObject(value)) return [];
  const { id } = value;
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(idsIn)];
}

/** A value with every id replaced. */
function renamed(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (isList(value)) return value.map(member => renamed(member, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [ids.get(name) ?? name, renamed(member, ids)]),
  );
}
