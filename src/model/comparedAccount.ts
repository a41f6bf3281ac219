// The account with which a plan was compared. It answers questions about differences that the plan alone cannot answer.
import type { KindName, RemoteId } from './names.ts';
import type { Live } from './object.ts';

/** Returns the id of a live object by its key; undefined if there is no such live object. */
export type IdOf = (kind: KindName, key: string) => RemoteId | undefined;

/** An account that was compared. */
export interface ComparedAccount {
  readonly objects: readonly Live[];
  /** Finds ids by the keys that the differences use. */
  readonly idOf: IdOf;
}
