// Finds the live item that contains an ended member. Files identify an item only by its name, and
// somebody may have renamed the item.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, itemPairs, keyFields } from '../../kinds/values/items.ts';
import type { EndedMembers } from '../../model/ending.ts';
import type { Live, Part } from '../../model/object.ts';
import { largest } from '../../model/text/longLists.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Path,
} from '../../model/value.ts';
import { liveFields } from '../pairing/naming.ts';
import type { Naming } from '../types/naming.ts';

/** A live object, as it is compared with its declaration. */
export interface Compared {
  readonly kind: Kind;
  readonly naming: Naming;
  readonly live: Live;
  /** The declared fields, including members that have ended. */
  readonly declared: Fields;
  /** The part of the declaration to which the live object corresponds; absent if it corresponds to the whole declaration. */
  readonly part: Part | undefined;
  /** The fields of the object, or of its parts, in the bases. */
  readonly recorded: readonly Fields[];
  /**
   * Whether an id, not only a name, shows that the live object belongs to the declaration or to its
   * part.
   */
  readonly isItemKnown: boolean;
}

/**
 * Returns the key in the account of the declared item that contains the list at this path. The
 * declared key is returned if an item has it, unless that item may be a different item because
 * items exchanged their names. This is assumed if its other fields match another item better, or
 * share no entry with the declared item; the result is then undefined. If no item has the declared
 * key, a single undeclared item with the same other fields is the renamed item, and its key is
 * returned. Otherwise, the declared key is returned.
 */
export function keyInAccount(
  of: Compared,
  [outer = '', index, inner = '']: Path,
): string | undefined {
  const { kind, naming, live, declared, part } = of;
  const by = keyFields(kind.shape.fields.get(outer)?.shape) ?? [];
  const key = itemKey(itemsOf(declared[outer])[Number(index)], by);
  if (part && part.item !== key) return undefined;
  const items = itemsOf(canonicalFields(kind.shape, declared, 'desired')[outer]);
  const there = itemsOf(liveFields(kind, live, naming)[outer]);
  const own = part ? items.filter(one => itemKey(one, by) === part.item) : items;
  if (isOnlyItem(of, own, there)) return itemKey(there[0], by);
  const item = items.find(one => itemKey(one, by) === key);
  const named = there.find(one => itemKey(one, by) === key);
  if (!isObject(item)) return key;
  const isCompared = (name: string) => name !== inner && !by.includes(name);
  if (isObject(named)) {
    const known = { outer, by, key, items, isCompared };
    return mayBeAnother(named, known, of) ? undefined : key;
  }
  const found = itemPairs(own, there, by).get(item);
  return found && hasFieldsOf(found, item, by.concat(inner)) ? itemKey(found, by) : key;
}

/**
 * Whether an item has all fields of another item, except the fields that contain its name and its
 * ended members. If so, it is the same item under another name.
 */
export const hasFieldsOf = (
  item: Json | undefined,
  other: Json | undefined,
  except: readonly string[],
): boolean =>
  isObject(item) &&
  isObject(other) &&
  Object.keys(other).every(name => except.includes(name) || isEqual(item[name], other[name]));

/** Whether an id shows that the only item of a live object is the only item of its declaration, whatever its name is now. */
export const isOnlyItem = (
  { isItemKnown }: Pick<Compared, 'isItemKnown'>,
  own: readonly Json[],
  there: readonly Json[],
): boolean => isItemKnown && own.length === 1 && there.length === 1;

interface KnownItems {
  readonly outer: string;
  readonly by: readonly string[];
  readonly key: string;
  /** The declared items. */
  readonly items: readonly Json[];
  readonly isCompared: (name: string) => boolean;
}

// Whether a live item with the name of a declared item may be a different item. The base contains
// the items as they were applied.
function mayBeAnother(
  named: JsonObject,
  { outer, by, key, items, isCompared }: KnownItems,
  { kind, recorded }: Compared,
): boolean {
  const isOwn = (item: Json) => itemKey(item, by) === key;
  const before = recorded.flatMap(fields =>
    itemsOf(canonicalFields(kind.shape, fields, 'desired')[outer]),
  );
  const known = before.some(isOwn) ? before : items;
  const equalFields = (item: Json) =>
    isObject(item)
      ? Object.keys(item).filter(name => isCompared(name) && isEqual(item[name], named[name]))
          .length
      : 0;
  const own = known.filter(isOwn);
  const others = known.filter(one => !isOwn(one));
  const most = largest(-1, own.map(equalFields));
  if (others.some(one => equalFields(one) > most)) return true;
  const all = before.concat(items).filter(isOwn);
  return !all.some(one => isObject(one) && hasSomeOf(named, one, isCompared));
}

// Whether each list of a live item shares an entry with the same list of the declared item. An
// empty list counts as sharing an entry, because it may mean everything.
const hasSomeOf = (
  named: JsonObject,
  item: JsonObject,
  isCompared: (name: string) => boolean,
): boolean =>
  Object.keys(item)
    .filter(isCompared)
    .every(name => {
      const there = named[name];
      const own = item[name];
      if (!isList(there) || !isList(own) || there.length === 0 || own.length === 0) return true;
      return own.some(one => there.some(other => isEqual(one, other)));
    });

/** Whether files declare members, in the list at this path, that have not ended. */
export function haveLasting(declared: Fields, ended: readonly EndedMembers[], list: Path): boolean {
  const [outer = '', index, inner = ''] = list;
  const item = itemsOf(declared[outer])[Number(index)];
  const names = new Set(ended.flatMap(one => (isEqual(one.list, list) ? [...one.names] : [])));
  return isObject(item) && itemsOf(item[inner]).some(member => !names.has(String(member)));
}

const itemsOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
