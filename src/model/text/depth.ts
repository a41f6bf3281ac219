// The depth of a nested value. Recursive functions need a limit for values from outside.
import { isList, type Json } from '../value.ts';

/** The maximum number of levels. No plan, journal or response of the API has as many. */
const DEEPEST = 200;

/** Whether a value from outside is nested too deeply. */
export function isTooDeep(value: Json | undefined, levels: number = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Loops over the entries in place. Every response is checked, and building lists of the values would take as long as parsing
  // the text.
  if (isList(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) if (isTooDeep(value[name], levels - 1)) return true;
  return false;
}
