// Makes an object. What the create ignores, an update settles within the same turn (design law 2; facts, item 8).
import { ApiError } from '../model/errors.ts';
import type { RemoteId } from '../model/names.ts';
import type { CreateAction } from '../model/plan.ts';
import type { JsonObject } from '../model/value.ts';
import { encodeCreate } from '../wire/encode.ts';
import { type Done, parentOf, type TurnContext } from './context.ts';
import { makeOnce } from './lost.ts';
import { notKept } from './refused.ts';
import { resolverOf } from './resolver.ts';
import { put, settle } from './write.ts';

/** Carries out a create. Throws a `Refused` or an `ApiError` where it is not done, or not wholly. */
export async function create(action: CreateAction, context: TurnContext): Promise<Done> {
  const body = encodeCreate(context.kind, action.fields, resolverOf(context));
  const { id, answer, isFound } = await makeOnce(action, body, parentOf(action, context), context);
  const found = isFound ? ['the answer was lost, but a list shows that it was made'] : [];
  try {
    return { remoteId: id, notes: [...found, ...(await complete(action, id, answer, context))] };
  } catch (error) {
    throw error instanceof ApiError ? afterCreate(id, error) : error;
  }
}

async function complete(
  action: CreateAction,
  id: RemoteId,
  answer: JsonObject,
  context: TurnContext,
): Promise<string[]> {
  const { kind, names } = context;
  const parentId = parentOf(action, context);
  const at = { id, ...(parentId !== undefined && { parentId }) };
  const wanted = { fields: action.fields, removed: {} };
  const { body, lost } = await settle(wanted, answer, at, context);
  names.learn(kind.name, action.key, id, body);
  if (lost.length === 0) return [];
  if (!kind.verbs.has('update')) throw notKept(action, lost);
  const notes = await put(action, wanted, body, at, context);
  return [`set by an update, because the create ignored it: ${lost.join(', ')}`, ...notes];
}

// Whoever reads that a create failed must not think that nothing was made.
function afterCreate(id: RemoteId, { details, cause }: ApiError): ApiError {
  const message = `it was created (id ${id}), but not completed: ${details.message}`;
  return new ApiError({ ...details, message }, { cause });
}
