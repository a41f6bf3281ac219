// A client for objects of any kind. Everything that depends on the kind comes from its declaration.
import type { Kind } from '../../kinds/kind.ts';
import { isWithoutId } from '../../kinds/lookup.ts';
import { ApiError, present, type RequestLine } from '../../model/errors.ts';
import { type RemoteId, remoteId } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { bodyFault, isInexact } from '../../wire/bodyFaults.ts';
import { lifted } from '../../wire/layout.ts';
import { pathValueFault } from '../transport/requestPath.ts';
import type { ReadTransport, WriteTransport } from '../transport/transport.ts';
import { collectionPath, itemPath, listPath } from './objectPaths.ts';

/** The id of an object, with the id of its parent if its kind has one. */
export interface ObjectId {
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
}

/** One object of a collection, as the API returned it. */
export interface ListedObject {
  readonly id: RemoteId;
  readonly body: JsonObject;
}

/**
 * The objects of a collection. For a nested kind without `parentId`, the objects in all parents.
 * The server's `null` for an empty list is an empty list
 * (docs/server-behaviour.md#lists-that-read-as-null). Throws for anything else that is not a list
 * of objects with ids, because an incomplete list would make live objects look deleted.
 */
export async function listObjects(
  transport: ReadTransport,
  kind: Kind,
  parentId?: RemoteId,
): Promise<readonly ListedObject[]> {
  if (kind.cardinality === 'singleton') return listSingleton(transport, kind);
  if (kind.parent !== undefined && parentId === undefined && kind.listAllPath !== undefined)
    return listAt(transport, kind, kind.listAllPath);
  return listAt(transport, kind, listPath(kind, parentId));
}

/** The objects of a kind that are listed at a path of the server. Throws the same errors as `listObjects`. */
export async function listAt(
  transport: ReadTransport,
  kind: Kind,
  path: string,
): Promise<readonly ListedObject[]> {
  const answer = await transport.get(path);
  const items = answer === null ? [] : answer;
  const line = { method: 'GET', path };
  if (!isList(items) || !items.every(isObject)) throw badAnswer(line, 'is not a list of objects');
  const listed = items
    .filter(item => isOfKind(kind, item))
    .map(item => sound(kind, lifted(kind, item), line, 'lists an object without an id'));
  const twice = firstTwice(listed.map(({ id }) => id));
  if (twice !== undefined)
    throw badAnswer(line, `lists two objects with the id ${nameText(twice)}`);
  return listed;
}

function firstTwice(ids: readonly RemoteId[]): RemoteId | undefined {
  const seen = new Set<RemoteId>();
  return ids.find(id => seen.size === seen.add(id).size);
}

// Lists a kind of which an account has at most one object. A missing object reads as not found
// (docs/server-behaviour.md#edr-integrations).
async function listSingleton(transport: ReadTransport, kind: Kind): Promise<ListedObject[]> {
  const path = collectionPath(kind);
  const answer = await transport.get(path).catch((error: unknown) => {
    if (error instanceof ApiError && error.details.code === 'API_NOT_FOUND') return null;
    throw error;
  });
  if (answer === null) return [];
  const line = { method: 'GET', path };
  return [sound(kind, objectIn(answer, line), line, 'has no id')];
}

// Whether an object belongs to the kind. Needed for lists that the server does not filter. A
// missing flag is false (docs/server-behaviour.md#json-bodies).
function isOfKind({ where }: Kind, body: JsonObject): boolean {
  return where === undefined || (body[where.field] ?? false) === where.equals;
}

/** Reads an object. Throws `API_NOT_FOUND` if it does not exist. */
export async function readObject(
  transport: ReadTransport,
  kind: Kind,
  { id, parentId }: ObjectId,
): Promise<JsonObject> {
  if (kind.isReadFromList) {
    const found = (await listObjects(transport, kind, parentId)).find(item => item.id === id);
    if (!found) throw notListed({ method: 'GET', path: listPath(kind, parentId) }, id);
    return found.body;
  }
  const path = itemPath(kind, id, parentId);
  const line = { method: 'GET', path };
  const body = objectIn(await transport.get(path), line);
  refuseFaulty(kind, body, line);
  return body;
}

/** An object that was just created. */
export interface CreatedObject {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  /** A secret that only this response shows. */
  readonly revealed?: string;
}

