// How an empty list is read.
import type { Environment } from '../environment.ts';

/**
 * A list as the server of the dialect shows it in the places where it never makes an empty one: `netbird` says null
 * (docs/server-behaviour.md#lists-that-read-as-null), `spec` an empty list.
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
