// The base of a folder after an undo. This base declares what the undo wrote, so that later plans
// remove it again unless the files declare it.
import isEqual from 'fast-deep-equal';
import { declaredObject, recordedObject } from '../../base/recordedObjects.ts';
import { substituted } from '../../engine/conflicts/substitution.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import { itemKeys, partName, partsIn } from '../../kinds/identity/parts.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { keyedPath, valueAt } from '../../kinds/values/items.ts';
import { mapEnds } from '../../kinds/values/mapEnds.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Address, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type {
  BaseContent,
  RecordedEnd,
  RecordedObject,
  UndoneObject,
} from '../../model/recordedBase.ts';
import type { Mark } from '../../model/secrets/hostedSecret.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { type Fields, isObject, type Json, listOf } from '../../model/value.ts';

/** An undo that is about to be carried out. */
export interface PlannedUndo {
  readonly plan: Pick<Plan, 'changes'> & Partial<Pick<Plan, 'pins'>>;
  /** The declarations from which the undo is planned. */
  readonly desired: readonly Desired[];
  /** The id of the run that is undone; absent if the journal of that run contains no id. */
  readonly run?: string | undefined;
}

/** The settings with which declarations are recorded. */
export interface UndoRecording {
  readonly kinds: KindTable;
  readonly dialect: Dialect;
  /** Marks the addresses of webhooks. */
  readonly mark: Mark | undefined;
}

/** The declarations of a base, and the declarations that an undo has replaced. */
type Declared = Pick<BaseContent, 'objects' | 'undone' | 'ids'>;

/**
 * The declarations of a base after an undo; null if the undo changes none of them. Objects that the
 * undo deletes stay declared, so that they count as missing from the account.
 */
export function baseAfterUndo(
  declared: Declared,
  undo: PlannedUndo,
  recording: UndoRecording,
): Declared | null {
  const next = new AfterUndo(declared, undo, recording);
  for (const change of undo.plan.changes) next.take(change);
  return next.isChanged ? next.declared() : null;
}

const NOWHERE = { file: '', line: 1, column: 1 };

class AfterUndo {
  readonly #objects: Map<Address, RecordedObject>;
  readonly #undone: Map<Address, UndoneObject>;
  readonly #undo: PlannedUndo;
  readonly #recording: UndoRecording;
  /** The names for ids in the base. */
  readonly #names: ReadonlyMap<string, string>;
  /** The names for ids in the account. */
  readonly #present: ReadonlyMap<string, string>;
  isChanged = false;

  constructor(
    { objects, undone = [], ids = [] }: Declared,
    undo: PlannedUndo,
    recording: UndoRecording,
  ) {
    this.#objects = new Map(objects.map(one => [addressOf(one.kind, one.key), one]));
    this.#undone = new Map(undone.map(one => [addressOf(one.kind, one.key), one]));
    this.#names = byId(ids);
    this.#present = byId(undo.plan.pins ?? []);
    this.#undo = undo;
    this.#recording = recording;
  }

  declared(): Omit<Declared, 'ids'> {
    const undone = [...this.#undone.values()];
    const objects = [...this.#objects.values()].sort((one, other) =>
      compareTexts(addressOf(one.kind, one.key), addressOf(other.kind, other.key)),
    );
    return { objects, ...(undone.length > 0 && { undone }) };
  }

  take(change: ShownChange): void {
    const kind = this.#recording.kinds.get(change.kind);
    if (kind === undefined) return;
    if (change.type === 'create') this.#created(change, kind);
    else if (change.type === 'delete') this.#deleted(change);
    else this.#changed(change, kind);
  }

  // Records a created object. If the base still declares it, an apply that recorded no base had
  // deleted it.
  #created({ kind: name, key, address }: ShownChange, kind: Kind): void {
    const desired = this.#undo.desired.find(one => one.kind === name && one.key === key);
    if (desired === undefined || this.#objects.has(address)) return;
    const { mark } = this.#recording;
    const { until } = desired.lifecycle;
    const lifecycle = until === undefined ? {} : { until };
    const named = this.#underNames({ ...desired, lifecycle }, kind);
    this.#objects.set(address, recordedObject(named, kind, mark));
    this.#undone.set(address, { kind: name, key, ...this.#ofRun() });
    this.isChanged = true;
  }

  // Records a deleted object. The undo of an undo deletes what the first undo restored.
  #deleted({ address }: ShownChange): void {
    const entry = this.#undone.get(address);
    if (entry === undefined || entry.applied !== undefined) return;
    this.#undone.delete(address);
    this.#objects.delete(address);
    this.isChanged = true;
  }