/** Creates an object and returns the response of the server, which contains its id. */
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
  const revealed = revealedIn(kind, whole, answer);
  return {
    id: identified(kind, answer, line, 'has no id').id,
    answer,
    ...(revealed !== undefined && { revealed }),
  };
}

// The specification says that a new token is an object, without describing its content. The public
// server sends a string.
function revealedIn(kind: Kind, whole: JsonObject, made: JsonObject): string | undefined {
  const { oneTimeSecret } = kind;
  const shown = oneTimeSecret === undefined ? undefined : whole[oneTimeSecret];
  const value = isObject(shown) ? secretIn(shown, kind, made) : shown;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

// The secret in a created object. Strings that the object also shows elsewhere, such as its id or
// its name, are excluded. If several strings remain, the secret is the field `plain_token` or
// `token`; otherwise undefined, because nothing is guessed.
function secretIn(shown: JsonObject, kind: Kind, made: JsonObject): Json | undefined {
  const known = new Set([...kind.shape.fields.keys()].filter(name => name !== kind.oneTimeSecret));
  const open = new Set(Object.values(made).filter(value => typeof value === 'string'));
  const texts = Object.entries(shown).filter(
    ([name, value]) => typeof value === 'string' && !known.has(name) && !open.has(value),
  );
  const names = [kind.oneTimeSecret ?? '', kind.oneTimeSecret?.split('_').at(-1) ?? ''];
  const named = names.flatMap(name => texts.filter(text => text[0] === name))[0];
  const [only, ...others] = texts;
  return (named ?? (others.length === 0 ? only : undefined))?.[1];
}

/** Replaces an object and returns the response of the server; null if the response is not the object. */
export async function updateObject(
  transport: WriteTransport,
  kind: Kind,
  { id, parentId }: ObjectId,
  body: JsonObject,
): Promise<JsonObject | null> {
  const answer = await transport.write('PUT', itemPath(kind, id, parentId), body);
  return isObject(answer) && idOf(kind, answer) === id ? lifted(kind, answer) : null;
}

/** Gives an object a new one-time secret, and returns it; undefined if the response does not show it. */
export async function renewSecret(
  transport: WriteTransport,
  kind: Kind,
  { id, parentId }: ObjectId,
  sends: JsonObject,
): Promise<string | undefined> {
  const { path: last } = present(kind.renewedBy, `a request for a new secret of a ${kind.noun}`);
  const path = `${itemPath(kind, id, parentId)}/${last}`;
  const hasBody = Object.keys(sends).length > 0;
  const answer = await transport.write('POST', path, hasBody ? sends : undefined);
  return revealedIn(kind, objectIn(answer, { method: 'POST', path }), {});
}

/** Deletes an object. */
export async function deleteObject(
  transport: WriteTransport,
  kind: Kind,
  { id, parentId }: ObjectId,
): Promise<void> {
  await transport.write('DELETE', itemPath(kind, id, parentId));
}

// An id is an opaque string. Some servers write it as a number
// (docs/server-behaviour.md#differences-from-the-specification).
function idOf(kind: Kind, { id }: JsonObject): RemoteId | null {
  if (isWithoutId(kind)) return remoteId(kind.name);
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? remoteId(id) : null;
}

function objectIn(answer: Json, line: RequestLine): JsonObject {
  if (!isObject(answer)) throw badAnswer(line, 'is not an object');
  return answer;
}

function identified(kind: Kind, body: JsonObject, line: RequestLine, lack: string): ListedObject {
  if (isInexact(body.id))
    throw badAnswer(
      line,
      `has an object with an id that is too large a number: ${nameText(String(body.id))}`,
    );
  const id = idOf(kind, body);
  if (id === null) throw badAnswer(line, lack);
  const fault = pathValueFault(id);
  if (fault !== null) throw badAnswer(line, `has an object whose id ${fault}`);
  return { id, body };
}

// An object with its id, or an error if the object cannot be used as it was read.
function sound(kind: Kind, body: JsonObject, line: RequestLine, lack: string): ListedObject {
  refuseFaulty(kind, body, line);
  return identified(kind, body, line, lack);
}

function refuseFaulty(kind: Kind, body: JsonObject, line: RequestLine): void {
  const fault = bodyFault(kind, body);
  if (fault !== null) throw badAnswer(line, fault);
}

function badAnswer(request: RequestLine, what: string): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request,
    message: `the response to ${request.method} ${request.path} ${what}`,
    isFaultyContent: true,
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
