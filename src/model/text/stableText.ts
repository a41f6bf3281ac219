// JSON text that is the same for equal values: what digests are taken of.
import { isObject, type Json } from '../value.ts';

/** The JSON of a value without spaces, the names of its objects in order. */
export function stableText(value: Json): string {
  return JSON.stringify(value, (_, item: Json) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
