// Whether two definitions of a posture check are equivalent.
import { compareTexts } from '../../model/text/compareTexts.ts';
import { isObject, type Json } from '../../model/value.ts';

/**
 * A string that is the same for equivalent definitions. The order of lists does not matter, and
 * empty strings are ignored.
 */
export const checksText = (checks: Json): string => JSON.stringify(meaningOf(checks));

function meaningOf(value: Json): Json {
  if (Array.isArray(value))
    return value.map(one => JSON.stringify(meaningOf(one))).sort(compareTexts);
  if (!isObject(value)) return value;
  const fields = Object.entries(value)
    .filter(([, one]) => one !== null && one !== '')
    .map(([name, one]) => [name, meaningOf(one)] as const)
    .sort(([one], [other]) => compareTexts(one, other));
  return Object.fromEntries(fields);
}
