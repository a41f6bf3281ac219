// One client for objects of any kind: everything it knows of a kind it reads from the kind's traits.
import type { Kind } from '../kinds/kind.ts';
import { ApiError, type RequestLine } from '../model/errors.ts';
import { type RemoteId, remoteId } from '../model/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../model/value.ts';
import { nameText } from '../model/visible.ts';
import { collectionPath, itemPath, listPath } from './paths.ts';
import type { ReadTransport, WriteTransport } from './transport.ts';

/** Where an object is: its id, and that of the object it nests in. */
export interface Location {
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
}

/** One object of a collection, as the API gave it. */
export interface ListedObject {
  readonly id: RemoteId;
  readonly body: JsonObject;
}

/**
 * The objects of a collection. The server's `null` for an empty list is an empty list (facts, item 4); anything else
 * that is not a list of objects with ids throws, for it must not be taken for less than it stands for.
 */
export async function listObjects(
  transport: ReadTransport,
  kind: Kind,
  parentId?: RemoteId,
): Promise<readonly ListedObject[]> {
  if (kind.cardinality === 'singleton') return listSingleton(transport, kind);
  const path = listPath(kind, parentId);
  const answer = await transport.get(path);
  const items = answer === null ? [] : answer;
  const line = { method: 'GET', path };
  if (!isList(items) || !items.every(isObject)) throw badAnswer(line, 'is not a list of objects');
  return items
    .filter(item => isOfKind(kind, item))
    .map(item => identified(item, line, 'lists an object without an id'));
}

// An account has one of it or none, and none reads as something that is not found (facts §5.17).
async function listSingleton(transport: ReadTransport, kind: Kind): Promise<ListedObject[]> {
  const path = collectionPath(kind);
  const answer = await transport.get(path).catch((error: unknown) => {
    if (error instanceof ApiError && error.details.code === 'API_NOT_FOUND') return null;
    throw error;
  });
  if (answer === null) return [];
  const line = { method: 'GET', path };
  return [identified(objectIn(answer, line), line, 'has no id')];
}

// What a server leaves out is false (facts, item 28); one that does not filter by itself is filtered here.
function isOfKind({ where }: Kind, body: JsonObject): boolean {
  return where === undefined || (body[where.field] ?? false) === where.equals;
}

/** One object as it is now. Throws `API_NOT_FOUND` where it is gone. */
export async function readObject(
  transport: ReadTransport,
  kind: Kind,
  { id, parentId }: Location,
): Promise<JsonObject> {
  if (kind.reread === 'list') {
    const found = (await listObjects(transport, kind, parentId)).find(item => item.id === id);
    if (!found) throw notListed({ method: 'GET', path: listPath(kind, parentId) }, id);
    return found.body;
  }
  const path = itemPath(kind, id, parentId);
  return objectIn(await transport.get(path), { method: 'GET', path });
}

/** An object that was just made. */
export interface CreatedObject {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  /** A secret that the answer shows and no other ever will. */
  readonly revealed?: string;
}

/** Makes an object and returns the server's answer, which holds its id. */
export async function createObject(
  transport: WriteTransport,
  kind: Kind,
  body: JsonObject,
  parentId?: RemoteId,
): Promise<CreatedObject> {
  const path = collectionPath(kind, parentId);
  const line = { method: 'POST', path };
  const whole = objectIn(await transport.write('POST', path, body), line);
  const { envelope } = kind;
  const answer = envelope === undefined ? whole : objectIn(whole[envelope] ?? null, line);
  const revealed = revealedIn(kind, whole);
  return {
    id: identified(answer, line, 'has no id').id,
    answer,
    ...(revealed !== undefined && { revealed }),
  };
}

// The spec calls a new token an object and does not show what is in it; the public server sends a text (facts §5.11).
function revealedIn({ reveals }: Kind, whole: JsonObject): string | undefined {
  const shown = reveals === undefined ? undefined : whole[reveals];
  const value = isObject(shown)
    ? Object.values(shown).find(part => typeof part === 'string')
    : shown;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Replaces an object and returns the server's answer; null where it is not that object, or nothing at all. */
export async function updateObject(
  transport: WriteTransport,
  kind: Kind,
  { id, parentId }: Location,
  body: JsonObject,
): Promise<JsonObject | null> {
  const answer = await transport.write('PUT', itemPath(kind, id, parentId), body);
  return isObject(answer) && idOf(answer) === id ? answer : null;
}

/** Deletes an object. */
export async function deleteObject(
  transport: WriteTransport,
  kind: Kind,
  { id, parentId }: Location,
): Promise<void> {
  await transport.write('DELETE', itemPath(kind, id, parentId));
}

// An id is an opaque text; some servers write it as a number (design §7).
function idOf({ id }: JsonObject): RemoteId | null {
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? remoteId(id) : null;
}

function objectIn(answer: Json, line: RequestLine): JsonObject {
  if (!isObject(answer)) throw badAnswer(line, 'is not an object');
  return answer;
}

function identified(body: JsonObject, line: RequestLine, lack: string): ListedObject {
  const id = idOf(body);
  if (id === null) throw badAnswer(line, lack);
  return { id, body };
}

function badAnswer(request: RequestLine, what: string): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request,
    message: `the answer to ${request.method} ${request.path} ${what}`,
    retryable: false,
    mayHaveHappened: request.method !== 'GET',
  });
}

function notListed(request: RequestLine, id: RemoteId): ApiError {
  return new ApiError({
    code: 'API_NOT_FOUND',
    request,
    message: `${request.path} no longer lists ${nameText(id)}`,
    retryable: false,
    mayHaveHappened: false,
  });
}
