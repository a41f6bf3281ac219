// The facts from the files with which the access of a plan was evaluated. A saved plan is evaluated
// with the same facts again.
import type { Key, KindName, RemoteId } from '../names.ts';
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

/** A rule of a policy that files end: its name and that of its policy after the plan, and the id of the policy if it has one. */
export interface EndingRule {
  readonly policy: string;
  readonly rule: string;
  readonly id?: string;
}

/** The facts with which a plan was evaluated, besides the account, its changes and its guards. */
export interface JudgedWith {
  /** No record shows that the base was applied. */
  readonly base_unapplied?: true;
  /** The plan contains every secret whose value differs from the one that was sent last. */
  readonly secrets_compared?: true;
  /** The declared objects that may send something; absent if there are none. */
  readonly senders?: readonly DeclaredSender[];
  /**
   * The rules that expire according to the files, as a whole or in part; absent if there are none.
   */
  readonly ending_rules?: readonly EndingRule[];
  /** The declared objects that open ports of machines to the internet, one for each machine; absent if there are none. */
  readonly declared_ports?: readonly { readonly kind: KindName; readonly key: Key }[];
  /**
   * The objects whose hosts may be shown, and these hosts; absent if there are none. Any other host may come from a secret: of the
   * files of another folder, or of a plan that was applied since.
   */
  readonly open_hosts?: readonly {
    readonly kind: KindName;
    readonly id: RemoteId;
    readonly hosts: readonly string[];
  }[];
}
