// The names of deleted objects in declarations: an export removes them, or replaces them by the ids that the account still has
// there.
import { inParts, isPart } from '../engine/scope/parts.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';
import { refsIn } from '../kinds/values/refs.ts';
import { type Span, spanText } from '../model/diagnostic.ts';
import { addressOf, idInKey } from '../model/key.ts';
import type { Address, Key } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { pointer } from '../model/text/pointer.ts';
import { type Comparison, declaredOf } from './adoption/compare.ts';
import { type Exported, everyObject } from './model.ts';

/** A place that names a deleted object. */
export interface LostName {
  /** The declaration. */
  readonly declaration: Address;
  readonly name: Address;
  readonly at: Span;
  /** Whether the account still refers to the deleted object there. */
  readonly isHeld: boolean;
}

/** The parts of declarations that were deleted. */
export function lostParts(
  declarations: readonly Desired[],
  {
    deleted,
    kinds,
    dialect,
  }: {
    readonly deleted: ReadonlySet<Address>;
    readonly kinds: KindTable;
    readonly dialect: Dialect;
  },
): readonly LostName[] {
  return declarations.flatMap(one => {
    const parts = inParts([one], kinds, dialect).filter(isPart);
    const list = kinds.get(one.kind)?.parts?.list ?? '';
    return parts.flatMap(({ kind, key, spans, at }) => {
      const name = addressOf(kind, key);
      const place = spans[`/${list}/0`] ?? at;
      const declaration = addressOf(kind, one.key);
      return deleted.has(name) ? [{ declaration, name, at: place, isHeld: false }] : [];
    });
  });
}

/** The places in declarations of these objects that name deleted objects. */
export function lostNames(
  declarations: readonly Desired[],
  objects: readonly Exported[],
  { declared }: Pick<Comparison, 'declared'>,
  { deleted, kinds }: { readonly deleted: ReadonlySet<Address>; readonly kinds: KindTable },
): readonly LostName[] {
  if (deleted.size === 0) return [];
  const held = new Set(
    everyObject(objects).flatMap(object => {
      const own = declaredOf(object, declared);
      return own ? idRefs(object).map(path => `${spanText(own.at)} ${path}`) : [];
    }),
  );
  return declarations.flatMap(({ kind: name, key, fields, spans, at }) => {
    const kind = kinds.get(name);
    const refs = kind ? refsIn(kind.shape, fields) : [];
    return refs.flatMap(ref => {
      const lost = addressOf(ref.kind, ref.key as Key);
      const path = pointer(ref.path);
      if (!deleted.has(lost)) return [];
      const isHeld = held.has(`${spanText(at)} ${path}`);
      return [{ declaration: addressOf(name, key), name: lost, at: spans[path] ?? at, isHeld }];
    });
  });
}

const idRefs = ({ kind, fields }: Exported): readonly string[] =>
  refsIn(kind.shape, fields).flatMap(({ key, path }) =>
    idInKey(key) === null ? [] : pointer(path),
  );
