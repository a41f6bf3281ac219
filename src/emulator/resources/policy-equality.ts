// Whether an update changes a policy. An update that changes only the order of lists is not written
// (docs/server-behaviour.md#policies-and-rules).
import equal from 'fast-deep-equal';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { PolicyRecord } from '../records/topology.ts';

/** Whether two policies are equal, ignoring the order of lists. */
export function isSamePolicy(one: PolicyRecord, other: PolicyRecord): boolean {
  return equal(unordered(one), unordered(other));
}

function unordered(value: Json): Json {
  if (isList(value)) return value.map(member => JSON.stringify(unordered(member))).toSorted();
  // An omitted list counts as empty.
  if (value === null) return [];
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map(name => [name, unordered(value[name] ?? null)]),
  );
}
