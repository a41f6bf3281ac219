// Values that the schema of a kind accepts, but that servers of one dialect do not accept.
import { quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import type { ObjectShape } from '../kind.ts';
import type { Dialect } from '../traits.ts';

/** A field that servers of a dialect refuse or ignore. */
export interface RefusedField {
  readonly field: string;
  /** What is wrong, as the end of a sentence about the field. */
  readonly fault: string;
  readonly hint: string;
}

/** The top-level fields of an object that servers of a dialect do not accept. */
export function refusedFieldsIn(
  shape: ObjectShape,
  fields: Fields,
  dialect: Dialect,
): RefusedField[] {
  return [...shape.fields.values()].flatMap(({ name, dialects, limits }): RefusedField[] => {
    const value = fields[name];
    if (value === undefined) return [];
    if (dialects && !dialects.includes(dialect)) {
      const fault = `is not supported by a server of dialect ${quoted(dialect)}`;
      return [{ field: name, fault, hint: 'remove it' }];
    }
    const { minimum = -Infinity, maximum = Infinity } = limits?.[dialect] ?? {};
    if (typeof value !== 'number' || (value >= minimum && value <= maximum)) return [];
    const fault = `must be ${rangeText(minimum, maximum)} on a server of dialect ${quoted(dialect)}`;
    return [{ field: name, fault, hint: `write a number ${rangeText(minimum, maximum)}` }];
  });
}

function rangeText(minimum: number, maximum: number): string {
  if (minimum === -Infinity) return `at most ${maximum}`;
  return maximum === Infinity ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}
