// Handles a lost response that contained a one-time secret. The run deletes the object and creates
// it again, because nobody can use it without the secret.
import type { Kind } from '../../../kinds/kind.ts';
import { ApiError } from '../../../model/errors.ts';
import type { RemoteId } from '../../../model/names.ts';
import { exactPattern } from '../../../model/objectName.ts';
import type { CreateAction } from '../../../model/plan.ts';
import { shellQuoted } from '../../../model/text/shellWord.ts';
import { nameText, quoted } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';
import { secretLost } from '../refused.ts';
import type { TurnContext } from '../turns/context.ts';
import { type CreatedObject, createOnce } from './lostAnswer.ts';
import { isNotFound } from './notFound.ts';

/** A new object, and notes about its creation. */
export interface Reported extends CreatedObject {
  readonly notes: readonly string[];
}

const FOUND = 'the response was lost, but a list shows that it was created';
const MADE_EARLIER = 'the earlier run had created it';

/** Creates an object and makes sure that its one-time secret was received. Throws the errors of `makeOnce`, or a `Refused`. */
export async function createWithSecret(
  action: CreateAction,
  body: JsonObject,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<Reported> {
  const { kind, begun } = context;
  const { oneTimeSecret: field } = kind;
  const make = () => createOnce(action, body, parentId, context);
  const reported = (made: CreatedObject): Reported => {
    const note = begun ? MADE_EARLIER : FOUND;
    return { ...made, notes: made.isFound ? [note] : [] };
  };
  if (field === undefined) return reported(await make());
  const first = await make().catch((error: unknown) => {
    throw doubtful(action, kind, error);
  });
  if (!first.isFound || begun?.isKept) return reported(first);
  const lost = `the response to its creation was lost, and with it its ${quoted(field)}`;
  // Some kinds, such as `user`, refuse replacement. The run must not delete the created object and
  // create it again, so its secret stays lost.
  if (kind.replace === 'refuse') return { ...first, notes: [lost] };
  await remove(first.id, parentId, lost, context);
  const second = await make();
  const why = 'the responses to both creations were lost';
  if (second.isFound) throw secretLost(action, kind, { id: second.id, field, why });
  return {
    ...second,
    notes: [`${lost}: the created object (id ${first.id}) was deleted, and created again`],
  };
}

async function remove(
  id: RemoteId,
  parentId: RemoteId | undefined,
  lost: string,
  { kind, port }: TurnContext,
): Promise<void> {
  try {
    await port.delete(kind, { id, ...(parentId !== undefined && { parentId }) });
  } catch (error) {
    if (isNotFound(error)) return;
    if (!(error instanceof ApiError)) throw error;
    const message = `${lost}; the created object (id ${nameText(id)}) could not be deleted: ${error.message}`;
    throw new ApiError({ ...error.details, message, mayHaveHappened: true }, { cause: error });
  }
}

// The error for a create whose outcome is unknown. If the object exists, the next plan finds no
// difference, so nobody would notice that its secret is missing.
function doubtful(
  { key }: CreateAction,
  { name, depth, oneTimeSecret: field = '' }: Kind,
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || !error.details.mayHaveHappened) return error;
  const { details, cause } = error;
  const message = `${details.message}; if it was created, its ${quoted(field)} is LOST: create a new one with --rotate ${shellQuoted(exactPattern({ kind: name, key }, depth))}`;
  return new ApiError({ ...details, message }, { cause });
}
