// Controls for whole accounts: creating, configuring and resetting them.

import { addFirstToken, createAccount, furnish, OWNER } from '../access/new-account.ts';
import { ownerOf } from '../access/owned-account.ts';
import { choosing, secretToken } from '../ids/new-object.ts';
import { digest } from '../ids/secret-tokens.ts';
import { done, ok } from '../request/answer.ts';
import { flag, object, optional, text, whole } from '../request/body.ts';
import { conflict } from '../request/refusal.ts';
import { openInstallation, settingsOf } from '../store/account.ts';
import type { Control } from './control.ts';

/** Every account, with its owner. */
export const listAccounts: Control = ({ rows }) => {
  const { accounts } = openInstallation(rows);
  return ok(accounts.all().map(({ id }) => ({ id, owner: ownerOf(rows, id).id })));
};

const ACCOUNT = object({ id: optional(text), token: optional(text), name: text, email: text });

/** Creates an account; its id and token may be chosen. Responds with its id, its owner and a token of the owner. */
export const addAccount: Control = ({ rows, environment, body }) => {
  const { id, token: secret, name, email } = body(ACCOUNT);
  const chosen = choosing(environment, { id, secret });
  const named = { name: name || OWNER.name, email: email || OWNER.email };
  const token = secretToken('personal', chosen);
  if (openInstallation(rows).credentials.get(digest(token)) !== undefined)
    throw conflict('the token is taken');
  const { account, user } = createAccount(rows, named, chosen);
  addFirstToken(rows, token, { account, user }, environment);
  return ok({ id: account, owner: user, token });
};

/** Resets an account. Its id, its owner and their tokens are kept, and no number is used again. */
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
  furnish(account, environment);
  for (const token of tokens) account.tokens.put(token);
  return done();
};

const SETTINGS = object({
  group_propagation: optional(flag),
  user_approval_required: optional(flag),
  regular_users_view_blocked: optional(flag),
  peer_login_expiration: optional(whole),
});

/** Changes the settings in the body. Responds with all settings. */
export const setSettings: Control = ({ account, body }) => {
  const given = Object.entries(body(SETTINGS)).filter(([, value]) => value !== undefined);
  const settings = { ...settingsOf(account), ...Object.fromEntries(given) };
  account.settings.put(settings);
  const { ipv6_enabled_groups = null, ...others } = settings;
  return ok({ ...others, ipv6_enabled_groups });
};
