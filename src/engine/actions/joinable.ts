// Writes of sets that others can join: after them, a run checks whether it removed somebody.
import type { Kind, KindTable, RemovalEvent } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { Action, UpdateAction } from '../../model/plan.ts';

/** A write of a set that others can join. */
export interface JoinableWrite {
  readonly action: UpdateAction;
  readonly kind: Kind;
  readonly field: string;
  readonly removalEvent: RemovalEvent;
}

/** The writes of an action that may remove members of others. */
export function joinableWrites(action: Action, kinds: KindTable): JoinableWrite[] {
  if (action.verb !== 'update') return [];
  const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
  return Object.keys(action.members).flatMap(field => {
    const removalEvent = kind.shape.fields.get(field)?.removalEvent;
    return removalEvent ? [{ action, kind, field, removalEvent }] : [];
  });
}

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
