// What a plan records as the next base.
import { formerKeys } from '../kinds/identity/formerKeys.ts';
import { hasIdInBase } from '../kinds/identity/identity.ts';
import { itemKeys, partName, partsIn } from '../kinds/identity/parts.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';
import { mapFieldRefs, refsIn } from '../kinds/values/refs.ts';
import type { IdOf } from '../model/comparedAccount.ts';
import { present } from '../model/errors.ts';
import { addressOf, idInKey, keyOf } from '../model/key.ts';
import type { Address, Key, KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type {
  BaseContent,
  BaseLayers,
  RecordedGuards,
  RecordedId,
  RecordedObject,
  UndoneObject,
} from '../model/recordedBase.ts';
import type { Mark } from '../model/secrets/hostedSecret.ts';
import { compareTexts } from '../model/text/compareTexts.ts';
import type { Fields } from '../model/value.ts';
import { type HandedOverMembers, withHandedOverMembers } from './handedOverMembers.ts';
import { recordedObject } from './recordedObjects.ts';

/** The folder and the layers of a run, and the content of its recorded base. */
export interface BaseBefore extends BaseLayers {
  /** The values of the variables that the files used. */
  readonly variables: Readonly<Record<string, string>>;
  /** The guards of the files. */
  readonly guards: RecordedGuards;
  /** The stricter of these guards and those of the recorded base, if it has guards. */
  readonly strictest?: RecordedGuards;
  /** The objects of the previous recorded base. */
  readonly objects: readonly RecordedObject[];
  /** The objects of that base that an undo has written since; absent if there are none. */
  readonly undone?: readonly UndoneObject[];
}

/** The declarations of the files, and of all bases that the run is compared with. */
export interface Declarations {
  readonly desired: readonly Desired[];
  readonly bases: readonly Desired[];
}

/** The settings that determine what is recorded. */
export interface ContentRules {
  readonly kinds: KindTable;
  /** Marks the addresses of webhooks. */
  readonly mark: Mark | undefined;
  /** Whether the run leaves objects out. A removed guard may protect one of them, so it still counts in the next run. */
  readonly isLimited: boolean;
  /** Whether the run is about an object. */
  readonly isSelected: (object: { readonly kind: KindName; readonly key: Key }) => boolean;
  readonly isForgotten: (object: { readonly kind: KindName; readonly key: Key }) => boolean;
  /** Whether an object of the recorded base has an address that nobody recognises: such an object is kept. */
  readonly isUnknown: (object: Pick<RecordedObject, 'kind' | 'fields'>) => boolean;
  /** Objects of the bases that another folder has taken over and has not recorded yet: they are kept. */
  readonly handedOver: ReadonlySet<Address>;
  /** Parts that another folder has taken over from objects that this folder still declares. Each part is a separate object. */
  readonly handedParts: readonly Desired[];
  /** The members of sets that another folder has taken over in the same way. */
  readonly handedMembers: HandedOverMembers;
  /** The live objects by the names of the files. */
  readonly idOf: IdOf;
  /** The ids of the objects that names in the recorded base mean. */
  readonly ids: readonly RecordedId[];
  /** The dialect of the server, which decides whether objects are kept in parts. */
  readonly dialect: Dialect;
}

/** The content of the next base: the declared objects that the run includes, and all other objects as the bases had them. */
export function baseContent(
  { desired, bases }: Declarations,
  {
    objects: before,
    undone: undoneBefore = [],
    guards: declaredGuards,
    strictest = declaredGuards,
    ...folder
  }: BaseBefore,
  rules: ContentRules,
): BaseContent {
  const names = {
    renamed: formerAddresses(desired.filter(rules.isSelected), rules.kinds),
    known: new Set(before.map(addressIn)),
    declared: new Set(desired.map(addressIn)),
  };
  const kept = keptObjects({ before, bases }, names, rules);
  const all = [
    ...ownObjects(desired, names, rules).map(object => recorded(object, rules)),
    ...kept.map(object => inNewNames(object, rules.kinds, names)),
  ];
  const ids = idsFor(all, rules.kinds, rules);
  // An object that the run leaves out is still in the state in which the undo left it.
  const undone = undoneBefore.filter(one => kept.some(isNamed(one)));
  const guards = rules.isLimited ? strictest : declaredGuards;
  return {
    ...folder,
    guards,
    objects: all.sort(byAddress),
    ...(ids.length > 0 && { ids }),
    ...(undone.length > 0 && { undone }),
  };
}

const addressIn = ({ kind, key }: Addressed): Address => addressOf(kind, key);

const recorded = (object: Desired, { kinds, mark }: ContentRules): RecordedObject =>
  recordedObject(object, present(kinds.get(object.kind), `the kind ${object.kind}`), mark);

// The objects that the run is about, including parts that another folder has taken over and that the objects still declare.
function ownObjects(
  desired: readonly Desired[],
  { renamed, known, declared }: RenamedObjects,
  { kinds, isSelected, isForgotten, handedOver, handedMembers, handedParts }: ContentRules,
): readonly Desired[] {
  const ours = desired
    .filter(isSelected)
    .map(object => withHandedOverMembers(object, handedMembers, kinds));
  const isWithoutOwner = (address: Address) =>
    !declared.has(address) && !handedOver.has(address) && !renamed.has(address);
  const left = [...handedMembers].flatMap(([address, object]) =>
    isWithoutOwner(address) && isSelected(object) && !isForgotten(object) ? [object] : [],
  );
  const parts = handedParts.filter(
    object => isSelected(object) && !isForgotten(object) && !known.has(addressIn(object)),
  );
  return [...ours, ...left, ...parts];
}

/** The objects of the recorded base, and the declarations of all bases that the run is compared with. */
interface RecordedBefore {
  readonly before: readonly RecordedObject[];
  readonly bases: readonly Desired[];
}

// The objects of the bases that stay recorded although the run does not include them, under their former names.
function keptObjects(
  { before, bases }: RecordedBefore,
  { renamed, known, declared }: RenamedObjects,
  rules: ContentRules,
): readonly RecordedObject[] {
  const { kinds, isSelected, isForgotten, isUnknown, handedOver } = rules;
  const isRenamed = ({ kind, key, parent }: RecordedObject) => {
    const home = kinds.get(kind)?.parent;
    const isMoved = home && parent !== undefined && renamed.has(addressOf(home, parent));
    return renamed.has(addressOf(kind, key)) || isMoved === true;
  };
  const isKept = (object: Addressed) => {
    const address = addressIn(object);
    return !isSelected(object) || (handedOver.has(address) && !declared.has(address));
  };
  const others = bases.filter(object => !known.has(addressIn(object)) && isKept(object));
  return [...before, ...others.map(object => recorded(object, rules))].filter(
    object => !isForgotten(object) && (isUnknown(object) || (isKept(object) && !isRenamed(object))),
  );
}

const isNamed =
  ({ kind, key }: Addressed) =>
  (other: Addressed): boolean =>
    other.kind === kind && other.key === key;

/** Names before and after a run. */
interface RenamedObjects {
  /** The new names by the former ones. */
  readonly renamed: ReturnType<typeof formerAddresses>;
  /** The names in the base before. */
  readonly known: ReadonlySet<Address>;
  readonly declared: ReadonlySet<Address>;
}

// Objects that a limited run leaves out may refer to objects that it renames; in the account these have the new names.
function inNewNames(
  object: RecordedObject,
  kinds: KindTable,
  { renamed, known, declared }: RenamedObjects,
): RecordedObject {
  const kind = kinds.get(object.kind);
  if (kind === undefined || renamed.size === 0) return object;
  const fields = mapFieldRefs(kind, object.fields as Fields, (to, key) => {
    const former = addressOf(to, key as Key);
    const isBefore = known.has(former) && !declared.has(former);
    return (isBefore && renamed.get(former)) || key;
  });
  return { ...object, fields: fields as RecordedObject['fields'] };
}

// The ids that the next base records for names: of objects that meshform does not create, and of declared objects of other kinds.
// A name without an object keeps its former id, so that no other object can take the place of the former one.
function idsFor(
  objects: readonly RecordedObject[],
  kinds: KindTable,
  { idOf, ids, dialect }: Pick<ContentRules, 'idOf' | 'ids' | 'dialect'>,
): RecordedId[] {
  const before = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const named = objects.flatMap(({ kind: name, key, fields }) => {
    const kind = kinds.get(name);
    const refs = kind ? refsIn(kind.shape, fields as Fields) : [];
    const own = keysOf({ kind: name, key, fields }, kind, dialect);
    return [
      ...own.map(one => ({ kind: name, key: String(one) })),
      ...refs.filter(ref => isUnmade(kinds.get(ref.kind))),
    ];
  });
  const found = named.flatMap(({ kind: name, key }): [Address, RecordedId][] => {
    const kind = kinds.get(name);
    if (!(isUnmade(kind) || hasIdInBase(kind)) || idInKey(key) !== null) return [];
    const address = addressOf(name, key as Key);
    const id = idOf(name, key) ?? before.get(address);
    return id === undefined ? [] : [[address, { kind: name, key: key as Key, id }]];
  });
  return [...new Map(found).values()].sort(byAddress);
}

/** The key of an object, or the keys of its parts where the server keeps it in parts. */
function keysOf(
  { key, fields }: Omit<RecordedObject, 'parent'>,
  kind: Kind | undefined,
  dialect: Dialect,
): readonly Key[] {
  const parts = kind && partsIn(kind, dialect);
  const items = parts ? itemKeys(kind, fields as Fields) : [];
  return parts && items.length > 1 ? items.map(item => keyOf([partName(parts, key, item)])) : [key];
}

const isUnmade = (kind: Kind | undefined): boolean =>
  kind !== undefined && !kind.verbs.has('create') && kind.cardinality === 'collection';

/** The content with the ids of the objects that the run of the plan has created. */
export function withCreated(
  content: BaseContent,
  created: readonly RecordedId[],
  { kinds, dialect }: Pick<ContentRules, 'kinds' | 'dialect'>,
): BaseContent {
  const declared = new Set(
    content.objects.flatMap(object =>
      keysOf(object, kinds.get(object.kind), dialect).map(key => addressOf(object.kind, key)),
    ),
  );
  const made = created.filter(
    ({ kind, key }) => hasIdInBase(kinds.get(kind)) && declared.has(addressOf(kind, key)),
  );
  if (made.length === 0) return content;
  const all = [...(content.ids ?? []), ...made];
  const ids = new Map(all.map(one => [addressOf(one.kind, one.key), one]));
  return { ...content, ids: [...ids.values()].sort(byAddress) };
}

// The new names of objects that the run renames, by their former addresses: such an object is recorded under its new name only.
function formerAddresses(
  declared: readonly Desired[],
  kinds: KindTable,
): ReadonlyMap<Address, Key> {
  return new Map(
    declared.flatMap(({ kind: name, key, parent, lifecycle: { was } }) => {
      const kind = kinds.get(name);
      if (kind === undefined || was === undefined) return [];
      return formerKeys(kind, parent, was).map(former => [addressOf(name, former), key] as const);
    }),
  );
}

type Addressed = Omit<RecordedId, 'id'>;

const byAddress = (one: Addressed, other: Addressed): number =>
  compareTexts(addressOf(one.kind, one.key), addressOf(other.kind, other.key));
