// Writes of sets that others join by themselves: a run looks afterwards whether it pushed somebody out.
import type { Kind, KindTable, RemovalEvent } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { Action, UpdateAction } from '../../model/plan.ts';

/** A write of such a set. */
export interface JoinableWrite {
  readonly action: UpdateAction;
  readonly kind: Kind;
  readonly field: string;
  readonly removalEvent: RemovalEvent;
}

/** The writes of an action that somebody may be pushed out by. */
export function joinableWrites(action: Action, kinds: KindTable): JoinableWrite[] {
  if (action.verb !== 'update') return [];
  const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
  return Object.keys(action.members).flatMap(field => {
    const removalEvent = kind.shape.fields.get(field)?.removalEvent;
    return removalEvent ? [{ action, kind, field, removalEvent }] : [];
  });
}

/**
 * Requests for the server's log, if nothing is looked for in it: before the run, where one of its creates may have to be
 * proved ours; after updates once more, with who we are.
 */
export function requestsToLook(actions: readonly Action[], kinds: KindTable): number {
  if (actions.some(({ verb }) => verb === 'update')) return 3;
  return actions.some(
    ({ verb, kind }) => verb === 'create' && kinds.get(kind)?.createdEvent !== undefined,
  )
    ? 1
    : 0;
}
