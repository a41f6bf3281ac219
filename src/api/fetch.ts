// Reads of an account what a run has to look at, a list a request, and says what it could not get.
import pLimit from 'p-limit';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { ApiError } from '../model/errors.ts';
import { idKey } from '../model/key.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Snapshot } from '../model/object.ts';
import { isList, type JsonObject } from '../model/value.ts';
import { decodeAccount, type ReadObject } from '../wire/account.ts';
import { parentNames } from '../wire/parentNames.ts';
import { listObjects } from './account.ts';
import type { ReadTransport } from './transport.ts';

/** Which objects to read; see the engine's scope. */
export interface FetchScope {
  readonly kinds: ReadonlySet<KindName>;
  readonly parents: ReadonlyMap<KindName, ReadonlySet<string> | 'all'>;
}

export interface FetchOptions {
  readonly concurrency: number;
  /** Told after each list: how many of how many are read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The first call of every run: what it answers tells a Management API from anything else, and a good token from a bad one. */
const FIRST_PATH = '/api/groups';

/** Statuses that say that an account does not offer a kind, or not to this token (design law 7). */
const UNAVAILABLE = new Set([403, 404, 405, 412]);

/** Reads the account. Throws an `ApiError` for anything but a kind that is not offered. */
export async function fetchAccount(
  transport: ReadTransport,
  kinds: KindTable,
  scope: FetchScope,
  options: FetchOptions,
): Promise<Snapshot> {
  const before = transport.requests();
  const wanted = [...kinds.values()].filter(kind => scope.kinds.has(kind.name));
  const reading = newReading(transport, options);
  const first = [...kinds.values()].find(kind => kind.path === FIRST_PATH);
  await firstCall(transport, first, reading);
  await reading.lists(
    wanted.filter(kind => !kind.parent && kind.path !== FIRST_PATH).map(kind => ({ kind })),
  );
  await reading.lists(childLists(kinds, wanted, reading.objects, scope));
  await settleMissing(transport, kinds, reading);
  const account = fingerprint(reading.objects.filter(({ kind }) => kind === first?.name));
  return {
    ...(account !== undefined && { account }),
    objects: decodeAccount(kinds, inOrder(reading.objects)),
    unavailable: reading.unavailable,
    requests: transport.requests() - before,
  };
}

/** One list to read: a collection, or that of one parent. */
interface List {
  readonly kind: Kind;
  readonly parentId?: RemoteId;
}

/** A list of one parent that is not found. */
interface Missing extends List {
  readonly message: string;
}

interface Reading {
  readonly objects: ReadObject[];
  readonly unavailable: Map<KindName, string>;
  readonly missing: Missing[];
  readonly lists: (lists: readonly List[]) => Promise<void>;
}

function newReading(transport: ReadTransport, { concurrency, onProgress }: FetchOptions): Reading {
  const limit = pLimit(concurrency);
  const objects: ReadObject[] = [];
  const unavailable = new Map<KindName, string>();
  const missing: Missing[] = [];
  let [done, total] = [0, 0];
  const read = async ({ kind, parentId }: List): Promise<void> => {
    try {
      for (const { id, body } of await listObjects(transport, kind, parentId)) {
        objects.push({ kind: kind.name, id, body, ...(parentId !== undefined && { parentId }) });
      }
    } catch (error) {
      if (!isUnavailable(error) || kind.path === FIRST_PATH) {
        // One that fails decides; the server need not be asked for the others.
        limit.clearQueue();
        throw error;
      }
      const { message } = error;
      if (parentId !== undefined && error.details.status === 404)
        missing.push({ kind, parentId, message });
      else unavailable.set(kind.name, message);
    }
    done += 1;
    onProgress?.(done, total);
  };
  const lists = async (some: readonly List[]): Promise<void> => {
    total += some.length;
    await Promise.all(some.map(list => limit(() => read(list))));
  };
  return { objects, unavailable, missing, lists };
}

// The lists of children in the parents that files speak of, whatever those are known by.
function childLists(
  kinds: KindTable,
  wanted: readonly Kind[],
  objects: readonly ReadObject[],
  { parents }: FetchScope,
): List[] {
  const children = wanted.filter(({ name, parent }) => parent !== undefined && parents.has(name));
  const isByName = children.some(({ name }) => parents.get(name) !== 'all');
  const namesOf = isByName ? parentNames(kinds, objects) : () => [];
  return children.flatMap(kind => {
    const spokenOf = parents.get(kind.name) ?? new Set();
    const isListed = (object: ReadObject) =>
      spokenOf === 'all' ||
      [object.id, idKey(object.id), ...namesOf(object)].some(name => spokenOf.has(name));
    return objects
      .filter(object => object.kind === kind.parent && isListed(object))
      .map(({ id }) => ({ kind, parentId: id }));
  });
}

// A parent may go between its own list and that of its children: then there is nothing in it. One that is still there has
// children that cannot be read, so that their kind is unavailable.
async function settleMissing(
  transport: ReadTransport,
  kinds: KindTable,
  { objects, unavailable, missing }: Reading,
): Promise<void> {
  for (const [name, lost] of Map.groupBy(missing, ({ kind }) => kind.parent)) {
    const parent = name && kinds.get(name);
    if (!parent) continue;
    const now = new Set((await listObjects(transport, parent)).map(({ id }) => id));
    for (const { kind, parentId, message } of lost)
      if (parentId && now.has(parentId)) unavailable.set(kind.name, message);
    const gone = new Set(
      lost.flatMap(({ parentId }) => (parentId && !now.has(parentId) ? parentId : [])),
    );
    const isGone = ({ kind, id, parentId }: ReadObject) =>
      (kind === name && gone.has(id)) || (parentId !== undefined && gone.has(parentId));
    objects.splice(0, objects.length, ...objects.filter(object => !isGone(object)));
  }
}

async function firstCall(
  transport: ReadTransport,
  first: Kind | undefined,
  reading: Reading,
): Promise<void> {
  try {
    await (first ? reading.lists([{ kind: first }]) : transport.get(FIRST_PATH));
  } catch (error) {
    // A server may say that a token is not found (facts, item 30).
    if (error instanceof ApiError && error.details.code === 'API_NOT_FOUND') {
      throw new ApiError({ ...error.details, code: 'API_UNAUTHENTICATED' }, { cause: error });
    }
    throw error;
  }
}

/** Throws an `ApiError` where the first call of every run no longer returns a list. Takes one request. */
export async function checkAccount(transport: ReadTransport): Promise<void> {
  const answer = await transport.get(FIRST_PATH);
  if (isList(answer) || answer === null) return;
  throw new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path: FIRST_PATH },
    message: `the answer to GET ${FIRST_PATH} is not a list`,
    ...{ retryable: false, mayHaveHappened: false },
  });
}

/** The account behind a transport, as `Snapshot.account` has it. Takes one request. */
export async function accountBehind(
  transport: ReadTransport,
  kinds: KindTable,
): Promise<RemoteId | undefined> {
  const first = [...kinds.values()].find(kind => kind.path === FIRST_PATH);
  return first && fingerprint(await listObjects(transport, first));
}

// Every account has one group of everybody from its first day to its last, and nothing deletes it (facts §5.1). That a
// second one is called so is possible, and then nothing tells which is which.
function fingerprint(
  groups: readonly { readonly id: RemoteId; readonly body: JsonObject }[],
): RemoteId | undefined {
  const [one, ...others] = groups.filter(({ body }) => body.name === 'All');
  return others.length === 0 ? one?.id : undefined;
}

function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && UNAVAILABLE.has(error.details.status ?? 0);
}

// The server's order is not part of its contract; ours must not depend on it.
function inOrder(objects: readonly ReadObject[]): ReadObject[] {
  return objects
    .map(object => ({ object, text: `${object.kind} ${object.id}` }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ object }) => object);
}
