// Finds the account that a connection reaches, for a run whose files do not name it.
import { accountBehind } from '../../api/account/fetch.ts';
import { readTransport } from '../../api/transport/transport.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Io } from '../io.ts';
import { type ConnectFlags, withConnection } from './connect.ts';
import type { ServerUrl } from './server.ts';

/**
 * Returns a function that asks the server for the account. For files that do not name their
 * account.
 */
export const asksAccount =
  (kinds: KindTable, flags: ConnectFlags, io: Io) =>
  (project: ServerUrl): Promise<string | undefined> =>
    accountOf(kinds, { flags, project }, io);

/** The id of the account; undefined if it cannot be identified. No other data of the account is read. */
export const accountOf = (
  kinds: KindTable,
  { flags, project }: { readonly flags: ConnectFlags; readonly project: ServerUrl },
  io: Io,
): Promise<string | undefined> =>
  withConnection(flags, project, io, async connection => {
    const { account } = await accountBehind(readTransport(connection), kinds);
    return account;
  });
