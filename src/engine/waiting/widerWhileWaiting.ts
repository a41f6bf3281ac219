// Whether a waiting object admits callers from outside the account that its declaration excludes.
// It may do so until the absent groups exist.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { type Exposure, exposureOf, isReached, weakerLocks } from '../../kinds/values/exposure.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { withHeldParts } from '../../kinds/values/keptInside.ts';
import { stableText } from '../../model/text/stableText.ts';
import { type Fields, isList, isObject, type Json, listOf } from '../../model/value.ts';

/** An object that outside callers can reach, in its live and in its declared form. */
export interface CalledObject {
  readonly kind: Kind;
  readonly live: Fields;
  readonly declared: Fields;
  /** Whether a value refers to an absent object. */
  readonly isAbsent: (shape: Shape, value: Json) => boolean;
}

/** Whether the live object admits more callers than the declared one; undefined for kinds that outside callers cannot reach. */
export function letsInMore({ kind, live, declared, isAbsent }: CalledObject): boolean | undefined {
  const { exposes, shape } = kind;
  if (exposes === undefined) return undefined;
  // Undeclared fields keep their values.
  const written = { ...live, ...withHeldParts(shape, declared, live) };
  const present = withoutAbsent(shape, written, isAbsent) as Fields;
  const is = exposureOf(exposes, shape, live);
  const wanted = exposureOf(exposes, shape, present);
  if (is.to.length === 0) return false;
  if (leadsToMore({ kind, list: exposes.to }, is, wanted)) return true;
  if (is.isInside) return !wanted.isInside || admitsOthers(kind, live, present);
  if (wanted.isInside) return isReached(is);
  return isReached(is) && opensToMore(is, wanted, exposureOf(exposes, shape, written));
}

// A key that admits only absent groups admits nobody, so it does not count as a key. But an object
// with only such keys does not count as an object without keys, because an object without keys
// would be open to everybody.
function opensToMore(is: Exposure, present: Exposure, written: Exposure): boolean {
  const keys = new Map(
    [...present.keys].filter(
      ([path, { admitted }]) =>
        admitted.length > 0 || (written.keys.get(path)?.admitted ?? []).length === 0,
    ),
  );
  if (keys.size === 0 && written.keys.size > 0) return true;
  return weakerLocks({ ...present, keys }, is).length > 0;
}

function leadsToMore(
  { kind, list }: { readonly kind: Kind; readonly list: string },
  is: Exposure,
  wanted: Exposure,
): boolean {
  const by = keyFields(kind.shape.fields.get(list)?.shape) ?? [];
  const known = new Set(wanted.to.map(item => itemKey(item, by)));
  return is.to.some(item => !known.has(itemKey(item, by)));
}

function admitsOthers({ line }: Kind, live: Fields, present: Fields): boolean {
  return (line?.who ?? []).some(name => {
    const wanted = new Set(listOf(present[name]).map(stableText));
    return listOf(live[name]).some(member => !wanted.has(stableText(member)));
  });
}

function withoutAbsent(shape: Shape, value: Json, isAbsent: CalledObject['isAbsent']): Json {
  if (shape.type === 'list' && isList(value)) {
    const { items } = shape;
    const isGone = (item: Json) => items.type === 'scalar' && isAbsent(items, item);
    return value.flatMap(item => (isGone(item) ? [] : [withoutAbsent(items, item, isAbsent)]));
  }
  if (shape.type !== 'object' || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = shape.fields.get(name)?.shape;
      return [name, field ? withoutAbsent(field, inner, isAbsent) : inner];
    }),
  );
}
