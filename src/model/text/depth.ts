// The depth of a nested value. Recursive functions need a limit for values from outside.
import type { Json } from '../value.ts';

/** More levels than any plan, journal or response of the API has. */
const DEEPEST = 200;

/** Whether a value from outside is nested too deeply. */
export function isTooDeep(value: Json, levels: number = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some(inner => isTooDeep(inner as Json, levels - 1));
}
