// Whether two definitions of a posture check ask for the same.
import { compareTexts } from '../../model/text/compareTexts.ts';
import { isObject, type Json } from '../../model/value.ts';

/** A text that is equal for definitions that mean the same: the order of their lists means nothing, and neither does an empty text. */
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
