// Live objects that another folder of the repository declares, in its files or in its base. No run of this folder deletes them.
import { exactName } from '../../base/recognisedAddresses.ts';
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { partName } from '../../kinds/identity/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf, keyOf } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { isPart } from '../scope/parts.ts';
import type { PlanContext } from '../types/planContext.ts';

/** A folder that declares an object. */
export interface Declarer {
  readonly name: string;
  /** The key under which the folder declares the object. */
  readonly key: Key;
  /** The object that has this key in the folder's base, if the account still has the object. */
  readonly id?: RemoteId;
  /** The commit of the folder's base, if only the base declares the object. */
  readonly commit?: string;
  /** Whether the object is a part of an object that the folder declares. */
  readonly isPart?: true;
}

/** The folder that declares a live object; undefined if no other folder does. */
export type DeclaredBy = (live: Live) => Declarer | undefined;

/** Returns a lookup of the folder that declares an object, by the object's name, a former name, or its id. */
export function declaredElsewhere(
  others: readonly OtherFolder[],
  kinds: KindTable,
  context: PlanContext,
  live: readonly Live[],
): DeclaredBy {
  const folders = declarersByText(others, kinds, { context, live });
  if (folders.size === 0) return () => undefined;
  return one => {
    const exact = exactName(one, kinds, 'live');
    const names =
      exact === undefined
        ? [context.addressOf(one), addressOf(one.kind, one.key)]
        : [`${one.kind} ${exact}`];
    const [found] = [...names, idText(one)].flatMap(name => folders.get(name) ?? []);
    return found;
  };
}

interface Account {
  readonly context: PlanContext;
  readonly live: readonly Live[];
}

// The folders that declare objects, by the strings that identify a live object. Files take
// precedence over bases, and names take precedence over the names that parts may have.
function declarersByText(
  others: readonly OtherFolder[],
  kinds: KindTable,
  { context, live }: Account,
): ReadonlyMap<string, Declarer> {
  const folders = new Map<string, Declarer>();
  const declarers = others.map(folder => ({ folder, declarer: declarerIn(folder, live) }));
  const textsBy = (object: Desired, { id }: Declarer) => [
    ...textsOf(object, kinds),
    ...(id === undefined ? [] : [idText({ kind: object.kind, id })]),
  ];
  for (const { folder, declarer } of declarers) {
    const { base, commit, isGone } = folder;
    for (const object of base) {
      // This folder has taken over the object.
      if (isGone && context.base.has(addressOf(object.kind, object.key))) continue;
      const by = declarer(object);
      for (const text of textsBy(object, by))
        folders.set(text, { ...by, ...(commit !== undefined && { commit }) });
    }
  }
  for (const { folder, declarer } of declarers)
    for (const object of folder.files)
      for (const text of formTexts(object, kinds)) folders.set(text, declarer(object));
  for (const { folder, declarer } of declarers)
    for (const object of folder.files) {
      const by = declarer(object);
      for (const text of textsBy(object, by)) folders.set(text, by);
    }
  return folders;
}

function declarerIn(
  { name, ids = [] }: OtherFolder,
  live: readonly Live[],
): (object: Desired) => Declarer {
  const there = new Set(ids.length === 0 ? [] : live.map(idText));
  const known = ids.filter(one => there.has(idText(one)));
  const idOf = new Map(known.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  return object => {
    const id = idOf.get(addressOf(object.kind, object.key));
    return {
      name,
      key: object.key,
      ...(id !== undefined && { id }),
      ...(isPart(object) && { isPart: true }),
    };
  };
}

// The names of a part's object while the whole has a different number of parts. The next apply of
// its folder finds the object by these names.
function formTexts({ kind: name, part }: Desired, kinds: KindTable): readonly string[] {
  const parts = kinds.get(name)?.parts;
  if (part === undefined || parts === undefined) return [];
  const wholes = part.formerWhole === undefined ? [part.whole] : [part.whole, part.formerWhole];
  return wholes.flatMap(whole =>
    [whole, partName(parts, whole, part.item)].map(one => addressOf(name, keyOf([one]))),
  );
}

/**
 * The addresses of objects in `former` that another folder declares but has not recorded yet. Until
 * it has, only the base of this folder shows that such an object must be deleted when no file
 * declares it any more.
 */
export function handedOver(
  former: readonly Desired[],
  others: readonly OtherFolder[],
  kinds: KindTable,
): ReadonlySet<Address> {
  const textsIn = (objects: readonly Desired[]) =>
    new Set(objects.flatMap(object => textsOf(object, kinds)));
  const declared = textsIn(others.flatMap(({ files }) => files));
  const recorded = textsIn(others.flatMap(({ base }) => base));
  const isIn = (texts: ReadonlySet<string>, object: Desired) =>
    textsOf(object, kinds).some(text => texts.has(text));
  const open = former.filter(object => isIn(declared, object) && !isIn(recorded, object));
  return new Set(open.map(({ kind, key }) => addressOf(kind, key)));
}

/**
 * Parts in the bases that the files no longer declare and that another folder has taken over, under
 * the name of the part, but not recorded yet. All objects are given in parts.
 */
export function handedParts(
  {
    former,
    desired,
  }: { readonly former: readonly Desired[]; readonly desired: readonly Desired[] },
  others: readonly OtherFolder[],
  kinds: KindTable,
): readonly Desired[] {
  const parts = former.filter(({ key, part }) => part !== undefined && part.whole !== key);
  const open = handedOver(parts, others, kinds);
  const own = new Set(desired.map(({ kind, key }) => addressOf(kind, key)));
  const left = parts.filter(({ kind, key }) => {
    const address = addressOf(kind, key);
    return open.has(address) && !own.has(address);
  });
  return left.map(({ part: _, ...object }) => ({ ...object, lifecycle: {} }));
}

/**
 * The strings that identify the live object of a declaration: its name, its former names and its
 * id.
 */
export function textsOf(object: Desired, kinds: KindTable): string[] {
  const { kind: name, key, parent, lifecycle } = object;
  const { id, was } = lifecycle;
  const kind = kinds.get(name);
  const exact = exactName(object, kinds, 'desired');
  if (exact !== undefined) return [`${name} ${exact}`];
  const former = kind && was !== undefined ? formerKeys(kind, parent, was) : [];
  const names = [key, ...former].map(one => addressOf(name, one));
  return id === undefined ? names : [...names, idText({ kind: name, id })];
}

/** The string that identifies a live object by its id, as in `textsOf`. */
export const idText = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `${kind} id ${id}`;
