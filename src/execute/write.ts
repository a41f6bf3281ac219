// A PUT, and whether the server kept what it was sent (design law 2). An answer that does not say is followed by a read.
import { ApiError } from '../model/errors.ts';
import type { Action } from '../model/plan.ts';
import type { Fields, JsonObject } from '../model/value.ts';
import { encodeUpdate } from '../wire/encode.ts';
import type { TurnContext } from './context.ts';
import { fieldsNotKept, isVisible } from './kept.ts';
import type { Place } from './port.ts';
import { notKept } from './refused.ts';
import { resolverFor } from './resolver.ts';

/** What is to be written, and what of shared sets is to be gone afterwards. */
export interface Wanted {
  readonly fields: Fields;
  readonly removed: Fields;
}

/** An object after a write, with the names of the fields that are not as they should be. */
export interface Settled {
  readonly body: JsonObject;
  readonly lost: readonly string[];
}

/**
 * Puts `wanted` over what was `read` and looks whether it was kept. Resolves to notes for people.
 * A PUT whose answer was lost is done where a read shows all that it asked for.
 */
export async function put(
  action: Action,
  wanted: Wanted,
  read: JsonObject,
  at: Place,
  context: TurnContext,
): Promise<string[]> {
  const { kind, names } = context;
  const resolve = await resolverFor(wanted.fields, context);
  const { answer, doubt } = await send(
    encodeUpdate(kind, wanted.fields, read, resolve),
    at,
    context,
  );
  if (doubt && !isVisible(kind, wanted.fields)) throw doubt;
  const settled = await settle(wanted, answer, at, context).catch((error: unknown) => {
    throw doubt ?? error;
  });
  if (settled.lost.length > 0) throw doubt ?? notKept(action, settled.lost);
  names.learn(kind.name, action.key, at.id, settled.body);
  return doubt ? ['the answer was lost, but a read shows that it was done'] : [];
}

// The answer to a PUT, or the doubt that is left where none came.
async function send(
  body: JsonObject,
  at: Place,
  { kind, port }: TurnContext,
): Promise<{ readonly answer: JsonObject | null; readonly doubt?: ApiError }> {
  try {
    return { answer: await port.update(kind, at, body) };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details.mayHaveHappened) throw error;
    return { answer: null, doubt: error };
  }
}

/** Compares what is wanted with the answer to a write, or with what a read shows where the answer does not say. */
export async function settle(
  wanted: Wanted,
  answer: JsonObject | null,
  at: Place,
  { kind, port, names }: TurnContext,
): Promise<Settled> {
  if (answer !== null && kind.settled === 'answer') {
    const lost = fieldsNotKept(kind, wanted, answer, names);
    // A field that an answer does not show at all may be kept all the same.
    if (lost.every(name => answer[name] !== undefined)) return { body: answer, lost };
  }
  const body = await port.read(kind, at).catch(unverified);
  return { body, lost: fieldsNotKept(kind, wanted, body, names) };
}

// The write is behind us: that it cannot be looked at does not undo it.
function unverified(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const message = `it was written, but what was kept is not known: ${error.message}`;
  throw new ApiError({ ...error.details, message, mayHaveHappened: true }, { cause: error });
}
