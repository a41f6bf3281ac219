// The position of the audit log before a run. Later events happened during the run.
import type { KindTable } from '../../../kinds/kind.ts';
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import { ApiError } from '../../../model/errors.ts';
import type { LogStart } from '../../../model/journal.ts';
import type { Plan } from '../../../model/plan.ts';
import type { AuditLog } from '../../port.ts';

/** Whether a run of the plan may need the log to determine which user made a change. */
export function needsLog({ actions }: Plan, kinds: KindTable): boolean {
  return actions.some(({ verb, kind: name }) => {
    const kind = kinds.get(name);
    if (verb === 'update') return true;
    if (verb === 'create') return kind?.createdEvent !== undefined;
    return kind !== undefined && replacedSets(kind).length > 0;
  });
}

/** The id of the newest event, 0 if there is none; undefined if the token may not read the log. */
export async function logPosition(log: AuditLog): Promise<number | undefined> {
  try {
    const events = await log.events();
    return events.reduce((most, { id }) => Math.max(most, Number(id) || 0), 0);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The position of the log and the user of the token; undefined if the token may not read the log. */
export async function logStart(log: AuditLog): Promise<LogStart | undefined> {
  const newest = await logPosition(log);
  if (newest === undefined) return undefined;
  try {
    return { newest, user: (await log.self()) ?? undefined };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
