// Misspelt keys: a slip of the keyboard is one mistake, although a field is then missing as well.
import { nearest } from '../../model/text/nearest.ts';
import type { Fields } from '../../model/value.ts';

/** The fields, of those `known`, that unknown keys of `value` were probably meant to be. */
export function meantByMistake(value: Fields, known: readonly string[]): ReadonlySet<string> {
  const fields = new Set(known);
  const missing = known.filter(name => !(name in value));
  const slips = Object.keys(value).filter(key => !fields.has(key));
  return new Set(slips.flatMap(key => nearest(key, missing) ?? []));
}
