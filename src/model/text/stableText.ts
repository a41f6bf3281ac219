// JSON text that is equal for equal values: the input of digests.
import { isList, isObject, type Json } from '../value.ts';

/** The JSON of a value without spaces, with sorted keys. */
export function stableText(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(stableText).join(',')}]`;
  // JSON.parse accepts numbers that are too large for JSON, and JSON.stringify writes them as null.
  if (typeof value === 'number')
    return Number.isFinite(value) ? JSON.stringify(value) : String(value);
  if (!isObject(value)) return JSON.stringify(value);
  let text = '';
  // Most of the time for the digest of a large plan is spent in this loop.
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    // An undefined field is omitted, as in JSON.stringify.
    if (member !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${stableText(member)}`;
  }
  return `{${text}}`;
}
