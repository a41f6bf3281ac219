// What is in a file after a kill, held against what the writers were answered, and whether it is whole.

import { type Rows, sqliteStore } from '../../../src/emulator/index.ts';
import {
  type Account,
  openAccount,
  openInstallation,
} from '../../../src/emulator/store/account.ts';
import type { Ledger } from './writers.ts';

/** Everything that is wrong with the state in a file. Writes that were not answered are settled in the ledger. */
export function verdict(file: string, ledger: Ledger): readonly string[] {
  const store = sqliteStore(file);
  try {
    return store.transaction(rows => {
      const { accounts } = openInstallation(rows);
      const [first] = accounts.all();
      if (first === undefined) return ['the account is gone'];
      const account = openAccount(rows, first.id);
      const names = namesOf(account);
      const wrong = [...lost(ledger, names), ...orphans(rows, account)];
      settle(ledger, names);
      return wrong;
    });
  } finally {
    store.close();
  }
}

/** Every object the writers write, by its path. */
function namesOf(account: Account): ReadonlyMap<string, string> {
  const collections = [
    ['/api/groups', account.groups.all()],
    ['/api/networks', account.networks.all()],
    ['/api/users', account.users.all()],
  ] as const;
  return new Map([
    ...collections.flatMap(([path, all]) =>
      all.map(({ id, name }): [string, string] => [`${path}/${id}`, name]),
    ),
    ...account.resources
      .all()
      .map(({ id, network, name }): [string, string] => [
        `/api/networks/${network}/resources/${id}`,
        name,
      ]),
  ]);
}

function lost(ledger: Ledger, names: ReadonlyMap<string, string>): readonly string[] {
  const missing = [...ledger.present]
    .filter(([path, name]) => !ledger.unsure.has(path) && names.get(path) !== name)
    .map(([path, name]) => `${path} should be ${name}, and is ${names.get(path) ?? 'not there'}`);
  const risen = [...ledger.gone].filter(path => names.has(path)).map(path => `${path} is back`);
  return [...missing, ...risen];
}

/** What points at something that went with a cascade, or is half of a write. */
function orphans(rows: Rows, account: Account): readonly string[] {
  const { networks, users, resources, tokens, credentials } = account;
  const isThere = (table: { get(id: string): unknown }, id: string) => table.get(id) !== undefined;
  const children = [...resources.all(), ...account.routers.all()];
  const members = account.groups.all().flatMap(group => group.resources.map(({ id }) => id));
  return [
    ...children.filter(one => !isThere(networks, one.network)).map(one => `orphan ${one.id}`),
    ...members.filter(id => !isThere(resources, id)).map(id => `member ${id} is not there`),
    ...tokens
      .all()
      .filter(one => !isThere(users, one.user))
      .map(one => `token of nobody: ${one.id}`),
    ...tokens
      .all()
      .filter(one => !isThere(credentials, one.credential))
      .map(one => `token that opens nothing: ${one.id}`),
    ...credentials
      .all()
      .filter(one => !isThere(users, one.user))
      .map(() => 'credential of nobody'),
    ...unnoted(rows, account),
  ];
}

/** Every group that was made has its event, shown or still to be: they are one write. */
function unnoted(rows: Rows, account: Account): readonly string[] {
  const shown = account.events.all();
  const pending = openInstallation(rows)
    .pendingEvents.all()
    .map(({ event }) => event);
  const reported = new Set(
    [...shown, ...pending].map(event => `${event.activity_code} ${event.target_id}`),
  );
  return account.groups
    .all()
    .filter(({ name, id }) => name !== 'All' && !reported.has(`group.add ${id}`))
    .map(({ id }) => `group ${id} came unnoticed`);
}

/** Takes what is there for what the writes that were not answered have done. */
function settle(ledger: Ledger, names: ReadonlyMap<string, string>): void {
  for (const path of ledger.unsure) {
    const name = names.get(path);
    if (name === undefined) ledger.present.delete(path);
    else ledger.present.set(path, name);
  }
  ledger.unsure.clear();
}