  #changed(change: ShownChange, kind: Kind): void {
    const object = this.#objectOf(change, kind);
    if (object === undefined) return;
    const before = declaredObject(object, kind, NOWHERE);
    const naming = new Set(namingFields(kind));
    const fields = change.fields
      .filter(({ path }) => !naming.has(path[0] ?? ''))
      .reduce((all, one) => withChange(kind, all, one, change.after ?? {}), before.fields);
    const { ends: _, ...written } = recordedObject({ ...before, fields }, kind, undefined);
    const ends = [...(object.ends ?? []), ...this.#endsOf(change, written, kind)];
    const after = { ...written, ...(ends.length > 0 && { ends: withoutTwice(ends) }) };
    if (isEqual(after, object)) return;
    const address = addressOf(object.kind, object.key);
    const entry = this.#undone.get(address);
    const applied = entry ? entry.applied : object;
    this.#objects.set(address, after);
    this.isChanged = true;
    if (applied !== undefined && isEqual(after, applied)) this.#undone.delete(address);
    else
      this.#undone.set(address, {
        kind: object.kind,
        key: object.key,
        ...this.#ofRun(),
        ...(applied && { applied }),
      });
  }

  // The declaration with the names of the base, because an undo refers to other objects by their
  // ids.
  #underNames(desired: Desired, kind: Kind): Desired {
    const named = (ref: KindName, key: string) => nameIn(this.#names, ref, key);
    const ends = mapEnds(kind, desired.ends ?? [], named);
    const fields = mapFieldRefs(kind, desired.fields, named);
    return { ...desired, fields, ...(ends.length > 0 && { ends }) };
  }

  // The expiry times of the members that the undo adds to an object again.
  #endsOf(
    { key }: ShownChange,
    { kind: name, fields }: RecordedObject,
    kind: Kind,
  ): readonly RecordedEnd[] {
    const desired = this.#undo.desired.find(one => one.kind === name && one.key === key);
    if (!desired?.ends) return [];
    const byNames = (names: ReadonlyMap<string, string>) =>
      mapEnds(kind, desired.ends ?? [], (ref, member) => nameIn(names, ref, member));
    const all = [...byNames(this.#names), ...byNames(this.#present)];
    return all.flatMap(({ list, member, until }) => {
      const path = keyedPath(kind.shape, desired.fields, list);
      const there = listOf(valueAt(kind.shape, fields as Fields, path));
      return there.includes(member) ? [{ list: path, member, until }] : [];
    });
  }

  #ofRun(): Pick<UndoneObject, 'run'> {
    const { run } = this.#undo;
    return run === undefined ? {} : { run };
  }

  // The declaration of an object, or of the whole object if it is a part.
  #objectOf(
    { kind: name, key, was, address }: ShownChange,
    kind: Kind,
  ): RecordedObject | undefined {
    const own =
      this.#objects.get(address) ??
      (was === undefined ? undefined : this.#objects.get(addressOf(name, was)));
    const parts = partsIn(kind, this.#recording.dialect);
    if (own || !parts) return own;
    return [...this.#objects.values()].find(
      one =>
        one.kind === name &&
        itemKeys(kind, one.fields as Fields).some(item => partName(parts, one.key, item) === key),
    );
  }
}

const byId = (
  all: readonly { readonly kind: KindName; readonly key: string; readonly id: RemoteId }[],
): ReadonlyMap<string, string> => new Map(all.map(({ kind, key, id }) => [`${kind} ${id}`, key]));

const nameIn = (names: ReadonlyMap<string, string>, ref: KindName, key: string): string =>
  names.get(`${ref} ${idInKey(key) ?? ''}`) ?? key;

// Keeps the later of two expiry times of one member. The later time comes from the run that is
// undone.
function withoutTwice(ends: readonly RecordedEnd[]): readonly RecordedEnd[] {
  const textOf = ({ list, member }: RecordedEnd) => JSON.stringify([list, member]);
  return [...new Map(ends.map(end => [textOf(end), end])).values()];
}

// The fields with a change that the undo makes.
function withChange({ shape }: Kind, fields: Fields, change: FieldChange, after: Fields): Fields {
  const { path } = change;
  const [name = '', ...inside] = path;
  if (change.type === 'members' && inside.length === 0 && shape.fields.get(name)?.shared) {
    const isRemoved = (member: Json) => change.removed.some(one => isEqual(one, member));
    const left = listOf(fields[name]).filter(member => !isRemoved(member));
    const added = change.added.filter(member => !left.some(one => isEqual(one, member)));
    return { ...fields, [name]: [...left, ...added] };
  }
  const next = substituted(shape, fields, after, path);
  return isObject(next) ? next : fields;
}
