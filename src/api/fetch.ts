// Reads of an account what a run has to look at, a list a request, and says what it could not get.
import pLimit from 'p-limit';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { ApiError } from '../model/errors.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Snapshot } from '../model/object.ts';
import { isList, type JsonObject } from '../model/value.ts';
import { decodeAccount, type ReadObject } from '../wire/account.ts';
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
export const UNAVAILABLE: ReadonlySet<number> = new Set([403, 404, 405, 412]);

/** Reads the account. Throws an `ApiError` for anything but a kind that is not offered. */
export async function fetchAccount(
  transport: ReadTransport,
  kinds: KindTable,
  scope: FetchScope,
  options: FetchOptions,
): Promise<Snapshot> {
  return (await fetchAndWiden(transport, kinds, scope, options)).snapshot;
}

/** What was read, and a way to read the rest of some kinds without reading a list twice. */
export interface Widening {
  readonly snapshot: Snapshot;
  /** Reads all lists of these kinds that were not read yet; the result has all that was read, early or late. */
  readonly widen: (names: ReadonlySet<KindName>) => Promise<Snapshot>;
}

/** Reads the account like `fetchAccount`, and can go on. */
export async function fetchAndWiden(
  transport: ReadTransport,
  kinds: KindTable,
  scope: FetchScope,
  options: FetchOptions,
): Promise<Widening> {
  const before = transport.requests();
  const wanted = [...kinds.values()].filter(kind => scope.kinds.has(kind.name));
  const reading = newReading(transport, options);
  const first = [...kinds.values()].find(kind => kind.path === FIRST_PATH);
  await firstCall(transport, first, reading);
  await reading.lists(
    wanted.filter(kind => !kind.parent && kind.path !== FIRST_PATH).map(kind => ({ kind })),
  );
  await reading.lists(
    wanted.flatMap(kind =>
      reading.objects
        .filter(object => object.kind === kind.parent && isListedIn(object, kind, scope))
        .map(({ id }) => ({ kind, parentId: id })),
    ),
  );
  const account = fingerprint(reading.objects.filter(({ kind }) => kind === first?.name));
  const taken = (requests: number): Snapshot => ({
    ...(account !== undefined && { account }),
    objects: decodeAccount(kinds, inOrder(reading.objects)),
    unavailable: new Map(reading.unavailable),
    requests,
  });
  const widen = async (names: ReadonlySet<KindName>): Promise<Snapshot> => {
    const start = transport.requests();
    await readRest(reading, kinds, scope, names);
    return taken(transport.requests() - start);
  };
  return { snapshot: taken(transport.requests() - before), widen };
}

async function readRest(
  reading: Reading,
  kinds: KindTable,
  scope: FetchScope,
  names: ReadonlySet<KindName>,
): Promise<void> {
  const wanted = [...kinds.values()].filter(({ name }) => names.has(name));
  const isRead = (kind: Kind) => scope.kinds.has(kind.name);
  await reading.lists(
    wanted
      .filter(kind => !kind.parent && !isRead(kind) && kind.path !== FIRST_PATH)
      .map(kind => ({ kind })),
  );
  await reading.lists(
    wanted
      .filter(kind => !reading.unavailable.has(kind.name))
      .flatMap(kind =>
        reading.objects
          .filter(object => object.kind === kind.parent)
          .filter(object => !isRead(kind) || !isListedIn(object, kind, scope))
          .map(({ id }) => ({ kind, parentId: id })),
      ),
  );
}

/** One list to read: a collection, or that of one parent. */
interface List {
  readonly kind: Kind;
  readonly parentId?: RemoteId;
}

interface Reading {
  readonly objects: ReadObject[];
  readonly unavailable: Map<KindName, string>;
  readonly lists: (lists: readonly List[]) => Promise<void>;
}

function newReading(transport: ReadTransport, { concurrency, onProgress }: FetchOptions): Reading {
  const limit = pLimit(concurrency);
  const objects: ReadObject[] = [];
  const unavailable = new Map<KindName, string>();
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
      unavailable.set(kind.name, error.message);
    }
    done += 1;
    onProgress?.(done, total);
  };
  const lists = async (some: readonly List[]): Promise<void> => {
    total += some.length;
    await Promise.all(some.map(list => limit(() => read(list))));
  };
  return { objects, unavailable, lists };
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

function isListedIn({ id, body }: ReadObject, { name }: Kind, { parents }: FetchScope): boolean {
  const names = parents.get(name);
  if (names === undefined || names === 'all') return names === 'all';
  return names.has(id) || names.has(String(body.name));
}

// The server's order is not part of its contract; ours must not depend on it.
function inOrder(objects: readonly ReadObject[]): ReadObject[] {
  return objects
    .map(object => ({ object, text: `${object.kind} ${object.id}` }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ object }) => object);
}
