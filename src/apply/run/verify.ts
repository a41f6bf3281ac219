// All preconditions of a plan, checked before the first write: a stale plan is refused whole, not after half of it.
import pLimit from 'p-limit';
import type { EarlierRun } from '../../model/journal.ts';
import type { ActionId } from '../../model/names.ts';
import type { Fault } from '../../model/outcome.ts';
import type { Action, CreateAction, DeleteAction, Plan, UpdateAction } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { listedOrNothing } from '../recovery/gone.ts';
import { type CheckContext, placeOf } from '../turns/context.ts';
import { unsealed } from '../turns/openSecrets.ts';
import { refusePresent, refuseUnseen, stateOfUpdate } from '../turns/preconditions.ts';
import { GONE, Refused, stale } from './refused.ts';

/** What verifying needs besides the plan. */
export interface Verifying {
  readonly contextOf: (action: Action) => CheckContext;
  readonly concurrency: number;
  /** What an earlier run of the plan has done or begun is not checked again: its own turn looks at it. */
  readonly earlier: EarlierRun | undefined;
}

/** The actions whose preconditions do not hold, each with what is wrong. Throws an `ApiError` where a list cannot be read. */
export async function staleActions(
  { actions }: Plan,
  { contextOf, concurrency, earlier }: Verifying,
): Promise<ReadonlyMap<ActionId, Fault>> {
  const limit = pLimit(concurrency);
  const found = new Map<ActionId, Fault>();
  const check = async (action: Action): Promise<void> => {
    try {
      const context = contextOf(action);
      await checkOne(await unsealed(action, context), context);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      found.set(action.id, error.fault);
    }
  };
  const open = firstOfEach(actions).filter(
    ({ id }) => !earlier?.done.has(id) && !earlier?.sent.has(id) && !earlier?.begun.has(id),
  );
  await Promise.all(open.map(action => limit(() => check(action))));
  return found;
}

// Of an object that is written in several steps, only the first finds it as the plan saw it.
function firstOfEach(actions: readonly Action[]): Action[] {
  const written = new Set<string>();
  return actions.filter(action => {
    if (action.verb === 'create') return true;
    const object = `${action.kind} ${action.remoteId}`;
    const isFirst = !written.has(object);
    written.add(object);
    return isFirst;
  });
}

async function checkOne(action: Action, context: CheckContext): Promise<void> {
  if (action.verb === 'create') {
    if (isReady(action, context)) await refusePresent(action, context);
    return;
  }
  const body = await listedBody(action, context);
  if (body === undefined) {
    // A delete of what is gone already is done.
    if (action.verb === 'update') throw stale(action, GONE);
    return;
  }
  if (action.verb === 'update') stateOfUpdate(action, body, context);
  else await refuseUnseen(action, body, context, (kind, id) => context.lists.list(kind, id));
}

// What is inside an object that the run has not created yet cannot be there either.
function isReady({ parent }: CreateAction, { kind, names }: CheckContext): boolean {
  return kind.parent === undefined || names.find(kind.parent, parent ?? '') !== undefined;
}

async function listedBody(
  action: UpdateAction | DeleteAction,
  { kind, lists }: CheckContext,
): Promise<JsonObject | undefined> {
  const { id, parentId } = placeOf(action);
  const listed = await listedOrNothing(lists.list(kind, parentId));
  return listed.find(object => object.id === id)?.body;
}
