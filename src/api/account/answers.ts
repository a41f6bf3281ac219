// The lists of an account as the server returns them, for saving and later evaluation. Each child
// object is inside its parent.
import pLimit from 'p-limit';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { ApiError } from '../../model/errors.ts';
import { type RemoteId, remoteId } from '../../model/names.ts';
import type { JsonObject } from '../../model/value.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { type Child, childrenOfAll, type Nesting } from './children.ts';
import { dialectSeen } from './dialect.ts';
import { listObjects } from './objectClient.ts';
import { UNAVAILABLE } from './reading.ts';

export interface Answers {
  /**
   * The objects of each kind, by the kind's name in files. Lists that could not be read are absent.
   */
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>;
  /** The reasons why lists could not be read, by the kind's name in files. */
  readonly unavailable: Readonly<Record<string, string>>;
}

/**
 * Reads the lists of these kinds, parents before children. Throws an `ApiError`, except for a list that the server does not
 * offer.
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
  const read: ReadList = async (kind, parent) => {
    try {
      const found = await limit(() => listObjects(transport, kind, parent && idOf(parent)));
      return found.map(({ body }) => withoutSecrets(kind, body));
    } catch (error) {
      if (!(error instanceof ApiError) || !UNAVAILABLE.has(error.details.status ?? 0)) throw error;
      // A server without a kind has no objects of this kind.
      if (error.details.isUnknownPath && kind.dialects !== undefined) return [];
      unavailable[sectionOf(kind)] = error.message;
      return undefined;
    }
  };
  const lists = await Promise.all(
    wanted
      .filter(({ parent }) => parent === undefined)
      .map(async kind => {
        const own = await read(kind);
        if (own === undefined) return [];
        const children = wanted.filter(one => one.parent === kind.name);
        const whole = await withChildren(
          own,
          { parent: kind, children },
          { transport, kinds, read },
        );
        return [[sectionOf(kind), whole] as const];
      }),
  );
  return { lists: Object.fromEntries(lists.flat()), unavailable };
}

/** Reads a list; undefined if the server does not offer it. */
type ReadList = (kind: Kind, parent?: JsonObject) => Promise<readonly JsonObject[] | undefined>;

interface Family {
  readonly parent: Kind;
  readonly children: readonly Kind[];
}

interface Reader {
  readonly transport: ReadTransport;
  readonly kinds: KindTable;
  readonly read: ReadList;
}

async function withChildren(
  own: readonly JsonObject[],
  { parent, children }: Family,
  { transport, kinds, read }: Reader,
): Promise<readonly JsonObject[]> {
  const parents = own.map(body => ({ id: idOf(body), body }));
  const lists = await Promise.all(
    children.map(async kind => {
      const all = await allChildren(transport, kinds, { kind, parent, parents });
      const listOf = async (body: JsonObject): Promise<readonly JsonObject[]> =>
        all
          ? (all.get(idOf(body)) ?? []).map(child => withoutSecrets(kind, child.body))
          : ((await read(kind, body)) ?? []);
      return [sectionOf(kind), await Promise.all(own.map(listOf))] as const;
    }),
  );
  return own.map((body, i) => ({
    ...body,
    ...Object.fromEntries(lists.map(([place, found]) => [place, found[i] ?? []])),
  }));
}

/**
 * The children of many parents. They come from a single list if the server offers this list and no
 * response has shown that the list lacks the parents.
 */
async function allChildren(
  transport: ReadTransport,
  kinds: KindTable,
  nesting: Nesting,
): Promise<ReadonlyMap<RemoteId, readonly Child[]> | null> {
  if (nesting.parents.length < 2) return null;
  const seen = dialectSeen(
    kinds,
    nesting.parents.map(parent => ({ ...parent, kind: nesting.parent.name })),
  );
  for (const dialect of seen ? [seen.dialect] : DIALECTS) {
    const placed = await childrenOfAll(transport, nesting, dialect);
    if (placed) return Map.groupBy(placed, ({ parentId }) => parentId);
  }
  return null;
}

const idOf = ({ id }: JsonObject): RemoteId => remoteId(String(id));

const sectionOf = ({ at }: Kind): string => at.replaceAll('[]', '').split('.').at(-1) ?? '';

// Removes secrets. A server may return a masked secret, and no evaluation needs it.
function withoutSecrets({ oneTimeSecret }: Kind, body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== oneTimeSecret));
}
