// What the removal of ended objects and members takes out of a live object. Everything else that has ended there stays.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { EndedMembers } from '../../model/ending.ts';
import { present } from '../../model/errors.ts';
import type { Desired, Live, Part } from '../../model/object.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Naming } from '../types/naming.ts';
import type { KeyOfRecorded } from '../types/pairing.ts';
import { haveLasting, keyInAccount } from './endedItems.ts';
import type { Overdue } from './overdue.ts';

/** A declaration with ended members, and how it is compared with its live object. */
export interface Ending {
  readonly object: Desired;
  readonly kind: Kind;
  readonly naming: Naming;
  readonly keyOfRecorded: KeyOfRecorded;
  /** The part of the object to which the live object corresponds; absent if it corresponds to the whole object. */
  readonly part: Part | undefined;
  readonly recorded: readonly Fields[];
  readonly isItemKnown: boolean;
}

/** A member that the removal takes out of a list of a live object. */
export interface TakenMember {
  /** The list in the declaration. */
  readonly list: Path;
  readonly name: string;
  /** The key of the live item that contains the list; absent if the list is not in an item. */
  readonly item?: string;
}

/** The ended part of a live object. */
export interface OverduePart {
  readonly object: Desired;
  readonly kind: Kind;
  readonly live: Live;
  /** The fields to write; null if the object is deleted. */
  readonly fields: Fields | null;
  readonly overdue: Overdue;
  /** The ended members that the account has, and that the removal takes out. */
  readonly taken: readonly TakenMember[];
}

/** The ended part of a live object; null if nothing in it has ended. */
export function overduePart({ object, kind, ...names }: Ending, live: Live): OverduePart | null {
  const { ended, key } = object;
  const { isWhole, members, fields: declared } = present(ended, 'what has ended');
  const overdue = { kind: kind.name, key };
  const all = canonicalFields(kind.shape, live.fields, 'live');
  const left = withoutNames({ kind, live, ...names }, all, { declared, members });
  const { fields, taken, isEmptied } = left;
  const gone = taken.map(({ list, name }) => ({ list, name }));
  if (isWhole) {
    // The members whose end times ended the whole object may still be in the account. They have ended too.
    const still = gone.length === 0 ? overdue : { ...overdue, members: gone };
    return { object, kind, live, fields: null, overdue: still, taken };
  }
  if (gone.length === 0) return null;
  const written = new Set(members.map(({ list }) => list[0]));
  const own = Object.entries(fields).filter(([name]) => written.has(name));
  return {
    object,
    kind,
    live,
    fields: isEmptied ? null : Object.fromEntries(own),
    overdue: { ...overdue, members: gone },
    taken,
  };
}

interface Names {
  readonly declared: Fields;
  readonly members: readonly EndedMembers[];
}

interface Left {
  readonly fields: Fields;
  readonly taken: readonly TakenMember[];
  /** Whether a list has no items left, because each item was removed with its last member. */
  readonly isEmptied: boolean;
}

function withoutNames(
  {
    kind,
    live,
    part,
    recorded,
    isItemKnown,
    ...known
  }: Omit<Ending, 'object'> & { readonly live: Live },
  fields: Fields,
  { declared, members }: Names,
): Left {
  return members.reduce(
    (left: Left, { list, names }): Left => {
      const [outer = '', index, inner] = list;
      const field = kind.shape.fields.get(outer);
      if (index === undefined || inner === undefined)
        return without(left, outer, { list, names, keyOf: named(field?.shape, names, known) });
      const by = keyFields(field?.shape) ?? [];
      const key = keyInAccount(
        { kind, live, part, declared, recorded, isItemKnown, naming: known.naming },
        list,
      );
      const item = field?.shape.type === 'list' ? field.shape.items : undefined;
      const shape = item?.type === 'object' ? item.fields.get(inner)?.shape : undefined;
      const among = { list, names, keyOf: named(shape, names, known) };
      return withoutItem(left, [outer, inner], {
        ...among,
        key,
        by,
        hasLasting: haveLasting(declared, members, list),
      });
    },
    { fields, taken: [], isEmptied: false },
  );
}

// The declared name of a member in a live list. If somebody renamed a machine, the base identifies the member by its id.
function named(
  shape: Shape | undefined,
  names: ReadonlySet<string>,
  { naming, keyOfRecorded }: Pick<Ending, 'naming' | 'keyOfRecorded'>,
): (member: Json) => string {
  const ref = shape?.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
  if (ref === undefined) return String;
  const recorded = new Map([...names].map(name => [keyOfRecorded(ref, name) ?? name, name]));
  return member => {
    const key = naming.keyOf(ref, String(member));
    return recorded.get(key) ?? key;
  };
}

interface Among extends EndedMembers {
  readonly keyOf: (member: Json) => string;
}

function without(left: Left, name: string, { list, names, keyOf }: Among): Left {
  const value = left.fields[name];
  const members = isList(value) ? value : [];
  const staying = members.filter(member => !names.has(keyOf(member)));
  const gone = members.filter(member => names.has(keyOf(member)));
  return {
    ...left,
    fields: { ...left.fields, [name]: staying },
    taken: [...left.taken, ...gone.map(member => ({ list, name: keyOf(member) }))],
  };
}

interface AmongItems extends Among {
  /** The key of the item in the account; undefined if no item of the account certainly is the declared one. */
  readonly key: string | undefined;
  readonly by: readonly string[];
  /** Whether the files declare members of the item that have not ended. Then the item stays. */
  readonly hasLasting: boolean;
}

function withoutItem(
  left: Left,
  [outer, inner]: readonly [string, string],
  { key, by, hasLasting, ...among }: AmongItems,
): Left {
  const value = left.fields[outer];
  const items = isList(value) ? value : [];
  const changed = items.map(item => {
    if (!isObject(item) || key === undefined || itemKey(item, by) !== key)
      return { item, taken: [] };
    const own = without({ fields: item, taken: [], isEmptied: false }, inner, among);
    const staying = own.fields[inner];
    const isOver = own.taken.length > 0 && isList(staying) && staying.length === 0;
    if (isOver && hasLasting) return { item, taken: [] };
    const taken = own.taken.map(one => ({ ...one, item: key }));
    return { item: isOver ? null : own.fields, taken };
  });
  const staying = changed.flatMap(({ item }) => (item === null ? [] : [item]));
  return {
    fields: { ...left.fields, [outer]: staying },
    taken: [...left.taken, ...changed.flatMap(({ taken }) => taken)],
    isEmptied: left.isEmptied || (items.length > 0 && staying.length === 0),
  };
}
