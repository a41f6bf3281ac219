// The results of an earlier run that somebody deleted before another run continues it.
import type { EarlierRun } from '../../../model/journal.ts';
import type { ActionId, RemoteId } from '../../../model/names.ts';
import type { Fault } from '../../../model/outcome.ts';
import type { Action, CreateAction, Plan, UpdateAction } from '../../../model/plan.ts';
import { goneSince } from '../refused.ts';
import type { CheckContext } from '../turns/context.ts';
import { listedOrNothing } from './notFound.ts';

/**
 * The completed creates and updates of an earlier run whose objects are no longer in the account,
 * each with the fault that reports this. They are not sent again, and a base that contained them as
 * applied would be wrong. Throws an `ApiError` if a list cannot be read.
 */
export async function goneResults(
  { actions }: Plan,
  { done }: EarlierRun,
  contextOf: (action: Action) => CheckContext,
): Promise<ReadonlyMap<ActionId, Fault>> {
  const gone = new Map<ActionId, Fault>();
  for (const written of lastWrites(actions, done)) {
    const { action } = written;
    if (!(await isThere(written, contextOf(action)))) gone.set(action.id, goneSince(action));
  }
  return gone;
}

/** A completed write, and the object that it wrote. */
interface Written {
  readonly action: CreateAction | UpdateAction;
  readonly id: RemoteId;
}

// The last write of each object, without objects that the whole plan deletes.
function lastWrites(actions: readonly Action[], done: EarlierRun['done']): readonly Written[] {
  const last = new Map<string, Written>();
  for (const action of actions) {
    const id = done.get(action.id)?.remoteId;
    if (action.verb === 'delete') last.delete(`${action.kind} ${action.remoteId}`);
    else if (id !== undefined) last.set(`${action.kind} ${id}`, { action, id });
  }
  return [...last.values()];
}

async function isThere(
  { action, id }: Written,
  { kind, names, lists }: CheckContext,
): Promise<boolean> {
  const parentId =
    kind.parent !== undefined && action.parent !== undefined
      ? names.find(kind.parent, action.parent)
      : action.verb === 'update'
        ? action.parentId
        : undefined;
  const listed = await listedOrNothing(lists.list(kind, parentId));
  return listed.some(object => object.id === id);
}
