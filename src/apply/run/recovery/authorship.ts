// Whether the audit log proves that this run created an object: after a lost response, an equal object may belong to
// somebody else.
import type { ListedObject } from '../../../api/account/account.ts';
import { auditEntry } from '../../../api/events/audit.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError } from '../../../model/errors.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { CreateAction } from '../../../model/plan.ts';
import type { AccountPort, AuditLog } from '../../port.ts';
import { parentOf, type TurnContext } from '../turns/context.ts';

/** What shows who created an object. */
interface Authorship
  extends Pick<TurnContext, 'kind' | 'names' | 'begun' | 'earlierUser' | 'logPosition'> {
  readonly port: ShownPort;
}

/** The part of the account that shows it. */
type ShownPort = Pick<AccountPort, 'log'>;

/**
 * The `candidates` that the user of the run created since the run began: of the earlier run, for an action that it may have begun, according to the audit log. Empty if the log
 * cannot be read, does not record the kind, or does not tell which of several objects an event is about. `called`: only those that the
 * log says were created with this name.
 */
export async function createdByThisRun(
  action: CreateAction,
  candidates: readonly ListedObject[],
  context: Authorship,
  called?: string,
): Promise<readonly ListedObject[]> {
  const { kind, port, logPosition, begun, earlierUser } = context;
  const { createdEvent } = kind;
  if (!createdEvent || !port.log || logPosition === undefined || candidates.length === 0) return [];
  // The event of a parent does not tell which of its children it is about.
  if (createdEvent.about === 'parent' && candidates.length > 1) return [];
  try {
    await port.log.settled();
    const user = (begun && earlierUser) ?? (await port.log.self());
    const events = await port.log.events();
    const own = events
      .map(auditEntry)
      .filter(
        event =>
          event.by.id === user &&
          Number(event.id) > logPosition &&
          createdEvent.codes.includes(event.code) &&
          (called === undefined || Object.values(event.meta).includes(called)),
      );
    return candidates.filter(({ id }) => own.some(event => isAbout(event, id, action, context)));
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Whether the audit log can tell which of the `candidates` a run created: its position before the run is known, and it has such entries. */
export async function isProvable(
  candidates: readonly ListedObject[],
  { kind: { createdEvent }, port, logPosition }: Pick<Authorship, 'kind' | 'port' | 'logPosition'>,
): Promise<boolean> {
  if (!createdEvent || !port.log || logPosition === undefined) return false;
  if (createdEvent.about === 'parent' && candidates.length > 1) return false;
  return isReadable(port.log);
}

async function isReadable(log: AuditLog): Promise<boolean> {
  try {
    await log.settled();
    await log.events();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function isAbout(
  { target, meta }: AuditEntry,
  id: RemoteId,
  action: CreateAction,
  context: Authorship,
): boolean {
  const { about, named = {} } = context.kind.createdEvent ?? {};
  if (about !== 'parent') return target === id;
  const repeated = Object.entries(named);
  return (
    target === parentOf(action, context) &&
    repeated.every(([entry, field]) => meta[entry] === String(action.fields[field ?? '']))
  );
}
