// The lists of children: a single list for a whole kind if the server offers it, otherwise one list
// for each parent.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { ApiError } from '../../model/errors.ts';
import { idKey } from '../../model/key.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import { isList } from '../../model/value.ts';
import type { ReadObject } from '../../wire/decodeAccount.ts';
import { parentNames } from '../../wire/parentNames.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { type ListedObject, listAt, listObjects } from './objectClient.ts';
import type { List, Reading } from './reading.ts';

/** The names and ids of the parents to list, by nested kind; `all` for every parent. */
export type Parents = ReadonlyMap<KindName, ReadonlySet<string> | 'all'>;

/** The list of children of one parent. */
export interface ChildList extends List {
  readonly parentId: RemoteId;
}

/** The lists of children in the parents that files mention, by kind. */
export function childLists(
  kinds: KindTable,
  wanted: readonly Kind[],
  objects: readonly ReadObject[],
  parents: Parents,
): readonly (readonly ChildList[])[] {
  const children = wanted.filter(({ name, parent }) => parent !== undefined && parents.has(name));
  const isByName = children.some(({ name }) => parents.get(name) !== 'all');
  const namesOf = isByName ? parentNames(kinds, objects) : () => [];
  return children.flatMap(kind => {
    const named = parents.get(kind.name) ?? new Set();
    const isListed = (object: ReadObject) =>
      named === 'all' ||
      [object.id, idKey(object.id), ...namesOf(object)].some(name => named.has(name));
    const lists = objects
      .filter(object => object.kind === kind.parent && isListed(object))
      .map(({ id }) => ({ kind, parentId: id }));
    return lists.length === 0 ? [] : [lists];
  });
}

/** Reads the lists of each kind in as few requests as the server allows. */
export async function readChildren(
  transport: ReadTransport,
  kinds: KindTable,
  lists: readonly (readonly ChildList[])[],
  { dialect, reading }: { readonly dialect: Dialect; readonly reading: Reading },
): Promise<void> {
  await Promise.all(
    lists.map(async ofKind => {
      const [first, ...others] = ofKind;
      if (!first) return;
      if (await readWhole(transport, kinds, ofKind, { dialect, reading })) return;
      // The first list is requested alone. If the server does not offer the kind, only one request
      // fails, not one for each parent.
      await reading.lists([first]);
      if (!reading.notOffered.has(first.kind.name)) await reading.lists(others);
    }),
  );
}

/**
 * Reads one list with the children of all parents. False if the server does not have this list, or if the list does not show the
 * parents.
 */
async function readWhole(
  transport: ReadTransport,
  kinds: KindTable,
  lists: readonly ChildList[],
  { dialect, reading }: { readonly dialect: Dialect; readonly reading: Reading },
): Promise<boolean> {
  const kind = lists[0]?.kind;
  const parent = kind?.parent === undefined ? undefined : kinds.get(kind.parent);
  if (!kind || !parent) return false;
  const parents = reading.objects.filter(object => object.kind === parent.name);
  const placed = await childrenOfAll(transport, { kind, parent, parents }, dialect);
  if (!placed) return false;
  const asked = new Set(lists.map(({ parentId }) => parentId));
  for (const object of placed)
    if (asked.has(object.parentId)) reading.objects.push({ ...object, kind: kind.name });
  return true;
}

/** Child objects, and their parents as they were read. */
export interface Nesting {
  readonly kind: Kind;
  readonly parent: Kind;
  readonly parents: readonly ListedObject[];
}

/**
 * The children of all parents, from one list; null if a server of the dialect has no such list, or if the list does not show the
 * parents.
 */
export async function childrenOfAll(
  transport: ReadTransport,
  { kind, parent, parents }: Nesting,
  dialect: Dialect,
): Promise<readonly Child[] | null> {
  const whole = kind.listAllByDialect[dialect];
  const homes = whole && homesIn(parents, whole.childIds);
  if (!homes) return null;
  const items = await wholeList(transport, kind, whole.path);
  if (items === null) return null;
  return (
    childrenIn(homes, items) ??
    childrenIn(homesIn(await listObjects(transport, parent), whole.childIds), items) ??
    null
  );
}

type Homes = ReadonlyMap<RemoteId, RemoteId>;

/**
 * The id of the parent, by the id of each child. Undefined if a parent does not list its children,
 * or if two parents list the same child.
 */
function homesIn(parents: readonly ListedObject[], field: string): Homes | undefined {
  const homes = new Map<RemoteId, RemoteId>();
  for (const { id, body } of parents) {
    const ids = body[field];
    if (ids === undefined || (ids !== null && !isList(ids))) return undefined;
    for (const child of ids ?? []) {
      if (typeof child !== 'string' && typeof child !== 'number') return undefined;
      const known = String(child) as RemoteId;
      if (homes.has(known)) return undefined;
      homes.set(known, id);
    }
  }
  return homes;
}

/** A child and the object that it nests in. */
export type Child = ListedObject & { readonly parentId: RemoteId };

// The children with their parents. Parents and children are read one after the other, and either
// may change in between. If they contradict each other, no parent is guessed.
function childrenIn(
  homes: Homes | undefined,
  items: readonly ListedObject[],
): readonly Child[] | undefined {
  if (!homes || homes.size !== items.length) return undefined;
  const placed = items.flatMap(item => {
    const parentId = homes.get(item.id);
    return parentId === undefined ? [] : [{ ...item, parentId }];
  });
  return placed.length === items.length ? placed : undefined;
}

async function wholeList(
  transport: ReadTransport,
  kind: Kind,
  path: string,
): Promise<readonly ListedObject[] | null> {
  try {
    return await listAt(transport, kind, path);
  } catch (error) {
    const status = error instanceof ApiError ? (error.details.status ?? 0) : 0;
    const isRefused = [400, 403, 404, 405, 422].includes(status) || status >= 500;
    if (isRefused) return null;
    throw error;
  }
}

/**
 * Handles lists of children that were not found. A parent may have been deleted between its own list and the list of its
 * children; it then has no children. If the parent still exists, its children cannot be read, and their kind is unavailable.
 */
export async function settleMissing(
  transport: ReadTransport,
  kinds: KindTable,
  { objects, unavailable, missing }: Reading,
): Promise<void> {
  // Each missing list is handled only once, because later reads add only new missing lists.
  const unsettled = missing.splice(0);
  for (const [name, lost] of Map.groupBy(unsettled, ({ kind }) => kind.parent)) {
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
