// Whether the results of an apply are still in the account. A completed plan is not carried out
// again.
import pLimit from 'p-limit';
import type { KindTable } from '../../../kinds/kind.ts';
import { present } from '../../../model/errors.ts';
import type { EarlierRun } from '../../../model/journal.ts';
import type { ActionId, Address, RemoteId } from '../../../model/names.ts';
import type { Action, Plan } from '../../../model/plan.ts';
import type { AccountPort, OpenSecret } from '../../port.ts';
import { openedFields } from '../turns/openSecrets.ts';
import { wantedOver } from '../turns/preconditions.ts';
import { RecentLists } from '../turns/recentLists.ts';
import { type RunNames, runNames } from '../turns/runNames.ts';
import { fieldsNotStored } from '../turns/storedFields.ts';
import { listedOrNothing } from './notFound.ts';

/** The inputs of the check. */
export interface ResultContext {
  readonly kinds: KindTable;
  readonly port: Pick<AccountPort, 'list'>;
  readonly now: () => number;
  readonly concurrency: number;
  readonly openSecret: OpenSecret;
}

/**
 * The objects that, according to a read, differ from the result of a complete run of the plan.
 * Throws an `ApiError` if the account cannot be read.
 */
export async function lostResults(
  plan: Plan,
  run: EarlierRun,
  { kinds, port, now, concurrency, openSecret }: ResultContext,
): Promise<readonly Address[]> {
  const names = runNames(plan);
  for (const { kind, key, id, server_fields: body } of run.names) names.learn(kind, key, id, body);
  const limit = pLimit(concurrency);
  const lists = new RecentLists(port, now);
  const lost = await Promise.all(
    lastOfEach(plan.actions, run).map(({ action, id }) =>
      limit(async () =>
        (await isThere(action, id, { kinds, lists, names, openSecret })) ? [] : action.address,
      ),
    ),
  );
  return [...new Set(lost.flat())].sort();
}

interface Outcome {
  readonly action: Action;
  readonly id: RemoteId;
}

// The last outcome for each object. If a later action writes the object again, the result of the
// earlier action is not compared.
function lastOfEach(actions: readonly Action[], { done }: EarlierRun): Outcome[] {
  const idOf = (action: ActionId) => present(done.get(action), `the outcome of ${action}`).remoteId;
  const outcomes = actions.map(action => ({ action, id: idOf(action.id) }));
  return [...new Map(outcomes.map(one => [`${one.action.kind} ${one.id}`, one])).values()];
}

interface Looking extends Pick<ResultContext, 'kinds' | 'openSecret'> {
  readonly lists: RecentLists;
  readonly names: RunNames;
}

async function isThere(
  action: Action,
  id: RemoteId,
  { kinds, lists, names, openSecret }: Looking,
): Promise<boolean> {
  const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
  const parent = action.verb === 'delete' ? undefined : action.parent;
  const parentId =
    kind.parent && parent !== undefined
      ? names.find(kind.parent, parent)
      : action.verb === 'create'
        ? undefined
        : action.parentId;
  const listed = await listedOrNothing(lists.list(kind, parentId));
  const body = listed.find(object => object.id === id)?.body;
  if (action.verb === 'delete' || body === undefined)
    return (action.verb === 'delete') === (body === undefined);
  const opened = await openedFields(kind.shape, action.fields, openSecret);
  // A secret that cannot be opened, or that has another value now, counts as different from the
  // secret that the run sent.
  if ('fault' in opened) return false;
  const wanted = wantedOver({ ...action, fields: opened.fields }, body, { kind, names });
  return fieldsNotStored(kind, wanted, body, names).length === 0;
}
