// JSON text that is equal for equal values: the input of digests.
import { isList, isObject, type Json } from '../value.ts';

/** The JSON of a value without spaces, with sorted keys. */
export function stableText(value: Json): string {
  if (isList(value)) return `[${value.map(stableText).join(',')}]`;
  // JSON.stringify writes null for a number that is too large for JSON, which JSON.parse accepts.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .flatMap(key => {
      const member = value[key];
      // An undefined field is omitted, as JSON.stringify does.
      return member === undefined ? [] : [`${JSON.stringify(key)}:${stableText(member)}`];
    });
  return `{${members.join(',')}}`;
}
