// Removes the list members whose end time has passed from an object.
import type { EndedMembers } from '../../model/ending.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Field, ObjectShape, Shape } from '../kind.ts';

/**
 * The fields without the given members, which are grouped by the JSON pointer of their list. An item that ends with its members
 * is removed together with its last member. Null if a list of items is empty afterwards.
 */
export function withoutMembers(
  shape: ObjectShape,
  fields: Fields,
  ended: ReadonlyMap<string, EndedMembers>,
): Fields | null {
  if (ended.size === 0) return fields;
  let isNothing = false;
  const visit = (own: Shape, value: Json, path: Path, field: Field | undefined): Json | null => {
    if (own.type === 'object' && isObject(value)) return visitFields(own, value, path);
    if (own.type !== 'list' || !isList(value)) return value;
    if (field?.ends !== undefined) {
      const gone = ended.get(pointer(path));
      const left = gone ? value.filter(item => !gone.names.has(String(item))) : value;
      if (left.length === value.length) return value;
      return left.length === 0 && field.ends === 'with-item' ? null : left;
    }
    const items = value.map((item, i) => visit(own.items, item, [...path, String(i)], undefined));
    if (items.every((item, i) => item === value[i])) return value;
    const left = items.filter(item => item !== null);
    isNothing ||= left.length === 0;
    return left;
  };
  const visitFields = (own: ObjectShape, value: Fields, path: Path): Fields | null => {
    let isGone = false;
    const entries = Object.entries(value).map(([name, item]): [string, Json] => {
      const field = own.fields.get(name);
      const mapped = field ? visit(field.shape, item, [...path, name], field) : item;
      isGone ||= mapped === null && item !== null;
      return [name, mapped];
    });
    if (isGone) return null;
    return entries.every(([name, item]) => item === value[name])
      ? value
      : Object.fromEntries(entries);
  };
  const left = visitFields(shape, fields, []);
  return isNothing ? null : left;
}
