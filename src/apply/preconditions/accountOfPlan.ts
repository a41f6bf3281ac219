// Compares the server and the account of a saved plan with those of the connection.
import { planDialectFindings } from '../../api/account/dialect.ts';
import { accountBehind } from '../../api/account/fetch.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { differsByDialect, fieldsDifferByDialect } from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { FoundJournal } from '../earlierRuns/foundJournal.ts';
import { type Locked, type LockRequest, withLock } from '../lock/serverLock.ts';
import { findingsRefusal, type Refusal } from '../refusal.ts';
import type { ApplyRequest } from '../request.ts';
import { clockRefusal } from './endedSince.ts';

/** Takes the lock for a saved plan and runs `use`. Returns a refusal if the connection is to another server or account. */
export async function onItsAccount<T>(
  plan: Plan,
  request: ApplyRequest & Pick<LockRequest, 'begins'> & Pick<Reached, 'isUndo'>,
  use: (lock: Locked) => Promise<T>,
): Promise<T | Refusal> {
  const { connection, host, secrets, journal, accountLock, begins } = request;
  const { isAnyServer, formerUrl } = request;
  const elsewhere = otherServer(plan, request) ?? otherTraffic(plan, request);
  if (elsewhere) return elsewhere;
  const { url, token } = connection;
  const locked = { path: plan.folder, journal, accountLock, begins, isAnyServer, formerUrl };
  const locking = { url, token, known: secrets.known, ...locked };
  return withLock<T | Refusal>(
    locking,
    host,
    async lock => (await otherAccount(plan, request)) ?? use(lock),
  );
}

/** The plan of a journal, with the server to which its run wrote. */
export const asRun = ({ plan, server }: FoundJournal): Plan =>
  server === undefined ? plan : { ...plan, server };

/**
 * The refusal if the plan is for another server or account than the connection reaches. Takes no
 * lock.
 */
export async function notItsAccount(plan: Plan, request: Reached): Promise<Refusal | null> {
  return (
    otherServer(plan, request) ?? otherTraffic(plan, request) ?? (await otherAccount(plan, request))
  );
}

/** The connection with which a plan is compared. */
type Reached = Pick<ApplyRequest, 'kinds' | 'connection' | 'host' | 'isAnyServer' | 'used'> & {
  /** Whether the plan is to be undone. */
  readonly isUndo?: boolean;
};

/**
 * The refusal if the observed traffic belongs to another account than the plan. The plan does not
 * contain the machines in that traffic, so no access would seem to be in use.
 */
export function otherTraffic(
  { account: planned }: Pick<Plan, 'account'>,
  { used }: Pick<ApplyRequest, 'used'>,
): Refusal | null {
  const observed = used?.account;
  if (planned === undefined || observed === undefined || planned === observed) return null;
  return { refused: 'traffic', planned, observed };
}

/**
 * The refusal if a saved plan was made at another address. A copy of a server has the same accounts
 * and ids, so ids alone do not distinguish two servers.
 */
function otherServer(
  { server }: Plan,
  { connection, isAnyServer = false }: Pick<ApplyRequest, 'connection' | 'isAnyServer'>,
): Refusal | null {
  const { url } = connection;
  if (isAnyServer || server === undefined || server === url) return null;
  return { refused: 'server', planned: server, connected: url };
}

/**
 * The refusal if a saved plan is for another account than the token, or for a server with another
 * dialect. Also the refusal if the clocks of the server and of this machine disagree about whether
 * something has expired.
 */
async function otherAccount(
  plan: Plan,
  { kinds, connection, host, isUndo = false }: Omit<Reached, 'isAnyServer' | 'used'>,
): Promise<Refusal | null> {
  const { account: planned, dialect } = plan;
  const transport = readTransport(connection);
  const { account, seen } = await accountBehind(transport, kinds);
  if (planned !== undefined && planned !== account)
    return { refused: 'account', planned, ...(account !== undefined && { connected: account }) };
  const clocks = { now: host.now(), skew: transport.skew?.() };
  const differing = clockRefusal(plan, clocks, isUndo);
  if (differing) return differing;
  if (!isOfDialect(plan, kinds)) return null;
  return findingsRefusal(await planDialectFindings(transport, kinds, { dialect, seen }), host);
}

/**
 * Whether any action of a plan depends on the dialect. If none does, the dialect of the plan does
 * not matter.
 */
export function isOfDialect({ actions }: Plan, kinds: KindTable): boolean {
  return actions.some(action => {
    const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
    // A server that stores an object in parts accepts other bodies than a server that stores it
    // whole.
    if (differsByDialect(kind) || action.partOf !== undefined) return true;
    return action.verb !== 'delete' && fieldsDifferByDialect(kind, action.fields);
  });
}
