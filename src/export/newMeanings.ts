// References that an export leaves as they are, and that would mean another object if it declared that object.
import type { KindTable } from '../kinds/kind.ts';
import { refsIn } from '../kinds/values/refs.ts';
import type { IdOf } from '../model/compared.ts';
import type { Span } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { pointer } from '../model/text/pointer.ts';
import type { Renamed } from './adoption/renamed.ts';
import { boundAs } from './bound.ts';
import { type Exported, everyObject } from './model.ts';

/** An exported object that references would mean, and do not mean yet. */
export interface NewMeaning {
  readonly kind: KindName;
  readonly id: RemoteId;
  /** The name in the references. */
  readonly key: Key;
  /** The live object that they mean without the export, if there is one. */
  readonly means: RemoteId | undefined;
  /** The references, and the declarations that contain them. */
  readonly places: readonly MeaningPlace[];
}

interface MeaningPlace {
  readonly of: Address;
  readonly at: Span;
}

/** The objects that references in these declarations mean after an export, and not before it. */
export function newMeanings(
  staying: readonly Desired[],
  objects: readonly Exported[],
  {
    before,
    after,
    renamed,
    kinds,
  }: {
    readonly before: IdOf;
    readonly after: IdOf;
    /** Places with these names have warnings of their own. */
    readonly renamed: Renamed;
    readonly kinds: KindTable;
  },
): readonly NewMeaning[] {
  const exported = new Set(everyObject(objects).map(boundAs));
  const found = new Map<Address, NewMeaning>();
  for (const { kind: name, key: own, fields, spans, at } of staying) {
    const kind = kinds.get(name);
    for (const ref of kind ? refsIn(kind.shape, fields) : []) {
      const key = ref.key as Key;
      const address = addressOf(ref.kind, key);
      const id = after(ref.kind, key);
      const means = before(ref.kind, key);
      if (id === undefined || id === means || renamed.has(address)) continue;
      if (!exported.has(`${ref.kind} ${id}`)) continue;
      const place = { of: addressOf(name, own), at: spans[pointer(ref.path)] ?? at };
      const places = [...(found.get(address)?.places ?? []), place];
      found.set(address, { kind: ref.kind, id, key, means, places });
    }
  }
  return [...found.values()];
}
