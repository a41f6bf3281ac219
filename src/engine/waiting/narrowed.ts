// A declared object without references to objects that another system has not made yet. Waiting only ever withholds access: lists of
// parties get shorter, rules without a party are switched off, and what restricts is never written without a part of it.
import type { Kind, ListShape, Shape } from '../../kinds/kind.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { refKey, refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { type Fields, isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { grantsByMember } from './parties.ts';
import { denies, switchOf } from './switches.ts';

/** What becomes of an object that names absent ones. */
type Fate = 'not-created' | 'held' | 'narrowed' | 'switched-off';

/** An object that waits. */
export interface Narrowed {
  /** The object to plan; absent if there is nothing to write yet. */
  readonly object?: Desired;
  readonly fate: Fate;
  /** The absent objects that it names. */
  readonly for: readonly Address[];
  /** Whether a part of it that denies access waits, or does without some of those whom it denies. */
  readonly isDenying: boolean;
  /** Whether the live object leaves more open than the declared one: a list that restricts is empty or has other members. */
  readonly isOpen: boolean;
}

/** A declared object, and the fields of its live object if there is one. */
export interface Narrowing {
  readonly kind: Kind;
  readonly object: Desired;
  readonly live: Fields | undefined;
  readonly isAbsent: (address: Address) => boolean;
}

/** The object without its absent references; null if it has none. */
export function narrowed(narrowing: Narrowing): Narrowed | null {
  const { kind, object, isAbsent } = narrowing;
  const all = refsIn(kind.shape, object.fields).map(({ kind: name, key }) =>
    addressOf(name, key as Key),
  );
  const absent = [...new Set(all.filter(isAbsent))];
  return absent.length === 0 ? null : new Work(narrowing, absent).result();
}

class Work {
  readonly #given: Narrowing;
  readonly #absent: readonly Address[];
  readonly #fields: Record<string, Json>;
  #isStuck = false;
  #isOff = false;
  #isDenying = false;
  #isOpen = false;

  constructor(given: Narrowing, absent: readonly Address[]) {
    this.#given = given;
    this.#absent = absent;
    this.#fields = { ...given.object.fields };
  }

  result(): Narrowed {
    const { kind, object, live } = this.#given;
    for (const [name, value] of Object.entries(object.fields)) {
      const shape = kind.shape.fields.get(name)?.shape;
      if (shape) this.#field(name, shape, value);
    }
    const said = { for: this.#absent, isDenying: this.#isDenying, isOpen: this.#isOpen };
    if (live === undefined && (this.#isStuck || this.#isOff))
      return { ...said, fate: 'not-created' };
    if (this.#isStuck) return { ...said, fate: 'held' };
    const fate = this.#isOff ? 'switched-off' : 'narrowed';
    return { ...said, fate, object: { ...object, fields: this.#fields } };
  }

  #field(name: string, shape: Shape, value: Json): void {
    if (!this.#names(shape, value)) return;
    if (shape.type !== 'list' || !isList(value)) this.#stuck(name, value);
    else if (shape.items.type === 'object') this.#items(name, shape, value);
    else if (!grantsByMember(this.#given.kind, [name])) this.#stuck(name, value);
    else {
      this.#fields[name] = this.#kept(shape, value);
      if (this.#fields[name].length === 0) this.#switchOff(name);
    }
  }

  // An object whose only parties are absent keeps its list, switched off.
  #switchOff(list: string): void {
    const { kind, live } = this.#given;
    this.#isOff = true;
    if (live === undefined) return;
    const off = switchOf(kind);
    const held = live[list];
    if (off === undefined || held === undefined) this.#stuck(list, []);
    else {
      this.#fields[list] = held;
      this.#fields[off] = false;
    }
  }

  #items(list: string, shape: ListShape, items: readonly Json[]): void {
    const { live } = this.#given;
    const held = live?.[list];
    const liveItems = (isList(held) ? held : []).filter(item => isObject(item));
    const by = keyFields(shape) ?? [];
    const isLone = items.length === 1;
    const kept = items.flatMap(item => {
      if (!isObject(item) || !this.#names(shape.items, item)) return [item];
      const own = liveItems.find(one => itemKey(one, by) === itemKey(item, by));
      return this.#item(item, { list, shape: shape.items, own, isLone });
    });
    this.#fields[list] = kept;
    // Nothing that is declared can be written: what is live does not apply any more.
    if (kept.length === 0) this.#switchOff(list);
  }

  #item(item: JsonObject, { list, shape, own, isLone }: ItemOf): readonly Json[] {
    const { kind } = this.#given;
    const isDenying = denies(kind, list, item);
    if (isDenying) this.#isDenying = true;
    const fields: Record<string, Json> = { ...item };
    let isEmptied = false;
    for (const [name, value] of Object.entries(item)) {
      const inner = shape.type === 'object' ? shape.fields.get(name)?.shape : undefined;
      if (!inner || !this.#names(inner, value)) continue;
      const isParty = inner.type === 'list' && grantsByMember(kind, [list, name]);
      if (!isParty || !isList(value)) {
        this.#stuck(`${list}.${name}`, value, own?.[name]);
        continue;
      }
      const kept = this.#kept(inner, value);
      // Whoever a live rule denies stays denied.
      const before = isDenying && isList(own?.[name]) ? own[name] : [];
      fields[name] = [...new Set([...kept, ...before])];
      if (isList(fields[name]) && fields[name].length === 0) isEmptied = true;
    }
    if (!isEmptied) return [fields];
    if (isDenying) return own === undefined ? [] : [writable(own, shape)];
    const off = switchOf(kind, list);
    if (own === undefined || isLone || off === undefined) return [];
    this.#isOff = true;
    return [{ ...writable(own, shape), [off]: false }];
  }

  #kept(shape: ListShape, values: readonly Json[]): readonly Json[] {
    return values.filter(value => !this.#names(shape.items, value));
  }

  // A list that restricts, or a single reference: written without it, the object would be another one.
  #stuck(path: string, declared: Json, live: Json | undefined = this.#given.live?.[path]): void {
    this.#isStuck = true;
    if (this.#given.live !== undefined && isWider(live, declared)) this.#isOpen = true;
  }

  #names(shape: Shape, value: Json): boolean {
    return refsIn(shape, value).some(ref => {
      const key = refKey(ref.key);
      return key !== null && this.#given.isAbsent(addressOf(ref.kind as KindName, key as Key));
    });
  }
}

interface ItemOf {
  readonly list: string;
  readonly shape: Shape;
  /** The live item of the same key. */
  readonly own: JsonObject | undefined;
  readonly isLone: boolean;
}

/** A live item as files write it. */
function writable(item: JsonObject, shape: Shape): JsonObject {
  const isWritten = (name: string): boolean => {
    const field = shape.type === 'object' ? shape.fields.get(name) : undefined;
    return field !== undefined && !field.readOnly && !field.sentBack;
  };
  return Object.fromEntries(Object.entries(item).filter(([name]) => isWritten(name)));
}

/** Whether the live value is wider than the declared one: nothing restricts it, or it lets others through. */
function isWider(live: Json | undefined, declared: Json): boolean {
  const found = membersOf(live);
  if (found.length === 0) return true;
  const wanted = new Set(membersOf(declared));
  return found.some(member => !wanted.has(member));
}

function membersOf(value: Json | undefined): readonly string[] {
  if (isList(value)) return value.map(item => JSON.stringify(item));
  if (isObject(value)) return Object.keys(value);
  return value === undefined || value === null ? [] : [JSON.stringify(value)];
}
