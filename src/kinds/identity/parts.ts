// Kinds whose objects some servers store in parts: one server object for each item of a list.
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList } from '../../model/value.ts';
import type { Kind, KindTable, Parts } from '../kind.ts';
import type { Dialect } from '../traits.ts';
import { itemKey, keyFields } from '../values/items.ts';
import { refsOf } from '../values/refs.ts';
import { namingFields } from './identity.ts';

/** How servers of a dialect store objects of this kind in parts; undefined if they store each object whole. */
export function partsIn({ parts }: Kind, dialect: Dialect): Parts | undefined {
  return parts?.dialects.includes(dialect) ? parts : undefined;
}

/** The name of the part of `whole` that contains the item `item`. */
export function partName({ separator }: Parts, whole: string, item: string): string {
  return `${whole}${separator}${item}`;
}

/** The name of the whole object, if `name` has the form of the name of its part with the item `item`; undefined otherwise. */
export function wholeName({ separator }: Parts, name: string, item: string): string | undefined {
  const suffix = `${separator}${item}`;
  return name.endsWith(suffix) && name.length > suffix.length
    ? name.slice(0, -suffix.length)
    : undefined;
}

/** The keys of the items that an object of the kind contains, in the order in which they are written. */
export function itemKeys(kind: Kind, fields: Fields): readonly string[] {
  const { list = '' } = kind.parts ?? {};
  const by = keyFields(kind.shape.fields.get(list)?.shape) ?? [];
  const items = fields[list];
  return isList(items) ? items.map(item => itemKey(item, by)) : [];
}

/** The reason why the declaration of the parts of a kind is invalid, as a clause; null if it is valid. */
export function partsFault(kind: Kind, kinds: KindTable): string | null {
  if (!kind.parts) return null;
  const { list } = kind.parts;
  if (keyFields(kind.shape.fields.get(list)?.shape)?.length !== 1)
    return `the items of ${quoted(list)} are not identified by a single field`;
  const [name = '', ...more] = namingFields(kind);
  if (more.length > 0 || kind.parent !== undefined || !kind.shape.fields.has(name))
    return 'its objects are not identified by a single field';
  const pointing = [...kinds.values()].find(other => refsOf(other).has(kind.name));
  return pointing ? `${pointing.name} points at it, and a part has another name` : null;
}
