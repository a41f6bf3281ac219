// Removes references to objects that another system has not created yet from a declared object. A
// waiting object never grants more than declared: lists of parties get shorter, rules without a
// party are disabled, and a restriction is never written incompletely.

import { isKeptByAccount } from '../../kinds/identity/keptByAccount.ts';
import type { Kind, ListShape, Shape } from '../../kinds/kind.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { refKey, refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { stableText } from '../../model/text/stableText.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
} from '../../model/value.ts';
import { grantsByMember, isJoined, isOfSettings } from './parties.ts';
import { closingFields, denies, isOffValue, switchOf } from './switches.ts';
import { letsInMore } from './widerWhileWaiting.ts';

/** What happens to an object that refers to absent objects. */
type Fate = 'not-created' | 'held' | 'closed' | 'in-part' | 'narrowed' | 'switched-off';

/** An object that waits. */
export interface WithoutAbsentReferences {
  /** The object to plan; absent if no part of it can be written yet. */
  readonly object?: Desired;
  /**
   * The declaration with which the live object is compared, in addition to `object`. Only values
   * that depend on absent objects may differ. Absent if there is no live object.
   */
  readonly compared?: Desired;
  readonly fate: Fate;
  /** The fields that do not change although the other fields are written. */
  readonly staying?: readonly string[];
  /** The absent objects to which the object refers. */
  readonly absent: readonly Address[];
  /**
   * Whether a part of the object that denies access waits, or denies access to fewer parties than
   * declared.
   */
  readonly isDenying: boolean;
  /**
   * Whether the live object allows more than the declared object, because a list that restricts it
   * is empty or has other members.
   */
  readonly isOpen: boolean;
}

/** A declared object, and its fields in the account and in the base. */
export interface Narrowing {
  readonly kind: Kind;
  readonly object: Desired;
  /** The fields in the account; absent if there is no live object. */
  readonly live: Fields | undefined;
  /** The fields in the base; absent if the base does not have the object. */
  readonly former: Fields | undefined;
  /**
   * Whether the run has a base. If it has, a value that is not in the base was set in the account.
   */
  readonly hasBase: boolean;
  readonly isAbsent: (address: Address) => boolean;
  /** Whether the account has an object with this name. The base may refer to objects that no longer exist. */
  readonly isThere: (address: Address) => boolean;
}

/** The object without its absent references; null if it has none. */
export function withoutAbsentReferences(narrowing: Narrowing): WithoutAbsentReferences | null {
  const { kind, object, isAbsent } = narrowing;
  const absent = [...new Set(addressesIn(kind.shape, object.fields).filter(isAbsent))];
  return absent.length === 0 ? null : new Work(narrowing, absent).result();
}

/** The addresses to which a value of this shape refers. */
export const addressesIn = (shape: Shape, value: Json): readonly Address[] =>
  refsIn(shape, value).flatMap(ref => {
    const key = refKey(ref.key);
    return key === null ? [] : [addressOf(ref.kind as KindName, key as Key)];
  });

/**
 * A list, or the items that replace one item: the version to write, and the version with which the
 * account is compared.
 */
interface Both {
  readonly written: readonly Json[];
  readonly compared: readonly Json[];
}

class Work {
  readonly #given: Narrowing;
  readonly #absent: readonly Address[];
  readonly #fields: Record<string, Json>;
  readonly #compared: Record<string, Json>;
  readonly #staying: string[] = [];
  #isStuck = false;
  #isOff = false;
  #isDenying = false;
  #isOpen = false;

  constructor(given: Narrowing, absent: readonly Address[]) {
    this.#given = given;
    this.#absent = absent;
    this.#fields = { ...given.object.fields };
    this.#compared = { ...given.object.fields };
  }

