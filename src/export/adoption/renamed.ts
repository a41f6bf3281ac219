// Declared objects that have another name in the account, because somebody renamed them or a parent of them there.
import { isPart } from '../../engine/scope/parts.ts';
import type { Pair } from '../../engine/types/pairing.ts';
import { childKey, identityName, isNameless, sharesNames } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Span } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import type { Path } from '../../model/value.ts';

/** The key that an object has in the account, by the address of its declaration. */
export type Renamed = ReadonlyMap<Address, Key>;

/** The exported objects whose key in the account differs from the declared one. Parents come before their children in `pairs`. */
export function renamedIn(
  pairs: readonly Pair[],
  live: readonly Live[],
  kinds: KindTable,
  isExported: (object: Pick<Live, 'kind' | 'id'>) => boolean,
): Renamed {
  const keys = new Map(live.map(one => [`${one.kind} ${one.id}`, one.key]));
  const renamed = new Map<Address, Key>();
  for (const { desired, live: one } of pairs) {
    const kind = kinds.get(one.kind);
    if (!kind || isPart(desired) || isNameless(kind) || sharesNames(kind)) continue;
    const name = identityName(kind, canonicalFields(kind.shape, one.fields, 'live'));
    if (name === null) continue;
    const home = kind.parent && keys.get(`${kind.parent} ${one.parentId}`);
    const key = isExported(one) ? childKey(home, name) : desired.key;
    keys.set(`${one.kind} ${one.id}`, key);
    if (key !== desired.key) renamed.set(addressOf(desired.kind, desired.key), key);
  }
  return renamed;
}

/** A reference to an object by a name that the object no longer has. */
export interface FormerRef {
  readonly address: Address;
  readonly now: Key;
  readonly path: Path;
  readonly at: Span;
}

/** The references of a declaration to renamed objects. */
export function formerRefs(
  { kind: name, fields, spans, at }: Desired,
  renamed: Renamed,
  kinds: KindTable,
): readonly FormerRef[] {
  const kind = kinds.get(name);
  if (!kind || renamed.size === 0) return [];
  return refsIn(kind.shape, fields).flatMap(({ kind: other, key, path }) => {
    const address = addressOf(other, key as Key);
    const now = renamed.get(address);
    return now === undefined ? [] : [{ address, now, path, at: spans[pointer(path)] ?? at }];
  });
}
