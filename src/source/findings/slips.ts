// Misspelt keys: a typing error is one mistake, although the intended field is then missing too.
import { nearest } from '../../model/text/nearest.ts';
import type { Fields } from '../../model/value.ts';

/** The fields of `known` that the unknown keys of `value` probably mean. */
export function meantByMistake(value: Fields, known: readonly string[]): ReadonlySet<string> {
  const fields = new Set(known);
  const missing = known.filter(name => !(name in value));
  const slips = Object.keys(value).filter(key => !fields.has(key));
  return new Set(slips.flatMap(key => nearest(key, missing) ?? []));
}
