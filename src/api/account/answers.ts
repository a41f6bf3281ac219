// The lists of an account as the server returns them, children inside their parents, to be saved and evaluated later.
import pLimit from 'p-limit';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { ApiError } from '../../model/errors.ts';
import { type RemoteId, remoteId } from '../../model/names.ts';
import type { JsonObject } from '../../model/value.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { listObjects } from './account.ts';
import { UNAVAILABLE } from './reading.ts';

export interface Answers {
  /** The objects of each kind, by the place of the kind in files. Lists that could not be read are absent. */
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>;
  /** By the same places, why a list could not be read. */
  readonly unavailable: Readonly<Record<string, string>>;
}

/**
 * Reads the lists of these kinds, parents before children. Throws an `ApiError` unless a list is merely not offered.
 */
export async function readAnswers(
  transport: ReadTransport,
  kinds: KindTable,
  names: ReadonlySet<string>,
  concurrency: number,
): Promise<Answers> {
  const wanted = [...kinds.values()].filter(({ name }) => names.has(name));
  const limit = pLimit(concurrency);
  const unavailable: Record<string, string> = {};
  const read = async (
    kind: Kind,
    parent?: JsonObject,
  ): Promise<readonly JsonObject[] | undefined> => {
    try {
      const found = await limit(() => listObjects(transport, kind, idOf(parent)));
      return found.map(({ body }) => withoutSecrets(kind, body));
    } catch (error) {
      if (!(error instanceof ApiError) || !UNAVAILABLE.has(error.details.status ?? 0)) throw error;
      unavailable[placeIn(kind)] = error.message;
      return undefined;
    }
  };
  const withChildren = async (kind: Kind, body: JsonObject): Promise<JsonObject> => {
    const children = wanted.filter(({ parent }) => parent === kind.name);
    const lists = await Promise.all(
      children.map(async child => [placeIn(child), (await read(child, body)) ?? []] as const),
    );
    return { ...body, ...Object.fromEntries(lists) };
  };
  const lists = await Promise.all(
    wanted
      .filter(({ parent }) => parent === undefined)
      .map(async kind => {
        const own = await read(kind);
        if (own === undefined) return [];
        return [
          [placeIn(kind), await Promise.all(own.map(body => withChildren(kind, body)))] as const,
        ];
      }),
  );
  return { lists: Object.fromEntries(lists.flat()), unavailable };
}

function idOf(parent: JsonObject | undefined): RemoteId | undefined {
  return parent === undefined ? undefined : remoteId(String(parent.id));
}

const placeIn = ({ at }: Kind): string => at.replaceAll('[]', '').split('.').at(-1) ?? '';

// A server may return a masked secret, which nothing needs.
function withoutSecrets({ oneTimeSecret }: Kind, body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== oneTimeSecret));
}
