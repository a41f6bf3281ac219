// Where the account's audit log stood before a run: what comes after it happened during the run.
import type { KindTable } from '../../kinds/kind.ts';
import { ApiError } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { AuditLog } from '../run/port.ts';

/** Whether a run of the plan may have to ask the log who did something. */
export function needsLog({ actions }: Plan, kinds: KindTable): boolean {
  return actions.some(
    ({ verb, kind }) =>
      verb === 'update' || (verb === 'create' && kinds.get(kind)?.createdEvent !== undefined),
  );
}

/** The id of the newest event, 0 where there is none; undefined where the token may not see the log. */
export async function logPosition(log: AuditLog): Promise<number | undefined> {
  try {
    const events = await log.events();
    return events.reduce((most, { id }) => Math.max(most, Number(id) || 0), 0);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