  result(): WithoutAbsentReferences {
    const { kind, object, live } = this.#given;
    for (const [name, value] of Object.entries(object.fields)) {
      const shape = kind.shape.fields.get(name)?.shape;
      if (shape) this.#field(name, shape, value);
    }
    const said = { absent: this.#absent, isDenying: this.#isDenying, isOpen: this.#isOpen };
    if (live === undefined && (this.#isStuck || this.#isOff))
      return { ...said, fate: 'not-created' };
    const compared = { ...object, fields: this.#compared };
    const known = { ...said, ...(live && { compared }) };
    if (this.#isStuck) return { ...known, fate: 'held' };
    const written = { ...known, object: { ...object, fields: this.#fields } };
    if (this.#staying.length > 0) return { ...written, fate: 'in-part', staying: this.#staying };
    return { ...written, fate: this.#isOff ? 'switched-off' : 'narrowed' };
  }

  #field(name: string, shape: Shape, value: Json): void {
    if (!this.#names(shape, value)) return;
    const { kind, live, former } = this.#given;
    if (shape.type === 'list' && isList(value) && shape.items.type === 'object')
      this.#items(name, shape, value);
    else if (shape.type !== 'list' || !isList(value) || !grantsByMember(kind, [name]))
      this.#put(this.#compared, name, this.#stuck(shape, value, live?.[name]));
    else {
      const kept = this.#kept(shape, value);
      // An existing object may be left without groups to join. A new object may not, because
      // machines would join no group.
      const isWritable = kept.length > 0 || (isJoined(kind, [name]) && live !== undefined);
      const held = isWritable
        ? null
        : this.#held(shape, live?.[name], {
            former: former?.[name],
            isOff: this.#isSwitchedOff(),
          });
      if (held && this.#stays(name, held)) return;
      this.#fields[name] = held?.written ?? kept;
      this.#compared[name] = held?.compared ?? kept;
      if (held) this.#switchOff(name, held);
    }
  }

  // If the list is a separate setting on which no other declared value depends, leaves only this
  // list unchanged and returns true.
  #stays(name: string, { written, compared }: Both): boolean {
    const { kind, live, former, hasBase } = this.#given;
    if (live === undefined || !isOfSettings(kind) || this.#isSwitchingOn()) return false;
    if (isKeptByAccount(kind) && former?.[name] === undefined) {
      this.#put(this.#fields, name, undefined);
      this.#put(this.#compared, name, undefined);
    } else {
      if (written.length === 0 && !isKeptByAccount(kind)) return false;
      this.#fields[name] = written;
      // Without a base, no record shows a different former value.
      this.#compared[name] = former === undefined && !hasBase ? written : compared;
    }
    if (this.#servesOthers(name)) this.#isOpen = true;
    this.#staying.push(name, ...this.#servedBy(name));
    return true;
  }

  // Whether a setting that needs the list is enabled, and would stay enabled for members that the
  // files no longer name.
  #servesOthers(list: string): boolean {
    const { kind, object, live } = this.#given;
    const names = kind.requiredTogether.flatMap(({ field, with: other }) =>
      other === list ? field : [],
    );
    const isOn = names.some(name => live?.[name] === true && object.fields[name] !== false);
    const declared = new Set(listOf(object.fields[list]).map(stableText));
    return isOn && listOf(live?.[list]).some(member => !declared.has(stableText(member)));
  }

  // Settings that apply to the members of the list must wait with it: if they were enabled now,
  // they would apply to the current members. Returns these settings.
  #servedBy(list: string): readonly string[] {
    const { kind, object, live, former } = this.#given;
    const names = kind.requiredTogether.flatMap(({ field, with: other }) =>
      other === list ? field : [],
    );
    return names.filter(name => {
      const value = object.fields[name];
      const isWritten =
        value === undefined || value === false || [live?.[name], former?.[name]].includes(value);
      if (!isWritten)
        for (const fields of [this.#fields, this.#compared]) this.#put(fields, name, undefined);
      return !isWritten;
    });
  }

  // Whether the plan would enable the object. If it would, the object would serve members that the
  // files no longer name.
  #isSwitchingOn(): boolean {
    const { object, live } = this.#given;
    return Object.entries(object.fields).some(
      ([name, value]) => isOffValue(name, live?.[name]) && !isOffValue(name, value),
    );
  }

  // Disables an object all of whose parties are absent. Its list keeps its present members.
  #switchOff(list: string, { written, compared }: Both): void {
    const { live } = this.#given;
    this.#isOff = true;
    this.#compared[list] = compared;
    if (live === undefined) return;
    this.#fields[list] = written;
    if (written.length > 0) {
      this.#switchOffWhole();
      return;
    }
    // The list has no member to keep, and an object with an empty list may be open to everybody.
    this.#isStuck = true;
    if (this.#letsInMore() === true) this.#isOpen = true;
  }

  // Whether the object admits callers that the files exclude; undefined for kinds that nobody
  // calls.
  #letsInMore(): boolean | undefined {
    const { kind, live = {}, object } = this.#given;
    const isAbsent = (shape: Shape, value: Json) => this.#names(shape, value);
    return letsInMore({ kind, live, declared: object.fields, isAbsent });
  }

  #switchOffWhole(): void {
    const off = switchOf(this.#given.kind);
    if (off === undefined) {
      this.#isStuck = true;
      return;
    }
    this.#fields[off] = false;
    this.#compared[off] = false;
  }

  #items(list: string, shape: ListShape, items: readonly Json[]): void {
    const { object, live, former } = this.#given;
    const by = keyFields(shape) ?? [];
    const liveItems = itemsOf(live?.[list]);
    const formerItems = itemsOf(former?.[list]);
    // If the object is a part of another object, the other items of that object are in other parts.
    const isLone = items.length === 1 && (object.part?.whole ?? object.key) === object.key;
    const isAlone = items.length === 1 && liveItems.length === 1;
    const both = items.map((item): Both => {
      if (!isObject(item) || !this.#names(shape.items, item))
        return { written: [item], compared: [item] };
      const isSame = (one: JsonObject) => itemKey(one, by) === itemKey(item, by);
      const own = isAlone ? liveItems[0] : liveItems.find(isSame);
      return this.#item(item, {
        list,
        shape: shape.items,
        own,
        former: formerItems.find(isSame),
        isLone,
      });
    });
    const written = both.flatMap(one => one.written);
    const compared = both.flatMap(one => one.compared);
    this.#fields[list] = written;
    this.#compared[list] = compared;
    // If no declared item can be written, the live items must stop applying too.
    if (written.length === 0) this.#switchOff(list, { written: liveItems, compared });
  }

  #item(item: JsonObject, { list, shape, own, former, isLone }: ItemOf): Both {
    const { kind } = this.#given;
    const isDenying = denies(kind, list, item);
    if (isDenying) this.#isDenying = true;
    const written: Record<string, Json> = { ...item };
    const compared: Record<string, Json> = { ...item };
    // In an item that denies, a longer list does not grant anything.
    const isOff = isDenying || this.#isSwitchedOff({ list, own });
    let isEmptied = false;
    let isUnwritable = false;
    for (const [name, value] of Object.entries(item)) {
      const inner = shape.type === 'object' ? shape.fields.get(name)?.shape : undefined;
      if (!inner || !this.#names(inner, value)) continue;
      const isParty = inner.type === 'list' && grantsByMember(kind, [list, name]);
      if (!isParty || !isList(value)) {
        this.#put(compared, name, this.#stuck(inner, value, own?.[name]));
        continue;
      }
      const kept = this.#kept(inner, value);
      const held = this.#held(inner, own?.[name], { former: former?.[name], isOff });
      if (isDenying) {
        // Parties that are denied, or were denied before, stay denied.
        const denied = [...kept, ...listOf(own?.[name]), ...held.written];
        written[name] = [...new Set(denied)];
        compared[name] = [...new Set([...kept, ...held.compared])];
      } else {
        if (kept.length === 0) isEmptied = true;
        written[name] = kept.length === 0 ? held.written : kept;
        compared[name] = kept.length === 0 ? held.compared : kept;
      }
      if (listOf(written[name]).length === 0) isUnwritable = true;
    }
    if (!(isEmptied || isUnwritable)) return { written: [written], compared: [compared] };
    if (own === undefined) return { written: [], compared: [] };
    // If the list is empty, other fields may have replaced it: a rule for a resource has no groups.
    // In that case, the live item is used.
    const now = isUnwritable ? { ...writable(own, shape), ...this.#closing(list, item) } : written;
    if (isDenying) return { written: [now], compared: [compared] };
    const off = isLone ? undefined : switchOf(kind, list);
    this.#isOff = true;
    if (off === undefined) this.#switchOffWhole();
    const closed = off === undefined ? {} : { [off]: false };
    return { written: [{ ...now, ...closed }], compared: [{ ...compared, ...closed }] };
  }

  // The members for a list of parties that would be empty: the former members from the base or, if
  // there are none, from the account. Without a base, the members of a disabled object or item also
  // count as former members.
  #held(shape: Shape, live: Json | undefined, { former, isOff }: Before): Both {
    const held = listOf(live);
    if (former === undefined)
      return { written: held, compared: isOff && !this.#given.hasBase ? held : [] };
    const present = listOf(former).filter(member =>
      addressesIn(shape.type === 'list' ? shape.items : shape, member).every(this.#given.isThere),
    );
    return { written: present.length > 0 ? present : held, compared: present };
  }

  // The fields that make an item deny. They are kept, so that the item still denies.
  #closing(list: string, item: JsonObject): JsonObject {
    const names = closingFields(this.#given.kind, list);
    return Object.fromEntries(
      names.flatMap(name => (item[name] === undefined ? [] : [[name, item[name]]])),
    );
  }

  #isSwitchedOff(item?: Pick<ItemOf, 'list' | 'own'>): boolean {
    const { kind, live } = this.#given;
    const isFalse = (fields: Fields | undefined, off: string | undefined) =>
      off !== undefined && fields?.[off] === false;
    return (
      isFalse(live, switchOf(kind)) ||
      (item !== undefined && isFalse(item.own, switchOf(kind, item.list)))
    );
  }

  #kept(shape: ListShape, values: readonly Json[]): readonly Json[] {
    return values.filter(value => !this.#names(shape.items, value));
  }

  // Handles a list that restricts, or a single reference. Without its absent members, the object
  // would be a different object, so it cannot be written. Returns the value with which the live
  // value is compared.
  #stuck(shape: Shape, declared: Json, live: Json | undefined): Json | undefined {
    this.#isStuck = true;
    if (this.#given.live === undefined) return declared;
    if (this.#letsInMore() ?? isWider(live, declared)) {
      this.#isOpen = true;
      return declared;
    }
    // An object with locks was judged as a whole above, so this lock does not change in the
    // account.
    if (this.#given.kind.exposes !== undefined) return live;
    if (shape.type === 'list' && isList(declared)) return this.#kept(shape, declared);
    if (shape.type === 'dict' && isObject(declared)) {
      const kept = Object.entries(declared).filter(
        entry => !this.#names(shape, Object.fromEntries([entry])),
      );
      return Object.fromEntries(kept);
    }
    return live;
  }

  #put(fields: Record<string, Json>, name: string, value: Json | undefined): void {
    if (value === undefined) delete fields[name];
    else fields[name] = value;
  }

  #names(shape: Shape, value: Json): boolean {
    return addressesIn(shape, value).some(this.#given.isAbsent);
  }
}

interface ItemOf {
  readonly list: string;
  readonly shape: Shape;
  /** The live item with the same key. */
  readonly own: JsonObject | undefined;
  readonly former: JsonObject | undefined;
  readonly isLone: boolean;
}

/** The list in the base, and whether the live list is in a disabled object or item. */
interface Before {
  readonly former: Json | undefined;
  readonly isOff: boolean;
}

const itemsOf = (value: Json | undefined): readonly JsonObject[] =>
  listOf(value).filter(item => isObject(item));

/** A live item in the form of files. */
function writable(item: JsonObject, shape: Shape): JsonObject {
  const isWritten = (name: string): boolean => {
    const field = shape.type === 'object' ? shape.fields.get(name) : undefined;
    return field !== undefined && !field.readOnly && !field.sentBack;
  };
  return Object.fromEntries(Object.entries(item).filter(([name]) => isWritten(name)));
}

/** Whether the live value is wider than the declared value: it has no restriction, or it admits other members. */
export function isWider(live: Json | undefined, declared: Json): boolean {
  const found = membersOf(live);
  if (found.length === 0) return true;
  const wanted = new Set(membersOf(declared));
  return found.some(member => !wanted.has(member)) || hasWiderEntry(live, declared);
}

// Whether the entry of a member is wider. Such an entry, for example the local users of a group, is
// a list that restricts too.
function hasWiderEntry(live: Json | undefined, declared: Json): boolean {
  if (!isObject(live) || !isObject(declared)) return false;
  return Object.entries(live).some(([name, value]) => {
    const wanted = declared[name] ?? [];
    return stableText(value) !== stableText(wanted) && isWider(value, wanted);
  });
}

function membersOf(value: Json | undefined): readonly string[] {
  if (isList(value)) return value.map(item => JSON.stringify(item));
  if (isObject(value)) return Object.keys(value);
  return value === undefined || value === null ? [] : [JSON.stringify(value)];
}
