// Creates an object. If the server did not store a field, the same turn sends an update
// (docs/design.md#canonical-comparison). A one-time secret is stored before anything else happens.
import type { Kind } from '../../../kinds/kind.ts';
import { ApiError } from '../../../model/errors.ts';
import type { CreateAction } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';
import { encodeCreate } from '../../../wire/encode.ts';
import type { CreatedObject } from '../recovery/lostAnswer.ts';
import { createWithSecret } from '../recovery/lostSecret.ts';
import { notStored } from '../refused.ts';
import { type Done, parentOf, type TurnContext } from './context.ts';
import { keepRevealed } from './keepRevealed.ts';
import { wantedOver } from './preconditions.ts';
import { resolverFor } from './resolver.ts';
import { type Put, put, settle } from './write.ts';

/**
 * Carries out a create. Throws a `Refused` or an `ApiError` if the create is not done completely.
 */
export async function create(action: CreateAction, context: TurnContext): Promise<Done> {
  const body = encodeCreate(context.kind, action.fields, await resolverFor(action.fields, context));
  const made = await createWithSecret(action, body, parentOf(action, context), context);
  const kept = made.isFound ? [] : await keepRevealed(action, made, context);
  try {
    const completed = await complete(action, made, context);
    const { isOpen } = completed;
    return { remoteId: made.id, notes: [...made.notes, ...kept, ...completed.notes], isOpen };
  } catch (error) {
    throw error instanceof ApiError ? afterCreate(made, error) : error;
  }
}

async function complete(
  action: CreateAction,
  { id, answer, isFound }: CreatedObject,
  context: TurnContext,
): Promise<Put> {
  const { kind, names } = context;
  const parentId = parentOf(action, context);
  const at = { id, ...(parentId !== undefined && { parentId }) };
  const wanted = wantedOver(action, answer, context);
  const isNow = Object.keys(action.fields).some(name => mayBeIgnored(kind, name, answer));
  const { body, lost, isOpen } = await settle(wanted, { answer, read: answer, isNow }, at, context);
  names.learn(kind.name, action.key, id, body);
  if (lost.length === 0) return { notes: [], isOpen };
  if (!kind.verbs.has('update')) throw notStored(action, lost);
  const done = await put(action, wanted, body, at, context);
  const isChanged = isFound && context.begun !== undefined;
  const why = isChanged ? 'changed since the earlier run, set again' : CREATE_IGNORED;
  const note = `${why}: ${lost.join(', ')}`;
  return { notes: [note, ...done.notes], isOpen: done.isOpen };
}

const CREATE_IGNORED = 'ignored by the create, set by an update';

// Whether a create may ignore a field and its response does not show the field. If so, the same
// turn sets the field.
const mayBeIgnored = ({ shape }: Kind, name: string, answer: JsonObject): boolean =>
  shape.fields.get(name)?.updateOnly !== undefined && answer[name] === undefined;

// Adds to the error of a later failure that an object was created.
function afterCreate({ id }: CreatedObject, { details, cause }: ApiError): ApiError {
  const message = `it was created (id ${nameText(id)}), but not completed: ${details.message}`;
  return new ApiError({ ...details, message }, { cause });
}
