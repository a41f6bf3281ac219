// The account in which a run is undone: its objects now, and their names after the undo.
import { childKey, identityName, isNameless } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapEnds } from '../../kinds/values/mapEnds.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import type { Span } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { JournalEntry } from '../../model/journal.ts';
import { idInKey, idKey } from '../../model/key.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Plan } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { Fields } from '../../model/value.ts';

/** The run to undo, and its account. */
export interface UndoInput {
  readonly kinds: KindTable;
  readonly plan: Plan;
  readonly entries: readonly JournalEntry[];
  /** The current account. */
  readonly objects: readonly Live[];
  /** The kinds that could not be read: their objects are unknown. None if absent. */
  readonly unread?: ReadonlySet<KindName>;
  /** Objects that the run provably created, by the names of the plan; its journal may show fewer. */
  readonly proven: readonly RecordedId[];
  /** Whether the journal may lack the last lines of the run. If so, any action may have been sent. */
  readonly isLost: boolean;
  /** The other folders of the account, with what they declare now. */
  readonly others: readonly OtherFolder[];
  /**
   * The time, in milliseconds. Access that had an expiry before the run, and has expired since, is not restored. Without a time,
   * nothing counts as expired.
   */
  readonly now?: number;
  /** The name of the journal in messages. */
  readonly file: string;
}

/** Objects by id, and the keys before the run and after the undo. */
export class UndoAccount {
  readonly kinds: KindTable;
  readonly #file: string;
  readonly #objects: readonly Live[];
  readonly #byId: ReadonlyMap<string, Live>;
  /** The ids of objects, by their keys in the plan. */
  readonly #ids: ReadonlyMap<string, RemoteId>;
  /** The keys of objects that are renamed back, or created again with another id, by kind and id. */
  readonly #back = new Map<string, Key>();
  /** Live objects that the run created or updated, by kind and id. */
  readonly #ofRun = new Map<string, 'created' | 'updated'>();
  /** The present ids of deleted objects that exist again, by kind and former id. */
  readonly #there = new Map<string, RemoteId>();
  /** The objects that the plan of the run found in the account, by kind and id. */
  readonly #before: ReadonlySet<string>;
  /** By kind, the objects without a name field, each under the key that its fields give. */
  readonly #made = new Map<KindName, ReadonlyMap<Key, readonly Live[]>>();

