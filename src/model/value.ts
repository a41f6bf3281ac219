// Plain JSON values, so that a plan can be stored and read again.

/** Any JSON value; immutable. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; immutable. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The fields of one object, with the names of the API. */
export type Fields = JsonObject;

/** A path into a value: field names, and the keys of items in keyed lists. */
export type Path = readonly string[];

/** Whether a value is a JSON object (not a list, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. `Array.isArray` alone does not narrow a readonly list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The members of a list; empty for any other value. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** The value at a path of field names and list indexes; undefined if there is none. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (isList(at)) return at[Number(step)];
    return isObject(at) ? at[step] : undefined;
  }, value);
}
