// Finds names that must be unique in the account, and that an object outside the plan took since
// the plan was made, in another parent or by a rename. Without this check, the server would refuse
// a later write of the run.
import type { ListedObject } from '../../api/account/objectClient.ts';
import type { Kind } from '../../kinds/kind.ts';
import { ApiError, present } from '../../model/errors.ts';
import type { ActionId, RemoteId } from '../../model/names.ts';
import type { Fault } from '../../model/outcome.ts';
import type { Action, CreateAction, Plan, UpdateAction } from '../../model/plan.ts';
import { addAll } from '../../model/text/longLists.ts';
import { nameText } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import { listedOrNothing } from './recovery/notFound.ts';
import { stale } from './refused.ts';
import { type CheckContext, parentOf } from './turns/context.ts';
import { identityGiven, identityHeld } from './turns/sameIdentity.ts';

/** The actions whose names are taken, with the reasons. Throws an `ApiError` if a list cannot be read. */
export async function takenNames(
  plan: Plan,
  open: readonly Action[],
  contextOf: (action: Action) => CheckContext,
): Promise<ReadonlyMap<ActionId, Fault>> {
  const changed = new Set(plan.changes.map(({ kind, id }) => `${kind} ${id}`));
  const found = new Map<ActionId, Fault>();
  const holders = new Map<string, Promise<Holders>>();
  for (const action of open) {
    const context = contextOf(action);
    if (!mayBeTaken(action, context)) continue;
    const list = listOf(action, context);
    const held = holders.get(list) ?? holdersIn(action, context);
    holders.set(list, held);
    const name = identityGiven(action, context);
    const others = (name === null ? [] : ((await held).get(name) ?? [])).filter(
      id => !isExpected(action, id, context) && !changed.has(`${action.kind} ${id}`),
    );
    if (others.length > 0) found.set(action.id, taken(action, others));
  }
  return found;
}

/** The ids of live objects by their identity. */
type Holders = ReadonlyMap<string, readonly RemoteId[]>;

// Whether the name of an action may be taken elsewhere. Objects in the same parent are compared
// before every create anyway.
function mayBeTaken(action: Action, { kind }: CheckContext): action is CreateAction | UpdateAction {
  if (action.verb === 'delete' || kind.unique === undefined) return false;
  return action.verb === 'update' || (kind.parent !== undefined && kind.unique === 'account');
}

// Whether the plan itself renames or deletes the object that has the name.
function isExpected(
  action: CreateAction | UpdateAction,
  id: RemoteId,
  { kind, names }: CheckContext,
): boolean {
  const isOwn =
    action.verb === 'update' ? action.remoteId === id : action.precondition.except.includes(id);
  return isOwn || names.isOwn(kind.name, id);
}

const taken = (action: Action, others: readonly RemoteId[]): Fault =>
  stale(
    action,
    `has a name that an object of the account took since the plan was made (id ${others.map(nameText).join(', ')})`,
  ).fault;

/** The kind and the parent within which the name has to be unique, as a key of a map. */
function listOf(action: Action, { kind, names }: CheckContext): string {
  const parentId = kind.unique === 'parent' ? parentOf(action, { kind, names }) : undefined;
  return `${kind.name} ${parentId}`;
}

async function holdersIn(action: Action, context: CheckContext): Promise<Holders> {
  const { kind, lists } = context;
  const parentId = kind.unique === 'parent' ? parentOf(action, context) : undefined;
  const listed =
    kind.parent === undefined || parentId !== undefined
      ? await listedOrNothing(lists.list(kind, parentId))
      : await listedEverywhere(kind, context);
  const byName = new Map<string, RemoteId[]>();
  for (const { id, body } of listed) {
    const name = identityHeld(kind, body);
    if (name !== null) byName.set(name, [...(byName.get(name) ?? []), id]);
  }
  return byName;
}

// Reads one list if the server has it, otherwise one list for each parent.
async function listedEverywhere(
  kind: Kind,
  { kinds, lists }: CheckContext,
): Promise<readonly ListedObject[]> {
  if (kind.listAllPath !== undefined) {
    const all = await lists.list(kind).catch((error: unknown) => {
      if (error instanceof ApiError && !error.details.retryable) return null;
      throw error;
    });
    if (all !== null) return all;
  }
  const parent = present(kind.parent && kinds.get(kind.parent), `the parent of ${kind.name}`);
  const found: ListedObject[] = [];
  for (const { id, body } of await lists.list(parent)) {
    const children = kind.childIds === undefined ? undefined : body[kind.childIds];
    const isEmpty = children === null || (isList(children) && children.length === 0);
    if (!isEmpty) addAll(found, await listedOrNothing(lists.list(kind, id)));
  }
  return found;
}
