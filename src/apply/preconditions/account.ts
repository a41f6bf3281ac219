// The server and the account that a saved plan is for, compared with those that the connection reaches.
import { planDialectFindings } from '../../api/account/dialect.ts';
import { accountBehind } from '../../api/account/fetch.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { differsByDialect, fieldsDifferByDialect } from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import { type Locked, withLock } from '../lock/serverLock.ts';
import { findingsRefusal, type Refusal } from '../refusal.ts';
import type { ApplyRequest } from '../request.ts';

/** Holds the lock for a plan that was made earlier; refused where the connection reaches another server or account. */
export async function onItsAccount<T>(
  plan: Plan,
  request: ApplyRequest,
  use: (lock: Locked) => Promise<T>,
): Promise<T | Refusal> {
  const { connection, host, journal } = request;
  const elsewhere = otherServer(plan, request);
  if (elsewhere) return elsewhere;
  const place = { url: connection.url, path: plan.folder, journal };
  return withLock<T | Refusal>(
    place,
    host,
    async lock => (await otherAccount(plan, request)) ?? use(lock),
  );
}

/** The refusal where the connection reaches another server or account than a plan is for. Takes no lock. */
export async function notItsAccount(plan: Plan, request: Reached): Promise<Refusal | null> {
  return otherServer(plan, request) ?? otherAccount(plan, request);
}

/** What a plan is held against. */
type Reached = Pick<ApplyRequest, 'kinds' | 'connection' | 'host' | 'isAnyServer'>;

/**
 * The refusal where a saved plan was made at another address than the one it is about to be carried out at: a copy of a
 * server has the same accounts and the same ids.
 */
function otherServer(
  { server }: Plan,
  { connection, isAnyServer = false }: Pick<ApplyRequest, 'connection' | 'isAnyServer'>,
): Refusal | null {
  const { url } = connection;
  if (isAnyServer || server === undefined || server === url) return null;
  return { refused: 'server', planned: server, connected: url };
}

/** The refusal where a saved plan is for another account than the token is of, or for a server of another dialect. */
async function otherAccount(
  plan: Plan,
  { kinds, connection, host }: Pick<ApplyRequest, 'kinds' | 'connection' | 'host'>,
): Promise<Refusal | null> {
  const { account: planned, dialect } = plan;
  const transport = readTransport(connection);
  const { account, seen } = await accountBehind(transport, kinds);
  if (planned !== undefined && planned !== account)
    return { refused: 'account', planned, ...(account !== undefined && { connected: account }) };
  if (!isOfDialect(plan, kinds)) return null;
  return findingsRefusal(await planDialectFindings(transport, kinds, { dialect, seen }), host);
}

/** Whether anything that a plan does differs by dialect. If not, the dialect that it holds says nothing of the server. */
export function isOfDialect({ actions }: Plan, kinds: KindTable): boolean {
  return actions.some(action => {
    const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
    // What is kept in parts is written otherwise where it is kept whole.
    if (differsByDialect(kind) || action.partOf !== undefined) return true;
    return action.verb !== 'delete' && fieldsDifferByDialect(kind, action.fields);
  });
}
