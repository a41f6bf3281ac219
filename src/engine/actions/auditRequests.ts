// The requests that a run makes besides its actions to see who else was at work: for the audit log, and for the sets that it wrote.
import type { KindTable } from '../../kinds/kind.ts';
import { replacedSets } from '../../kinds/values/replacedSets.ts';
import type { Action } from '../../model/plan.ts';

/**
 * The number of requests for the audit log: one before the run, if a create may have to be proved ours; one more after
 * updates, with the caller. Sets that others can join are read once more, with one list for each kind.
 */
export function requestsToLook(actions: readonly Action[], kinds: KindTable): number {
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
