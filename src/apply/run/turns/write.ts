// Sends a PUT and verifies what was stored. Values that the response does not show are read back,
// usually later.
import isEqual from 'fast-deep-equal';
import type { ObjectId } from '../../../api/account/objectClient.ts';
import { ApiError } from '../../../model/errors.ts';
import type { Action } from '../../../model/plan.ts';
import { quoted } from '../../../model/text/visible.ts';
import type { Fields, JsonObject } from '../../../model/value.ts';
import { encodeUpdate } from '../../../wire/encode.ts';
import { separateParts } from '../../../wire/layout.ts';
import { notStored } from '../refused.ts';
import type { TurnContext } from './context.ts';
import { goneNote, withoutGone } from './goneMembers.ts';
import { withoutGoneReferences } from './goneReferences.ts';
import { resolverFor } from './resolver.ts';
import { fieldsNotStored, isVisible, unstoredValues } from './storedFields.ts';

/** The fields to write, and the members of shared sets that must be absent afterwards. */
export interface Wanted {
  readonly fields: Fields;
  readonly removed: Fields;
}

/** An object after a write, with the names of the fields that differ from the request. */
export interface Settled {
  readonly body: JsonObject;
  readonly lost: readonly string[];
  /** Whether the response does not show what was stored, so that the object must be read back. */
  readonly isOpen: boolean;
}

/** The result of a PUT that was stored, or that must be read back. */
export interface Put {
  readonly notes: readonly string[];
  readonly isOpen: boolean;
}

/**
 * Writes `wanted` over the `read` values, and compares it with what was stored if the response
 * shows this. If the response to the PUT was lost, the PUT is done if a read shows all wanted
 * values. Throws a `Refused` or an `ApiError` if the PUT is not done.
 */
export async function put(
  action: Action,
  wanted: Wanted,
  read: JsonObject,
  at: ObjectId,
  context: TurnContext,
): Promise<Put> {
  const { kind, names } = context;
  const resolve = await resolverFor(wanted.fields, context);
  const sentBack = await withoutGoneReferences(kind, wanted.fields, read, context);
  const { answer, doubt } = await send(
    encodeUpdate(kind, wanted.fields, sentBack.read, resolve),
    at,
    context,
  );
  if (doubt && !isVisible(kind, wanted.fields)) throw doubt;
  const isNow = doubt !== undefined || context.isReadBack;
  const settled = await settle(wanted, { answer, read, isNow }, at, context).catch(
    (error: unknown) => {
      throw doubt ?? error;
    },
  );
  const { lost, gone } = await withoutGone(
    wanted,
    settled.body,
    { action, lost: settled.lost },
    context,
  );
  if (lost.length > 0)
    throw doubt ?? notStored(action, lost, unstoredValues(action, lost, settled.body, kind));
  names.learn(kind.name, action.key, at.id, settled.body);
  const answered = doubt
    ? ['the response was lost, but a read shows that the write succeeded']
    : [];
  const left = [...answered, ...sentBack.notes];
  const notes = gone.length > 0 ? [...left, goneNote(gone)] : left;
  return { notes, isOpen: settled.isOpen };
}

// The response to a PUT, or an unknown outcome if no response arrived.
async function send(
  body: JsonObject,
  at: ObjectId,
  context: TurnContext,
): Promise<{ readonly answer: JsonObject | null; readonly doubt?: ApiError }> {
  try {
    return { answer: await context.port.update(context.kind, at, body) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!error.details.mayHaveHappened) throw await withStoredParts(error, body, at, context);
    return { answer: null, doubt: error };
  }
}

// A server may store a part of a request that it refuses (docs/server-behaviour.md#account-settings). A read shows the stored
// part.
async function withStoredParts(
  error: ApiError,
  sent: JsonObject,
  at: ObjectId,
  { kind, port }: TurnContext,
): Promise<ApiError> {
  const parts = separateParts(kind, sent);
  if (parts.length === 0) return error;
  const now = await port.read(kind, at).catch(unread);
  const stored = now ? parts.filter(root => isEqual(now[root], sent[root])) : [];
  if (stored.length === 0) return error;
  const message = `${error.details.message}; nevertheless, the account has ${stored.map(quoted).join(' and ')} as it was sent`;
  return new ApiError({ ...error.details, message }, { cause: error });
}

function unread(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}

/** The known state after a write. */
export interface WrittenState {
  /** The response; null if it has no content. */
  readonly answer: JsonObject | null;
  /** The object before the write. */
  readonly read: JsonObject;
  /** Whether to read the object at once if the response does not show what was stored. */
  readonly isNow: boolean;
}

/**
 * Compares the wanted values with the response to a write. If the response does not show what was
 * stored, the action stays open, unless the object must be read at once or the response already
 * shows a difference.
 */
export async function settle(
  wanted: Wanted,
  { answer, read, isNow }: WrittenState,
  at: ObjectId,
  { kind, port, names }: TurnContext,
): Promise<Settled> {
  const lost = answer === null ? [] : fieldsNotStored(kind, wanted, answer, names);
  // A field that is missing in a response may still be stored.
  const isShown = (name: string) => answer !== null && answer[name] !== undefined;
  if (answer !== null && !kind.isReadAlways && lost.every(isShown))
    return { body: answer, lost, isOpen: false };
  if (!isNow && !lost.some(isShown)) return { body: answer ?? read, lost: [], isOpen: true };
  const body = await port.read(kind, at).catch(unverified);
  return { body, lost: fieldsNotStored(kind, wanted, body, names), isOpen: false };
}

// The write is done, and a failed read does not revert it.
function unverified(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const message = `it was written, but it is unknown what the server stored: ${error.message}`;
  throw new ApiError({ ...error.details, message, mayHaveHappened: true }, { cause: error });
}
