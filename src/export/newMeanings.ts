// References that an export leaves unchanged, and that would mean another object, or none, if the export declared an object under
// its present name.
import type { KindTable } from '../kinds/kind.ts';
import { refsIn } from '../kinds/values/refs.ts';
import type { IdOf } from '../model/comparedAccount.ts';
import type { Span } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { pointer } from '../model/text/pointer.ts';
import type { Renamed } from './adoption/renamed.ts';
import { boundAs } from './boundById.ts';
import { type Exported, everyObject } from './model.ts';

/** An exported object that references would mean, or would no longer mean. */
export interface NewMeaning {
  readonly kind: KindName;
  /** The exported object. */
  readonly id: RemoteId;
  /** The name in the references. */
  readonly key: Key;
  /** The live object that the references mean without the export, if there is one. */
  readonly means: RemoteId | undefined;
  /** The present name of the object, if the references have its former one. */
  readonly now?: Key;
  /** The references, and the declarations that contain them. */
  readonly places: readonly MeaningPlace[];
}

interface MeaningPlace {
  readonly of: Address;
  readonly at: Span;
}

interface Meanings {
  /** What names mean without the export. */
  readonly before: IdOf;
  /** What they mean with it. */
  readonly after: IdOf;
  /** The ids in the base of the files. */
  readonly ids: readonly RecordedId[];
  readonly live: readonly Live[];
  /** Renamed objects: places with their names have warnings of their own. */
  readonly renamed: Renamed;
  readonly kinds: KindTable;
}

/** The objects that references in these declarations mean either only with the export or only without it. */
export function newMeanings(
  staying: readonly Desired[],
  objects: readonly Exported[],
  { ids, live, ...names }: Meanings,
): readonly NewMeaning[] {
  const { before, after, renamed, kinds } = names;
  const exported = new Set(everyObject(objects).map(boundAs));
  const recorded = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  // By the base, a reference keeps the object in a set, as long as no declaration gives the object another name.
  const nowOf = (kind: KindName, id: RemoteId): Key | undefined => {
    const now = keys.get(`${kind} ${id}`);
    const isNew = now !== undefined && before(kind, now) !== id && after(kind, now) === id;
    return isNew ? now : undefined;
  };
  const found = new Map<string, NewMeaning>();
  for (const { kind: name, key: own, fields, spans, at } of staying) {
    const kind = kinds.get(name);
    for (const ref of kind ? refsIn(kind.shape, fields) : []) {
      const key = ref.key as Key;
      const address = addressOf(ref.kind, key);
      if (renamed.has(address)) continue;
      const becomes = after(ref.kind, key);
      const means = before(ref.kind, key);
      const former = means ?? recorded.get(address);
      const place = { of: addressOf(name, own), at: spans[pointer(ref.path)] ?? at };
      const add = (id: RemoteId | undefined, now?: Key) => {
        const object = `${ref.kind} ${id}`;
        if (id === undefined || !exported.has(object)) return;
        const places = [...(found.get(`${address} ${object}`)?.places ?? []), place];
        const meaning = {
          kind: ref.kind,
          id,
          key,
          means,
          places,
          ...(now !== undefined && { now }),
        };
        found.set(`${address} ${object}`, meaning);
      };
      if (becomes !== means) add(becomes);
      const now = former === becomes ? undefined : former && nowOf(ref.kind, former);
      if (now !== undefined) add(former, now);
    }
  }
  return [...found.values()];
}
