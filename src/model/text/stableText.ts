// JSON text that is equal for equal values: the input of digests.
import { isObject, type Json } from '../value.ts';

/** The JSON of a value without spaces, with sorted keys. */
export function stableText(value: Json): string {
  return JSON.stringify(value, (_, item: Json) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
