// Makes an object. What the create ignores, an update settles within the same turn (design law 2; facts, item 8), and what
// the server shows of it once is handed on before anything else is done.
import { ApiError } from '../model/errors.ts';
import type { CreateAction } from '../model/plan.ts';
import { nameText } from '../model/visible.ts';
import { encodeCreate } from '../wire/encode.ts';
import { type Done, parentOf, type TurnContext } from './context.ts';
import { keepRevealed } from './keepRevealed.ts';
import type { Made } from './lost.ts';
import { makeShown } from './lostSecret.ts';
import { notKept } from './refused.ts';
import { resolverFor } from './resolver.ts';
import { put, settle } from './write.ts';

/** Carries out a create. Throws a `Refused` or an `ApiError` where it is not done, or not wholly. */
export async function create(action: CreateAction, context: TurnContext): Promise<Done> {
  const body = encodeCreate(context.kind, action.fields, await resolverFor(action.fields, context));
  const made = await makeShown(action, body, parentOf(action, context), context);
  const kept = await keepRevealed(action, made, context);
  try {
    const completed = await complete(action, made, context);
    return { remoteId: made.id, notes: [...made.notes, ...kept, ...completed] };
  } catch (error) {
    throw error instanceof ApiError ? afterCreate(made, error) : error;
  }
}

async function complete(
  action: CreateAction,
  { id, answer }: Made,
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
function afterCreate({ id }: Made, { details, cause }: ApiError): ApiError {
  const message = `it was created (id ${nameText(id)}), but not completed: ${details.message}`;
  return new ApiError({ ...details, message }, { cause });
}
