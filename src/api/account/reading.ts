// Reads an account: requests lists in parallel, and collects their objects and the lists that could
// not be read.
import pLimit from 'p-limit';
import type { Kind } from '../../kinds/kind.ts';
import { accountMarkerOf } from '../../kinds/lookup.ts';
import { ApiError } from '../../model/errors.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { ReadObject } from '../../wire/decodeAccount.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { listObjects } from './objectClient.ts';

export interface ReadingOptions {
  readonly concurrency: number;
  /** Called after each list with the number of lists read so far and the number of all lists. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** One list to read: a collection, or the children of one parent. */
export interface List {
  readonly kind: Kind;
  readonly parentId?: RemoteId;
}

/** A list of children that was not found. */
interface Missing extends List {
  readonly message: string;
}

export interface Reading {
  readonly objects: ReadObject[];
  /** Kinds whose list could not be read, with the reasons. */
  readonly unavailable: Map<KindName, string>;
  /** The unavailable kinds whose path the server does not have. */
  readonly notOffered: Set<KindName>;
  readonly missing: Missing[];
  /** Reads lists. After the first failure, no other request starts. */
  readonly lists: (lists: readonly List[]) => Promise<void>;
}

/** Statuses which mean that the account or this token has no access to a kind. */
export const UNAVAILABLE: ReadonlySet<number> = new Set([403, 404, 405, 412]);

/** Starts a reading that has not read any list yet. */
export function newReading(
  transport: ReadTransport,
  { concurrency, onProgress }: ReadingOptions,
): Reading {
  const limit = pLimit(concurrency);
  const objects: ReadObject[] = [];
  const unavailable = new Map<KindName, string>();
  const notOffered = new Set<KindName>();
  const missing: Missing[] = [];
  let done = 0;
  let total = 0;
  let failure: { readonly error: unknown } | undefined;
  const read = async (list: List): Promise<void> => {
    const { kind, parentId } = list;
    try {
      for (const { id, body } of await listObjects(transport, kind, parentId)) {
        objects.push({ kind: kind.name, id, body, ...(parentId !== undefined && { parentId }) });
      }
    } catch (error) {
      if (!isUnavailable(error) || accountMarkerOf(kind)) {
        // After one failure, no further list is requested.
        failure ??= { error };
        limit.clearQueue();
        throw error;
      }
      await noteUnavailable(list, error, { unavailable, notOffered, missing });
    }
    done += 1;
    onProgress?.(done, total);
  };
  const lists = async (some: readonly List[]): Promise<void> => {
    if (failure) throw failure.error;
    total += some.length;
    await Promise.all(some.map(list => limit(() => read(list))));
  };
  return { objects, unavailable, notOffered, missing, lists };
}

async function noteUnavailable(
  { kind, parentId }: List,
  error: ApiError,
  { unavailable, notOffered, missing }: Pick<Reading, 'unavailable' | 'notOffered' | 'missing'>,
): Promise<void> {
  const { details } = error;
  const message = await whyUnavailable(error);
  if (details.isUnknownPath) notOffered.add(kind.name);
  if (details.status === 404 && parentId !== undefined && !details.isUnknownPath)
    missing.push({ kind, parentId, message });
  else unavailable.set(kind.name, message);
}

// The contract is loaded only here, because it is rarely needed.
async function whyUnavailable({ message, details }: ApiError): Promise<string> {
  if (!details.isUnknownPath) return message;
  const { offeredBy } = await import('./editions.ts');
  const only = offeredBy(details.request);
  return only === undefined ? message : `${message}; ${only}`;
}

function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && UNAVAILABLE.has(error.details.status ?? 0);
}
