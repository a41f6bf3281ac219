// Begins the journal of a run before the run has the lock of its account. This is possible if the
// plan is already known.
import { readTransport } from '../api/transport/transport.ts';
import { kindsIn } from '../kinds/schema/table.ts';
import type { SavedPlan } from '../report/plan/savedPlan.ts';
import { headOf } from './applyPlan.ts';
import { type StartedJournal, type Starting, startedJournal } from './journal/startedJournal.ts';
import type { ApplyRequest } from './request.ts';
import { logStart } from './run/concurrent/logPosition.ts';

/**
 * Begins the journal of a run that is about to apply a plan. Undefined if the last position of the
 * audit log is unknown, because the journal could then not prove which objects the run creates.
 */
export async function beginJournal(
  saved: SavedPlan,
  request: ApplyRequest,
  { signer, by }: Pick<Starting, 'signer' | 'by'>,
): Promise<StartedJournal | undefined> {
  const { kinds, connection, host } = request;
  const { auditLog } = await import('../api/account/auditLog.ts');
  const served = kindsIn(kinds, saved.plan.dialect);
  const log = await logStart(auditLog(readTransport(connection), served));
  return log && startedJournal(saved, headOf(request), { log, signer, by, now: host.now });
}
