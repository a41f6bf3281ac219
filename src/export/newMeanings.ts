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
  /** Renamed objects. References by their names have a separate warning. */
  readonly renamed: Renamed;
  readonly kinds: KindTable;
}

/** The objects that references in these declarations mean either only with the export or only without it. */
export function newMeanings(
  staying: readonly Desired[],
  objects: readonly Exported[],
  meanings: Meanings,
): readonly NewMeaning[] {
  const { ids, before, after, kinds } = meanings;
  const exported = new Set(everyObject(objects).map(boundAs));
  const recorded = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const nowOf = newNames(meanings);
  const found = new Map<string, NewMeaning>();
  for (const ref of referencesIn(staying, kinds)) {
    const { kind, key, place } = ref;
    const address = addressOf(kind, key);
    if (meanings.renamed.has(address)) continue;
    const means = before(kind, key);
    const add = (id: RemoteId | undefined, now?: Key) => {
      if (id === undefined || !exported.has(`${kind} ${id}`)) return;
      const name = `${address} ${kind} ${id}`;
      const places = [...(found.get(name)?.places ?? []), place];
      found.set(name, { kind, id, key, means, places, ...(now !== undefined && { now }) });
    };
    const becomes = after(kind, key);
    if (becomes !== means) add(becomes);
    const former = means ?? recorded.get(address);
    const now = former === becomes ? undefined : former && nowOf(kind, former);
    if (now !== undefined) add(former, now);
  }
  return [...found.values()];
}

/** A reference in a declaration. */
interface Reference {
  readonly kind: KindName;
  readonly key: Key;
  readonly place: MeaningPlace;
}

const referencesIn = (staying: readonly Desired[], kinds: KindTable): readonly Reference[] =>
  staying.flatMap(({ kind: name, key, fields, spans, at }) => {
    const kind = kinds.get(name);
    return (kind ? refsIn(kind.shape, fields) : []).map(ref => ({
      kind: ref.kind,
      key: ref.key as Key,
      place: { of: addressOf(name, key), at: spans[pointer(ref.path)] ?? at },
    }));
  });

// Returns the name under which only the exported files, and not the files before, identify a live object. A reference by a former
// name keeps the object in a set by its id in the base, until a declaration gives the object another name.
function newNames({
  live,
  before,
  after,
}: Meanings): (kind: KindName, id: RemoteId) => Key | undefined {
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  return (kind, id) => {
    const now = keys.get(`${kind} ${id}`);
    const isNew = now !== undefined && before(kind, now) !== id && after(kind, now) === id;
    return isNew ? now : undefined;
  };
}
