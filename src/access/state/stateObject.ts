// An object of an account before it is added to the state, independent of its source, and the reading of its fields.
import { keyOf } from '../../model/key.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';

/** An object in name space: references in `fields` are keys. */
export interface StateObject {
  readonly kind: string;
  readonly key: string;
  readonly id?: string;
  /** The key of the object it nests in. */
  readonly parent?: string;
  readonly fields: Fields;
  /** What the server alone sets. */
  readonly serverFields?: Fields;
}

/** The key and, where there is one, the id. */
export function namedBy({ key, id }: StateObject): { key: string; id?: string } {
  return { key, ...(id !== undefined && { id }) };
}

/** A text; empty if there is none. */
export function textIn(fields: Fields, name: string): string {
  return optionalText(fields, name) ?? '';
}

/** A text; undefined if there is none. */
export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** A list of texts. A key that is written as a list of names becomes one text. */
export function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return isList(value) ? value.flatMap(item => keyText(item) ?? []) : [];
}

/** A list of objects. */
export function objectsIn(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return isList(value) ? value.filter(isObject) : [];
}

/** Whether a flag is set; `absent` where the field is missing. */
export function flagIn(fields: Fields, name: string, absent: boolean): boolean {
  const value = fields[name];
  return typeof value === 'boolean' ? value : absent;
}

/** A reference as text: a key, or the names of a parent and its child. */
export function keyText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!isList(value)) return undefined;
  return keyOf(value.filter(part => typeof part === 'string'));
}
