// The account as a plan was compared with it: for questions about a difference that the plan does not answer.
import type { KindName, RemoteId } from './names.ts';
import type { Live } from './object.ts';

/** The id of a live object by its key; undefined where none is live. */
export type IdOf = (kind: KindName, key: string) => RemoteId | undefined;

/** An account that was compared. */
export interface ComparedAccount {
  readonly objects: readonly Live[];
  /** By the keys that the differences use. */
  readonly idOf: IdOf;
}
