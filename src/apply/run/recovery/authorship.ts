// Determines from the audit log whether this run created an object. After a lost response, an
// object that looks the same may belong to somebody else.
import type { ListedObject } from '../../../api/account/objectClient.ts';
import { auditEntry } from '../../../api/events/audit.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError } from '../../../model/errors.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { CreateAction } from '../../../model/plan.ts';
import type { AccountPort, AuditLog } from '../../port.ts';
import { parentOf, type TurnContext } from '../turns/context.ts';

/** The evidence of who created an object. */
interface Authorship
  extends Pick<TurnContext, 'kind' | 'names' | 'begun' | 'earlierUser' | 'logPosition'> {
  readonly port: ShownPort;
}

/** The part of the account that shows who created an object. */
type ShownPort = Pick<AccountPort, 'log'>;

/**
 * The `candidates` that the user of the run created since the run began, according to the audit
 * log. If an earlier run may have begun the action, the time counts from the start of the earlier
 * run. Empty if the log cannot be read, does not record the kind, or does not show to which of
 * several objects an event belongs. With `called`: only objects that had this name at creation,
 * according to the log.
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
  // An event of a parent does not show which of its children was created.
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

/**
 * Whether the audit log can show which of the `candidates` a run created. It can if its position
 * before the run is known and it records such creations.
 */
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
