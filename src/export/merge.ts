// Merges an export into existing files: changed declarations are updated, new objects are added, everything else stays.

import isEqual from 'fast-deep-equal';
import { type Document, isMap, isSeq, YAMLMap } from 'yaml';
import { overlaps } from '../engine/diff/overlap.ts';
import { childKey } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { valueAt } from '../kinds/values/items.ts';
import { present } from '../model/errors.ts';
import { addressOf } from '../model/key.ts';
import type { Key, KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { addAll } from '../model/text/longLists.ts';
import type { Json, Path } from '../model/value.ts';
import { addChildren, addNodes } from './addChildren.ts';
import { type Comparison, declaredOf } from './adoption/compare.ts';
import { type Bound, boundAs } from './boundById.ts';
import { addObjects, type ExportedFile, oneFile } from './files.ts';
import { type Exported, type ExportModel, everyObject } from './model.ts';
import { editOwnText, type InexpressibleDifference } from './ownText.ts';
import type { Repair } from './repairs.ts';
import {
  ANCHORED,
  BY_ALIAS,
  IN_OTHER_LAYER,
  inexpressibleBecause,
  notEditedBecause,
  type StuckText,
  type UnchangedObject,
} from './sharedTexts.ts';
import { setField } from './yaml/edit.ts';
import { type EditedFile, edited } from './yaml/textEdit.ts';

/** What to export, and the existing files. */
export interface MergeInput {
  readonly kinds: KindTable;
  readonly model: ExportModel;
  readonly files: readonly ExportedFile[];
  readonly comparison: Pick<Comparison, 'declared' | 'differs' | 'paths'>;
  /** Objects whose declarations get their ids. */
  readonly bound?: Bound;
  /** Declarations that cannot express the account, with the reasons. */
  readonly unchanged?: Merged['unchanged'];
  /** Declarations that lose names, or are removed. */
  readonly repairs?: readonly Repair[];
  /** Fields that other texts, such as a template, set too: the object's own text removes such a field with null. */
  readonly inherited?: ReadonlySet<string>;
  /** The name of a new file for objects of a kind; always the same name if there is only one file. */
  readonly newFileFor: (kind: Kind) => string;
}

/** Changed and new files, and the result for each object. */
export interface Merged {
  readonly files: readonly ExportedFile[];
  readonly added: number;
  readonly updated: number;
  /** Declared objects that could not be changed, and why. */
  readonly unchanged: readonly UnchangedObject[];
  /** Fields that are no longer in the own texts of objects. */
  readonly removed: readonly Removed[];
}

/** A field that is no longer in the own text of an object. */
export interface Removed {
  readonly kind: Kind;
  /** The key that the object had in the files. */
  readonly home: Key;
  /** The key that it has now. */
  readonly now: Key;
  /** Items of keyed lists by their keys. */
  readonly path: Path;
}

/** A field among `MergeInput.inherited`. */
export const fieldText = ({ kind, home, path }: Omit<Removed, 'now'>): string =>
  JSON.stringify([kind.name, home, path]);

/** Merges a model into files without faults, in which each live object is declared at most once. */
export function mergedFiles(input: MergeInput): Merged {
  const { model, files } = input;
  const merging: Merging = {
    ...input,
    homes: homesOf(input),
    texts: new Map(files.map(({ file, text }) => [file, edited(text)])),
    touched: new Set(),
    unchanged: [...(input.unchanged ?? [])],
    removed: [],
  };
  const moved = takeAwayMoved(merging);
  const repaired = repairDeclarations(merging);
  const isNew = (object: Exported) => !merging.homes.has(object) || moved.has(object);
  const all = everyObject(model.objects);
  const updated = all.filter(object => !isNew(object) && bringUp(object, isNew, merging));
  const created = placed(model.objects.filter(isNew), merging);
  const notAdded = merging.unchanged.filter(({ isNew }) => isNew).length;
  const added = all.filter(object => !merging.homes.has(object)).length - notAdded;
  const changed = files.flatMap(({ file, text }) => {
    const now = merging.touched.has(file) ? merging.texts.get(file)?.text() : undefined;
    return now === undefined || now === text ? [] : [{ file, text: now }];
  });
  return {
    files: [...changed, ...created].sort(byName),
    added,
    updated: updated.length + moved.size + repaired,
    unchanged: merging.unchanged,
    removed: merging.removed,
  };
}

interface Merging extends Omit<MergeInput, 'unchanged'> {
  /** The declarations of the objects in the files. */
  readonly homes: ReadonlyMap<Exported, Desired>;
  readonly texts: ReadonlyMap<string, EditedFile>;
  /** Files whose text changed. */
  readonly touched: Set<string>;
  readonly unchanged: UnchangedObject[];
  readonly removed: Removed[];
}

/** Whether another text, such as a template, sets a field of a declaration too. */
const inheritedBy =
  (kind: Kind, home: Key, { inherited }: Merging) =>
  (path: Path) =>
    inherited?.has(fieldText({ kind, home, path })) === true;

const placeOf = ({ kind, key, at }: Desired) => ({ address: addressOf(kind, key), at });

/** Converts a difference that the text of an object cannot express to an entry of `unchanged`. */
const stuckIn =
  (home: Desired) =>
  (one: InexpressibleDifference): UnchangedObject => ({
    ...placeOf(home),
    at: one.at,
    field: one.field,
    ...inexpressibleBecause(one),
  });

function homesOf({ model, comparison }: MergeInput): ReadonlyMap<Exported, Desired> {
  return new Map(
    everyObject(model.objects).flatMap(object => {
      const desired = declaredOf(object, comparison.declared);
      return desired ? [[object, desired]] : [];
    }),
  );
}

// A declaration in a former parent moves to the current parent.
function takeAwayMoved({
  model,
  homes,
  texts,
  touched,
  unchanged,
}: Merging): ReadonlySet<Exported> {
  const moved = new Set<Exported>();
  for (const parent of everyObject(model.objects)) {
    for (const child of parent.children) {
      const desired = homes.get(child);
      if (!desired || desired.parent === homes.get(parent)?.key) continue;
      const shared = notEditedBecause(desired.at);
      if (shared !== undefined) {
        unchanged.push({ ...placeOf(desired), ...shared });
        continue;
      }
      const result = texts.get(desired.at.file)?.remove(desired.at);
      if (result === 'removed') {
        moved.add(child);
        touched.add(desired.at.file);
      } else unchanged.push({ ...placeOf(desired), ...stuckAs(result) });
    }
  }
  return moved;
}

const stuckAs = (result: string | undefined): StuckText =>
  result === 'anchored' ? ANCHORED : BY_ALIAS;

// The number of repaired declarations.
function repairDeclarations(merging: Merging): number {
  const { kinds, repairs = [], texts, touched, unchanged } = merging;
  const done = repairs.filter(({ desired, fields }) => {
    const { kind, at } = desired;
    const shared = notEditedBecause(at);
    if (shared !== undefined) {
      unchanged.push({ ...placeOf(desired), ...shared });
      return false;
    }
    const text = texts.get(at.file);
    const map = text?.mapAt(at);
    const result = fields === undefined ? text?.remove(at) : 'removed';
    if (!text || !map || result !== 'removed') {
      unchanged.push({ ...placeOf(desired), ...stuckAs(result) });
      return false;
    }
    const { mapAt } = text;
    const known = kinds.get(kind);
    if (known && fields) {
      const isDifferent = (path: Path) =>
        !isEqual(valueAt(known.shape, fields, path), valueAt(known.shape, desired.fields, path));
      const isInherited = inheritedBy(known, desired.key, merging);
      const own = { home: desired, kind: known, map, mapAt, isDifferent, isInherited };
      const { inexpressible, removed } = editOwnText(own, new Map(Object.entries(fields)));
      const home = desired.key;
      addAll(
        merging.removed,
        removed.map(path => ({ kind: known, home, now: home, path })),
      );
      addAll(unchanged, inexpressible.map(stuckIn(desired)));
    }
    touched.add(at.file);
    return true;
  });
  return done.length;
}

// Updates the declaration of an object. Returns whether this changed its text.
function bringUp(
  object: Exported,
  isNew: (object: Exported) => boolean,
  merging: Merging,
): boolean {
  const { kinds, comparison, homes, texts, touched, unchanged, bound } = merging;
  const home = present(homes.get(object), 'a declaration');
  const { at, lifecycle } = home;
  const fields = comparison.differs(object);
  const fresh = object.children.filter(isNew);
  const isUnbound = bound?.has(boundAs(object)) === true && lifecycle.id === undefined;
  if (fields.size === 0 && fresh.length === 0 && !isUnbound) return false;
  const text = texts.get(at.file);
  const map = text?.mapAt(at);
  const shared = notEditedBecause(at);
  if (shared !== undefined || !text || !map) {
    const stuck = shared ?? (text ? BY_ALIAS : IN_OTHER_LAYER);
    const isDifferent = fields.size > 0 || isUnbound;
    addAll(unchanged, leftAsIs(home, stuck, { isDifferent, fresh }));
    return false;
  }
  const isChanged = editText(object, { home, text, map }, merging);
  if (isUnbound) bind(map, object);
  for (const key of addChildren(map, object, { isNew, kinds }))
    unchanged.push({
      ...placeOf(home),
      ...inexpressibleBecause({ name: key, at, why: 'template' }),
    });
  touched.add(at.file);
  return isUnbound || isChanged;
}

/** A declaration in its file. */
interface WrittenDeclaration {
  readonly home: Desired;
  readonly text: EditedFile;
  readonly map: YAMLMap;
}

// Writes the fields of an object that differ into its declaration. Returns whether that changed the text.
function editText(
  object: Exported,
  { home, text: { mapAt }, map }: WrittenDeclaration,
  merging: Merging,
): boolean {
  const { comparison, unchanged } = merging;
  const { kind, name } = object;
  const heldOf = (field: string) => object.fields[field] ?? emptied(home.lifecycle, field);
  const paths = comparison.paths(object);
  const isDifferent = (path: Path) => paths.some(one => overlaps(one, path));
  const isInherited = inheritedBy(kind, home.key, merging);
  const { isChanged, inexpressible, removed } = editOwnText(
    { home, kind, map, mapAt, isDifferent, isInherited },
    new Map([...comparison.differs(object)].map(field => [field, heldOf(field)])),
  );
  const now = childKey(home.parent, name);
  addAll(
    merging.removed,
    removed.map(path => ({ kind, home: home.key, now, path })),
  );
  addAll(unchanged, inexpressible.map(stuckIn(home)));
  return isChanged;
}

// The findings about an object whose text is not edited, and about each new object inside it.
function leftAsIs(
  home: Desired,
  { add, ...stuck }: StuckText,
  { isDifferent, fresh }: { readonly isDifferent: boolean; readonly fresh: readonly Exported[] },
): UnchangedObject[] {
  const own = isDifferent ? [{ ...placeOf(home), ...stuck }] : [];
  const inside = fresh.map(({ kind, name }): UnchangedObject => {
    const address = addressOf(kind.name, childKey(home.key, name));
    return { address, at: home.at, ...stuck, keep: add ?? stuck.keep, isNew: true };
  });
  return [...own, ...inside];
}

function bind(map: YAMLMap, { id, kind }: Exported): void {
  const lifecycle = map.get('lifecycle');
  const order = [...kind.shape.fields.keys()];
  if (isMap(lifecycle)) setField(lifecycle, { name: 'id', order: [], shape: undefined }, id);
  else setField(map, { name: 'lifecycle', order, shape: undefined }, { id });
}

const byName = (a: ExportedFile, b: ExportedFile): number => (a.file < b.file ? -1 : 1);

// An absent set is not managed. An exact set that is empty in the account stays declared, so that a later member is noticed.
const emptied = ({ exact }: Desired['lifecycle'], name: string): Json | undefined =>
  exact?.includes(name) ? [] : undefined;

// New objects go to the only file with objects of their kind, to the file of their kind, or to a new file.
function placed(
  objects: readonly Exported[],
  { kinds, model, homes, texts, touched, newFileFor }: Merging,
): ExportedFile[] {
  const filesOf = Map.groupBy(
    model.objects.filter(object => homes.has(object)),
    ({ kind }) => kind,
  );
  const created = new Map<string, Exported[]>();
  for (const [kind, own] of Map.groupBy(objects, object => object.kind)) {
    const [home, ...others] = new Set(
      (filesOf.get(kind) ?? []).map(object => homes.get(object)?.at.file),
    );
    const file = home !== undefined && others.length === 0 ? home : newFileFor(kind);
    const document = texts.get(file)?.documents.at(-1);
    if (!document) {
      created.set(file, [...(created.get(file) ?? []), ...own]);
      continue;
    }
    addTo(document, kind, own, kinds);
    touched.add(file);
  }
  return [...created].map(([file, own]) => {
    const isTold = (name: KindName): boolean => {
      const kind = kinds.get(name);
      const top = kind?.parent === undefined ? kind : kinds.get(kind.parent);
      return top !== undefined && newFileFor(top) === file;
    };
    const leftOut = model.leftOut.filter(({ kind }) => isTold(kind));
    return { file, text: oneFile({ objects: own, leftOut }, kinds) };
  });
}

function addTo(document: Document, kind: Kind, own: readonly Exported[], kinds: KindTable): void {
  if (!isMap(document.contents)) document.contents = new YAMLMap() as typeof document.contents;
  const pair = addObjects(document, kind, [], kinds);
  if (pair && isSeq(pair.value)) addNodes(pair.value, own, kinds);
  else addObjects(document, kind, own, kinds);
}
