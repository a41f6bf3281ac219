// Extends the base by the objects that unfinished applies created in the account, and by the members that they added.

import { childKey } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import { mapFieldRefs } from '../kinds/values/refs.ts';
import { addressOf, idKey, keyOf, segmentsOf } from '../model/key.ts';
import type { LeftObjects } from '../model/leftObjects.ts';
import type { Key, KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { withMembers } from './sharedMembers.ts';

/** The objects that names in the base meant when it was recorded. */
interface BaseNames {
  readonly ids: readonly RecordedId[];
}

/**
 * The objects of the base, and the objects that unfinished applies left. An object of the base stays as it was last applied
 * completely, but members that these applies may have added to its shared sets count as declared: otherwise they would seem to be
 * somebody else's. Every other declaration is reduced to what the applies created. `left` uses the names of the base.
 */
export function withLeftObjects(
  base: readonly Desired[],
  { objects }: LeftObjects,
  kinds: KindTable,
): readonly Desired[] {
  if (objects.length === 0) return base;
  const addresses = new Map(base.map(object => [nameOf(object), object]));
  const others = new Map<string, Desired>();
  for (const object of objects) {
    const address = nameOf(object);
    const before = addresses.get(address);
    if (before) addresses.set(address, withMembers(before, object, kinds));
    else others.set(address, joinedWith(object, others.get(address)));
  }
  return [...addresses.values(), ...others.values()];
}

// Several applies may each have created parts of one object.
function joinedWith(object: Desired, other: Desired | undefined): Desired {
  const madeIds = new Set([...(object.madeIds ?? []), ...(other?.madeIds ?? [])]);
  return { ...object, madeIds };
}

/**
 * The objects that unfinished applies left, under the names of the base: the applies may have renamed objects, their children and
 * the objects that refer to them.
 */
export function inFormerNames(
  left: LeftObjects,
  { ids }: BaseNames,
  kinds: KindTable,
): LeftObjects {
  const former = formerKeysOf(left, ids);
  if (former.size === 0) return left;
  const formerOf = formerNaming(former, kinds);
  // Objects that the applies created have no former name, but their parent may have one.
  const objects = left.objects.map((object): Desired => {
    const kind = kinds.get(object.kind);
    if (!kind) return object;
    const key = formerOf(object.kind, object.key) as Key;
    const parent = kind.parent && object.parent && formerOf(kind.parent, object.parent);
    const fields = mapFieldRefs(kind, object.fields, formerOf);
    return { ...object, key, fields, ...(parent !== undefined && { parent: parent as Key }) };
  });
  const named = ({ kind, key, id }: RecordedId): RecordedId => ({
    kind,
    key: formerOf(kind, key) as Key,
    id,
  });
  return {
    ...left,
    objects,
    ids: left.ids.map(named),
    known: left.known.map(named),
    replaced: left.replaced.map(one => ({ ...one, ...named(one) })),
  };
}

// The keys in the base of the objects that unfinished applies renamed, by their present names.
function formerKeysOf(
  { updated }: LeftObjects,
  ids: readonly RecordedId[],
): ReadonlyMap<string, Key> {
  const byId = new Map(ids.map(named => [`${named.kind} ${named.id}`, named.key]));
  return new Map(
    updated.flatMap((named): [string, Key][] => {
      const key = byId.get(`${named.kind} ${named.id}`);
      return key === undefined || key === named.key ? [] : [[nameOf(named), key]];
    }),
  );
}

// The name of an object in the base. A child of a renamed object has another name too.
function formerNaming(
  former: ReadonlyMap<string, Key>,
  kinds: KindTable,
): (name: KindName, key: string) => string {
  const formerOf = (name: KindName, key: string): string => {
    const own = former.get(nameOf({ kind: name, key: key as Key }));
    const kind = kinds.get(name);
    const segments = kind && segmentsOf(key, kind.depth);
    if (own !== undefined || kind?.parent === undefined || !segments) return own ?? key;
    const parent = formerOf(kind.parent, keyOf(segments.slice(0, -1)));
    return childKey(parent as Key, segments.at(-1) ?? '');
  };
  return formerOf;
}

/**
 * The objects that names mean according to the base and to unfinished applies, and the objects that these applies created in
 * place of objects that still exist.
 */
export interface LeftNames {
  readonly ids: readonly RecordedId[];
  /** Objects under their ids, because the base means other objects by their names and no file declares them. */
  readonly replacements: readonly Desired[];
}

/** What the account and the journals show about recorded objects. */
interface KnownSince {
  readonly isLive: (object: RecordedId) => boolean;
  /** Replacements that the files still declare, so that the names now mean these objects. */
  readonly finished: readonly RecordedId[];
  /** Objects that complete applies have created since the base was recorded, the newest first. */
  readonly made: readonly RecordedId[];
}

/** The objects that names mean according to the base, and to later applies that recorded no base. */
export function leftNames(
  own: BaseNames,
  left: LeftObjects | undefined,
  { isLive, finished, made: madeSince }: KnownSince,
): LeftNames {
  if (left === undefined) return { ids: own.ids, replacements: [] };
  const recorded = new Map(withNames(own.ids, finished).map(named => [nameOf(named), named]));
  const isReplacement = (object: RecordedId): boolean => {
    const before = recorded.get(nameOf(object));
    return before !== undefined && before.id !== object.id && isLive(before) && isLive(object);
  };
  const made = new Map(left.ids.filter(isReplacement).map(object => [nameOf(object), object.id]));
  // An object that is no longer in the account does not occupy a name.
  const there = left.ids.filter(object => isLive(object) || !recorded.has(nameOf(object)));
  const ids = there.map(object =>
    made.has(nameOf(object)) ? { ...object, key: idKey(object.id) } : object,
  );
  const replacements = left.objects.flatMap((object): Desired[] => {
    const id = made.get(nameOf(object));
    if (id === undefined) return [];
    return [{ ...object, key: idKey(id), lifecycle: { ...object.lifecycle, id } }];
  });
  const named = withNames(withNames(own.ids, finished), ids);
  // The objects in `known` and `madeSince` get a name only if no live object has the name by now.
  const free = freeOf(left.known, named, isLive);
  const again = madeSince.filter(object => recorded.has(nameOf(object)));
  const known = withNames(named, free);
  return { ids: withNames(known, freeOf(again, known, isLive)), replacements };
}

// For each name that `named` does not assign to a live object, the first live object in `objects` with that name.
function freeOf(
  objects: readonly RecordedId[],
  named: readonly RecordedId[],
  isLive: KnownSince['isLive'],
): readonly RecordedId[] {
  const held = new Set(named.filter(isLive).map(nameOf));
  const free = objects.filter(object => isLive(object) && !held.has(nameOf(object)));
  return [...new Map(free.toReversed().map(object => [nameOf(object), object])).values()];
}

// The names, with those in `made` taking precedence: if an apply created an object after the object of the base was deleted, the
// name means the created object.
function withNames(own: readonly RecordedId[], made: readonly RecordedId[]): readonly RecordedId[] {
  const taken = new Set(made.map(nameOf));
  return [...own.filter(named => !taken.has(nameOf(named))), ...made];
}

const nameOf = ({ kind, key }: { readonly kind: KindName; readonly key: Key }): string =>
  addressOf(kind, key);
