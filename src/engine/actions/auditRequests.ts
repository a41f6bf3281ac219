// The number of requests, besides its actions, by which a run finds out who else changed the account: requests for the audit log
// and for the sets that the run wrote.
import type { KindTable } from '../../kinds/kind.ts';
import { replacedSets } from '../../kinds/values/replacedSets.ts';
import type { Action } from '../../model/plan.ts';

/**
 * The number of requests for the audit log and for shared sets. The log is read once before the run, if the run may have to prove
 * that it made a create. After updates, there are two more requests: the log again, and the caller. Sets that others can join are
 * read once more, with one list for each kind.
 */
export function auditRequests(actions: readonly Action[], kinds: KindTable): number {
  const updated = new Set(actions.flatMap(({ verb, kind }) => (verb === 'update' ? kind : [])));
  const joined = [...updated].filter(name => {
    const kind = kinds.get(name);
    return kind !== undefined && replacedSets(kind).length > 0;
  });
  if (updated.size > 0) return 3 + joined.length;
  return actions.some(
    ({ verb, kind }) => verb === 'create' && kinds.get(kind)?.createdEvent !== undefined,
  )
    ? 1
    : 0;
}
