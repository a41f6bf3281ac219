// How deep a value is nested. What walks a value calls itself for each level, and can do so only so often.
import type { Json } from '../value.ts';

/** More levels than any plan, journal or answer of the API has. */
const DEEPEST = 200;

/** Whether a value that came from outside is nested deeper than anything that makes sense. */
export function isTooDeep(value: Json, levels: number = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some(inner => isTooDeep(inner as Json, levels - 1));
}
