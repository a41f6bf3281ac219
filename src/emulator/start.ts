// Starts and stops an emulator on loopback.
import type { Server } from 'node:http';
import { present } from '../model/errors.ts';
import { firstAccounts } from './access/new-account.ts';
import { openOwned } from './access/owned-account.ts';
import { type Assembly, assemble } from './assembly.ts';
import { enrolOnce } from './controls/peers.ts';
import type { EmulatorOptions } from './options.ts';
import { openAccount } from './store/account.ts';
import { memoryStore } from './store/memory.ts';
import { sqliteStore } from './store/sqlite.ts';
import type { Store } from './store/store.ts';

const LOOPBACK = '127.0.0.1';

/** An account of the emulator, with its token. */
interface OpenedAccount {
  readonly id: string;
  /** A token of the owner, for `Authorization: Token ...`. */
  readonly token: string;
}

/** A tenant of the first account. */
export interface Tenant extends OpenedAccount {
  readonly name: string;
  readonly domain: string;
}

export interface Emulator {
  /** The URL of the server, without a final slash. */
  readonly url: string;
  /** The token of the first account. */
  readonly token: string;
  /** The requested number of accounts, in order. */
  readonly accounts: readonly OpenedAccount[];
  /** The tenants with which the first account started, in order, if it is a managed service provider. */
  readonly tenants: readonly Tenant[];
  /** The controls, if they are enabled. */
  readonly controlsToken: string;
  /** Enrols a machine with this name in the first account, unless it exists. */
  enrol(name: string): void;
  /** Closes every connection, the port and the file. A store that was passed in stays open. */
  close(): Promise<void>;
}

/** Starts an emulator of the Management API on loopback. It accepts requests once the promise resolves. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { db } = options;
  const store = options.store ?? (db === undefined ? memoryStore() : sqliteStore(db));
  const closeStore = () => (options.store === undefined ? store.close() : undefined);
  try {
    const assembly = assemble(store, options, addressOf);
    await listen(assembly.server, options.port ?? 0);
    return {
      ...started(assembly),
      close: async () => {
        assembly.stop();
        await stopListening(assembly.server);
        closeStore();
      },
    };
  } catch (error) {
    closeStore();
    throw error;
  }
}

function started({
  environment,
  store,
  server,
  tokens,
  controlsToken,
}: Assembly): Omit<Emulator, 'close'> {
  const opened = store.transaction(rows => firstAccounts(rows, tokens.length, environment));
  const accounts = tokens.map((token, index) => ({ id: opened[index]?.account ?? '', token }));
  const { id, token } = present(accounts[0], 'the first account');
  return {
    url: addressOf(server),
    token,
    accounts,
    tenants: tenantsOf(store, accounts),
    controlsToken,
    enrol: name =>
      store.transaction(rows =>
        enrolOnce(openOwned(rows, id, environment).account, name, environment),
      ),
  };
}

function tenantsOf(
  store: Store,
  [provider, ...others]: readonly OpenedAccount[],
): readonly Tenant[] {
  const known = store.transaction(rows => openAccount(rows, provider?.id ?? '').tenants.all());
  const tenants = new Map(known.map(tenant => [tenant.account, tenant]));
  return others.flatMap(account => {
    const { name, domain } = tenants.get(account.id) ?? {};
    return name === undefined || domain === undefined ? [] : [{ ...account, name, domain }];
  });
}

function addressOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${LOOPBACK}:${present(port, 'the port of a server that listens')}`;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
