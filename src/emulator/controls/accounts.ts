// Accounts as a whole: another one, a starting state, and back to the beginning.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { addCredential } from '../access/authentication.ts';
import { newSecretToken } from '../access/secret-tokens.ts';
import { openInstallation, settingsOf } from '../account.ts';
import { type Answer, done, ok } from '../answer.ts';
import { anything, flag, map, object, optional, text, whole } from '../body.ts';
import { createAccount, furnish, OWNER } from '../new-account.ts';
import { ownerOf } from '../owned-account.ts';
import { invalid, notFound, Refusal } from '../refusal.ts';
import type { Control, ControlContext } from './control.ts';
import { enrolled } from './peers.ts';

/** Every account, with its owner. */
export const listAccounts: Control = ({ rows }) => {
  const { accounts } = openInstallation(rows);
  return ok(accounts.all().map(({ id }) => ({ id, owner: ownerOf(rows, id).id })));
};

/** Makes an account. Answers its id, its owner and a token of theirs. */
export const addAccount: Control = ({ rows, environment, body }) => {
  const { name, email } = body(object({ name: text, email: text }));
  const named = { name: name || OWNER.name, email: email || OWNER.email };
  const { account, user } = createAccount(rows, named, environment);
  const token = newSecretToken('personal', environment.random);
  addCredential(rows, token, { account, user });
  return ok({ id: account, owner: user, token });
};

/** Takes an account back to its beginning. Its id, its owner and their tokens stay, and no number is given out again. */
export const resetAccount: Control = ({ rows, account, owner, environment }) => {
  const tokens = account.tokens.all().filter(token => token.user === owner.id);
  for (const { scope, table, key } of rows.everything())
    if (scope === account.id && table !== 'sequences') rows.remove(scope, table, key);
  for (const credential of account.credentials.all())
    if (credential.account === account.id && credential.user !== owner.id)
      account.credentials.remove(credential.id);
  const { pendingEvents, deliveries } = openInstallation(rows);
  for (const table of [pendingEvents, deliveries])
    for (const one of table.all()) if (one.account === account.id) table.remove(one.id);
  account.users.put({ ...owner, auto_groups: [] });
  for (const token of tokens) account.tokens.put(token);
  furnish(account, environment);
  return done();
};

const SETTINGS = object({
  group_propagation: optional(flag),
  user_approval_required: optional(flag),
  regular_users_view_blocked: optional(flag),
  peer_login_expiration: optional(whole),
});

/** Changes the settings of an account that are given. Answers all of them. */
export const setSettings: Control = ({ account, body }) => {
  const given = Object.entries(body(SETTINGS)).filter(([, value]) => value !== undefined);
  const settings = { ...settingsOf(account), ...Object.fromEntries(given) };
  account.settings.put(settings);
  return ok(settings);
};

/**
 * Fills an account. The body has, for each path, the bodies to POST there, one after the other. An `id` in one is a name
 * by which what comes later can point at it, in bodies and in paths. Answers the id behind each name; what is refused
 * undoes all of it.
 */
export const loadAccount: Control = context => {
  const ids = new Map<string, string>();
  for (const [path, bodies] of Object.entries(context.body(map(anything)))) {
    if (!isList(bodies)) throw invalid(`${path}: a list of bodies is due`);
    for (const [index, body] of bodies.entries()) {
      if (!isObject(body)) throw invalid(`${path}: body ${index + 1} is not an object`);
      const { id: name, ...fields } = body;
      const made = post(context, { path, place: index + 1, fields, ids });
      if (typeof name === 'string') ids.set(name, made);
    }
  }
  return ok({ ids: Object.fromEntries(ids) });
};

interface Posting {
  readonly path: string;
  /** Which body of the path it is. */
  readonly place: number;
  readonly fields: JsonObject;
  readonly ids: ReadonlyMap<string, string>;
}

/** Has one object made, and answers its id. */
function post(context: ControlContext, { path, place, fields, ids }: Posting): string {
  const body = pointed(fields, ids);
  const steps = path.split('/').map(step => ids.get(step) ?? step);
  try {
    const answer =
      path === '/emulator/peers'
        ? ok(enrolled({ ...context, body: shape => shape.read(body) }))
        : performed(context, steps.join('/'), body);
    return idIn(answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw invalid(`${path}: body ${place} is refused with ${error.status}: ${error.message}`);
  }
}

function performed(context: ControlContext, path: string, body: Json): Answer {
  const { operations, rows, account, owner } = context;
  const found = operations.find({
    ...{
      method: 'POST',
      path,
      query: new URLSearchParams(),
      address: '',
      body: JSON.stringify(body),
    },
    ...{ authorization: '', userAgent: '' },
  });
  if ('status' in found) throw notFound('path', path);
  return operations.perform(rows, { account: account.id, user: owner.id }, found);
}

function idIn(answer: Answer): string {
  const body = 'body' in answer ? answer.body : null;
  return isObject(body) ? String(body.id ?? '') : '';
}

/** A value in which names stand for what they name. */
function pointed(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (isList(value)) return value.map(member => pointed(member, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [ids.get(name) ?? name, pointed(member, ids)]),
  );
}
