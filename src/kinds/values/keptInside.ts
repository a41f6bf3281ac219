// Objects that are declared only in part: their other parts stay as they are in the account.
import { type Fields, isObject, type Json } from '../../model/value.ts';
import type { ObjectShape } from '../kind.ts';

/** The fields `own`, with the parts of their objects that only `held` contains. */
export function withHeldParts(shape: ObjectShape, own: Fields, held: Fields): Fields {
  const merged = [...shape.fields.values()].flatMap(({ name, shape: inner }): [string, Json][] => {
    const value = own[name];
    const before = held[name];
    const isOpen = inner.type === 'object' && inner.keepsInside === true;
    return isOpen && isObject(value) && isObject(before) ? [[name, { ...before, ...value }]] : [];
  });
  return merged.length === 0 ? own : { ...own, ...Object.fromEntries(merged) };
}
