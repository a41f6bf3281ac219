// The declarations that an export binds by id, because a plan would not find the object by its name.
import { sharesNames } from '../kinds/identity/identity.ts';
import { mapFieldRefs, refsIn } from '../kinds/values/refs.ts';
import type { IdOf } from '../model/comparedAccount.ts';
import { addressOf, idInKey, idKey } from '../model/key.ts';
import type { Address, Key } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import { partsOf } from './joinParts.ts';
import { type Exported, everyObject } from './model.ts';

/** Live objects as `kind id`. */
export type Bound = ReadonlySet<string>;

/** An object of a model as a member of `Bound`. */
export const boundAs = ({ kind, id }: Pick<Exported, 'kind' | 'id'>): string =>
  `${kind.name} ${id}`;

/** The exported objects whose declared names a plan with `idOf` would resolve to another object, or to none. */
export function misnamed(
  objects: readonly Exported[],
  {
    desired,
    live,
    idOf,
  }: {
    readonly desired: readonly Desired[];
    readonly live: readonly Live[];
    readonly idOf: IdOf;
  },
): Bound {
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const byName = new Set(
    desired
      .filter(({ lifecycle, isProvided }) => lifecycle.id === undefined && isProvided !== true)
      .map(({ kind, key }) => addressOf(kind, key)),
  );
  const isMisnamed = (object: Exported): boolean => {
    const { kind, id, joined } = object;
    const key = keys.get(boundAs(object));
    if (joined || key === undefined || idInKey(key) !== null || sharesNames(kind)) return false;
    return byName.has(addressOf(kind.name, key)) && idOf(kind.name, key) !== id;
  };
  return new Set(everyObject(objects).filter(isMisnamed).map(boundAs));
}

/**
 * The ids of objects that are not exported, by their names in references. Only names that a plan with `idOf` would resolve to
 * another object, or to none, are included.
 */
export function misnamedRefs(
  objects: readonly Exported[],
  { live, idOf }: { readonly live: readonly Live[]; readonly idOf: IdOf },
): ReadonlyMap<Address, Key> {
  const all = everyObject(objects);
  const exported = new Set(all.flatMap(partsOf).map(boundAs));
  const ids = new Map(live.map(({ kind, id, key }) => [addressOf(kind, key), id]));
  return new Map(
    all.flatMap(({ kind, fields }) =>
      refsIn(kind.shape, fields).flatMap(({ kind: other, key }): [Address, Key][] => {
        const name = addressOf(other, key as Key);
        const id = ids.get(name);
        if (id === undefined || idInKey(key) !== null) return [];
        if (exported.has(`${other} ${id}`) || idOf(other, key as Key) === id) return [];
        return [[name, idKey(id)]];
      }),
    ),
  );
}

/** The objects, with an id in place of each of these names in their references. */
export function withRefsById(
  objects: readonly Exported[],
  byId: ReadonlyMap<Address, Key>,
): readonly Exported[] {
  if (byId.size === 0) return objects;
  return objects.map(object => ({
    ...object,
    fields: mapFieldRefs(object.kind, object.fields, (kind, key) => {
      return byId.get(addressOf(kind, key as Key)) ?? key;
    }),
    children: withRefsById(object.children, byId),
    ...(object.joined && { joined: withRefsById(object.joined, byId) }),
  }));
}

/** The objects; those in `bound` are declared with their ids. */
export function withIds(objects: readonly Exported[], bound: Bound): readonly Exported[] {
  return objects.map(object => ({
    ...object,
    isBound: object.isBound || bound.has(boundAs(object)),
    children: withIds(object.children, bound),
  }));
}
