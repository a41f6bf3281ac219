// The requests for the audit log that a run makes besides its actions.
import type { KindTable } from '../../kinds/kind.ts';
import type { Action } from '../../model/plan.ts';

/**
 * The number of requests for the audit log: one before the run, if a create may have to be proved ours; one more after
 * updates, with the caller.
 */
export function requestsToLook(actions: readonly Action[], kinds: KindTable): number {
  if (actions.some(({ verb }) => verb === 'update')) return 3;
  return actions.some(
    ({ verb, kind }) => verb === 'create' && kinds.get(kind)?.createdEvent !== undefined,
  )
    ? 1
    : 0;
}