  constructor({ kinds, plan, entries, objects, file }: UndoInput) {
    this.kinds = kinds;
    this.#file = file;
    this.#objects = objects;
    this.#byId = new Map(objects.map(live => [`${live.kind} ${live.id}`, live]));
    const planned = [...plan.changes, ...plan.leftAlone, ...plan.pins];
    this.#before = new Set(planned.map(({ kind, id }) => `${kind} ${id}`));
    const changed = plan.changes.flatMap(({ kind, key, id }) => (id ? { kind, key, id } : []));
    const named = entries.flatMap(entry => (entry.type === 'name' ? entry : []));
    this.#ids = new Map(
      [...changed, ...plan.pins, ...named].map(({ kind, key, id }) => [`${kind} ${key}`, id]),
    );
  }

  kind(name: KindName): Kind {
    return present(this.kinds.get(name), `the kind ${name}`);
  }

  live(kind: KindName, id: RemoteId): Live | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  /** All live objects. */
  all(): readonly Live[] {
    return this.#objects;
  }

  ofKind(kind: KindName): readonly Live[] {
    return this.#objects.filter(live => live.kind === kind);
  }

  /** Notes an object that the run created or updated. */
  noteOfRun(kind: KindName, id: RemoteId, did: 'created' | 'updated'): void {
    this.#ofRun.set(`${kind} ${id}`, did);
  }

  /** What the run did to a live object; undefined if nothing. */
  runDid({ kind, id }: Live): 'created' | 'updated' | undefined {
    return this.#ofRun.get(`${kind} ${id}`);
  }

  /** Whether the account had a live object before the run. */
  wasBefore({ kind, id }: Live): boolean {
    return this.#before.has(`${kind} ${id}`);
  }

  /** Notes that a deleted object exists again, with another id. */
  noteThere(kind: KindName, id: RemoteId, now: RemoteId): void {
    this.#there.set(`${kind} ${id}`, now);
  }

  /** The id of a deleted object that exists again; undefined if it does not. */
  thereAs(kind: KindName, id: RemoteId): RemoteId | undefined {
    return this.#there.get(`${kind} ${id}`);
  }

  /** Whether a live object has this key now. */
  has(kind: KindName, key: Key): boolean {
    return this.#objects.some(live => live.kind === kind && this.shownKey(live) === key);
  }

  /** Whether another live object is known to have the key after the undo. */
  isTaken(kind: KindName, key: Key, except: RemoteId): boolean {
    return this.#objects.some(
      live => live.kind === kind && live.id !== except && this.keyOf(kind, live.id) === key,
    );
  }

  /**
   * The key by which people know a live object; for a kind without a name field, the key that its other fields give. The id if
   * that key is not unique.
   */
  shownKey(live: Live): Key {
    const kind = this.kind(live.kind);
    if (!isNameless(kind)) return live.key;
    const made = this.#made.get(kind.name) ?? this.#keysMade(kind);
    this.#made.set(kind.name, made);
    const key = this.#keyMade(kind, live);
    return key !== null && made.get(key)?.length === 1 ? key : live.key;
  }

  #keysMade(kind: Kind): ReadonlyMap<Key, readonly Live[]> {
    const objects = this.#objects.filter(live => live.kind === kind.name);
    return Map.groupBy(objects, live => this.#keyMade(kind, live) ?? live.key);
  }

  #keyMade(kind: Kind, live: Live): Key | null {
    const { parentId, idFields, hasSecretHost } = live;
    const parent = kind.parent && parentId && this.live(kind.parent, parentId)?.key;
    const name = identityName(kind, this.inNames(kind, idFields));
    const isHomeless = kind.parent !== undefined && (!parent || idInKey(parent) !== null);
    return name === null || hasSecretHost || isHomeless
      ? null
      : childKey(parent || undefined, name);
  }

  /** Replaces references by id with the present names. */
  inNames(kind: Kind, fields: Fields): Fields {
    const named = mapFieldRefs(kind, fields, (ref, key) => {
      const id = idInKey(key);
      return id === null ? key : (this.live(ref, id)?.key ?? key);
    });
    return canonicalFields(kind.shape, named, 'live');
  }

  /** Sets the name of an object after the undo. */
  name(kind: KindName, id: RemoteId, key: Key): void {
    this.#back.set(`${kind} ${id}`, key);
  }

  /** The name of an object after the undo. */
  keyOf(kind: KindName, id: RemoteId): Key {
    return this.#back.get(`${kind} ${id}`) ?? this.live(kind, id)?.key ?? idKey(id);
  }

  /** Replaces references by id with the names after the undo. */
  afterwards(kind: Kind, fields: Fields): Fields {
    return mapFieldRefs(kind, fields, (ref, key) => {
      const id = idInKey(key);
      return id === null ? key : this.keyOf(ref, id);
    });
  }

  /** The name of a member that a set has as `id:<id>`, if the object has a name. */
  memberName(set: KindName, field: string, member: string): string {
    const items = this.kind(set).shape.fields.get(field)?.shape;
    const ref = items?.type === 'list' && items.items.type === 'scalar' ? items.items.ref : null;
    const id = idInKey(member);
    return (ref && id && this.live(ref, id)?.key) || member;
  }

  /** Fields of the plan with `id:<id>` in place of its keys, where the plan has the ids. */
  inIds(kind: Kind, fields: Fields): Fields {
    return mapFieldRefs(kind, fields, (ref, key) => this.idKeyOf(ref, key));
  }

  /** A key of the plan as `id:<id>`, if the plan has the id. */
  idKeyOf(kind: KindName, key: string): string {
    const id = this.#ids.get(`${kind} ${key}`);
    return id === undefined ? key : idKey(id);
  }

  /** The place of every declaration of the undo. */
  get at(): Span {
    return { file: this.#file, line: 1, column: 1 };
  }

  declared(kind: Kind, key: Key, more: Partial<Desired>): Desired {
    const { at } = this;
    return { kind: kind.name, key, fields: {}, lifecycle: {}, at, spans: {}, ...more };
  }

  /** The object with its references under the names after the undo. */
  settled(object: Desired): Desired {
    const kind = this.kind(object.kind);
    const after = (ref: KindName, key: string): string => {
      const id = idInKey(key);
      return id === null ? key : (this.#back.get(`${ref} ${id}`) ?? key);
    };
    const ends = mapEnds(kind, object.ends ?? [], after);
    const fields = mapFieldRefs(kind, object.fields, after);
    return { ...object, fields, ...(ends.length > 0 && { ends }) };
  }
}
