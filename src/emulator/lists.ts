// How an empty list is read.
import type { Environment } from './environment.ts';

/**
 * A list as the server of the dialect shows it in the places where it never makes an empty one: `netbird` says null
 * (facts, fact 4), `spec` an empty list.
 */
export function nullable<T>(list: readonly T[], { behaviour }: Environment): readonly T[] | null {
  return list.length === 0 && behaviour.emptyLists === 'null' ? null : list;
}
