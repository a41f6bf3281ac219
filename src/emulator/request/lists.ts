// How responses show an empty list.
import type { Environment } from '../environment.ts';

/**
 * A list that the server never shows as empty: `netbird` responds with null instead
 * (docs/server-behaviour.md#lists-that-read-as-null), `spec` with an empty list.
 */
export function nullable<T>(list: readonly T[], { behaviour }: Environment): readonly T[] | null {
  return list.length === 0 && behaviour.emptyLists === 'null' ? null : list;
}

/** A list as it was written. In `netbird`, an omitted list is null, which differs from an empty list. */
export function readList<T>(
  list: readonly T[] | null,
  { behaviour }: Environment,
): readonly T[] | null {
  return list ?? (behaviour.emptyLists === 'null' ? null : []);
}
