// An object of an account, in the same form for every source, with functions that read its fields.
import { keyOf } from '../../model/key.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';

/** An object in name space: references in `fields` are keys. */
export interface StateObject {
  readonly kind: string;
  readonly key: string;
  readonly id?: string;
  /** The key of its parent. */
  readonly parent?: string;
  readonly fields: Fields;
  /** The fields that only the server sets. */
  readonly serverFields?: Fields;
}

/** The key and, if the object exists, the id. */
export function namedBy({ key, id }: StateObject): { key: string; id?: string } {
  return { key, ...(id !== undefined && { id }) };
}

/** A string; empty if the field is missing. */
export function textIn(fields: Fields, name: string): string {
  return optionalText(fields, name) ?? '';
}

/** A string; undefined if the field is missing. */
export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** A list of strings. A key that is written as a list of names is joined into one string. */
export function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return isList(value) ? value.flatMap(item => keyText(item) ?? []) : [];
}

/** A list of objects. */
export function objectsIn(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return isList(value) ? value.filter(isObject) : [];
}

/** Whether a flag is set. `absent` is the result if the field is missing. */
export function flagIn(fields: Fields, name: string, absent: boolean): boolean {
  const value = fields[name];
  return typeof value === 'boolean' ? value : absent;
}

/** A reference as a string: a key, or the names of a parent and its child. */
export function keyText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!isList(value)) return undefined;
  return keyOf(value.filter(part => typeof part === 'string'));
}
