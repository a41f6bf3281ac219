// How responses show an empty list.
import type { Environment } from '../environment.ts';

/**
 * A list where the server of the dialect never shows an empty list: `netbird` responds with null
 * (docs/server-behaviour.md#lists-that-read-as-null), `spec` with an empty list.
 */
export function nullable<T>(list: readonly T[], { behaviour }: Environment): readonly T[] | null {
  return list.length === 0 && behaviour.emptyLists === 'null' ? null : list;
}

/** A list as it was written: `netbird` distinguishes an omitted list, which is null, from an empty one. */
export function readList<T>(
  list: readonly T[] | null,
  { behaviour }: Environment,
): readonly T[] | null {
  return list ?? (behaviour.emptyLists === 'null' ? null : []);
}
