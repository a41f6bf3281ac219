// The facts from the files with which the access of a plan was judged. A saved plan contains them, so that an apply uses the same
// facts.
import type { KindName, RemoteId } from '../names.ts';
import type { Path } from '../value.ts';

/** Something that the server sends to an address in an object: a secret, or requests to a web address. */
export interface ThingSent {
  /** The name of the field. */
  readonly name: string;
  /** The paths of the fields that contain the address, with the keys of items. */
  readonly to: readonly Path[];
  readonly right: 'secret' | 'events';
}

/** A declared object of the account, and what it sends. Only the files show which of its values are secret. */
export interface DeclaredSender {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly sends: readonly ThingSent[];
}

/** The facts with which a plan was judged, besides the account, its changes and its guards. */
export interface JudgedWith {
  /** No record shows that the base was applied. */
  readonly base_unapplied?: true;
  /** The plan contains every secret whose value differs from the one that was sent last. */
  readonly secrets_compared?: true;
  /** The declared objects that may send something; absent if there are none. */
  readonly senders?: readonly DeclaredSender[];
  /**
   * The objects whose hosts are secret, because in files or bases their whole addresses are secrets; absent if there are none.
   */
  readonly secret_hosts?: readonly { readonly kind: KindName; readonly id: RemoteId }[];
}
