// The fields that conditions in a schema (`if`) depend on.
import { isObject, type JsonObject } from '../../model/value.ts';

/** The fields of an object that a condition tests. */
export function fieldsLookedAt(condition: JsonObject): ReadonlySet<string> {
  const parts = [condition.not, condition.allOf, condition.anyOf].flat().filter(isObject);
  return new Set([
    ...Object.keys(isObject(condition.properties) ? condition.properties : {}),
    ...parts.flatMap(part => [...fieldsLookedAt(part)]),
  ]);
}
