// The live item of a list from which a member ends. Somebody may have renamed it, and its name is all that files know of it.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, itemPairs, keyFields } from '../../kinds/values/items.ts';
import type { EndedMembers } from '../../model/ending.ts';
import type { Live, Part } from '../../model/object.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
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
}

/**
 * Returns the key in the account of the declared item that contains the list at this path. It is the declared key, unless nothing
 * has that key and one item without a declaration is as declared but for its key: then that item was renamed.
 */
export function keyInAccount(
  { kind, naming, live, declared, part }: Compared,
  [outer = '', index, inner = '']: Path,
): string {
  const by = keyFields(kind.shape.fields.get(outer)?.shape) ?? [];
  const key = itemKey(itemsOf(declared[outer])[Number(index)], by);
  const items = itemsOf(canonicalFields(kind.shape, declared, 'desired')[outer]);
  const item = items.find(one => itemKey(one, by) === key);
  const there = itemsOf(liveFields(kind, live, naming)[outer]);
  if (!isObject(item) || there.some(one => itemKey(one, by) === key)) return key;
  const own = part ? items.filter(one => itemKey(one, by) === part.item) : items;
  const found = itemPairs(own, there, by).get(item);
  const compared = Object.keys(item).filter(name => name !== inner && !by.includes(name));
  const isSame = found && compared.every(name => isEqual(item[name], found[name]));
  return isSame ? itemKey(found, by) : key;
}

/** Whether files declare members of the list at this path of an item besides those that have ended. */
export function haveLasting(declared: Fields, ended: readonly EndedMembers[], list: Path): boolean {
  const [outer = '', index, inner = ''] = list;
  const item = itemsOf(declared[outer])[Number(index)];
  const names = new Set(ended.flatMap(one => (isEqual(one.list, list) ? [...one.names] : [])));
  return isObject(item) && itemsOf(item[inner]).some(member => !names.has(String(member)));
}

const itemsOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
