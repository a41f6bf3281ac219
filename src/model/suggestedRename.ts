// Renames that the files do not declare. Without them, a plan would delete or leave an object and create a new object with the
// same content.
import type { Span } from './diagnostic.ts';
import type { Address, Key, KindName } from './names.ts';

/** A rename that the files could declare, and the entry that declares it. */
export interface SuggestedRename {
  readonly kind: KindName;
  /** The key of the declared object, which the plan would create. */
  readonly key: Key;
  readonly at: Span;
  /** The address of the account's object that was renamed. */
  readonly former: Address;
  /** The entry of `lifecycle` that declares the rename. */
  readonly entry: { readonly name: 'was' | 'id'; readonly value: string };
  /** Whether another entry of the files deletes the account's object. Then that entry must be removed first. */
  readonly isDeclared: boolean;
}

/** Declared objects and objects of the account that are all alike, so that nobody can tell which of them correspond. */
export interface AlikeRenames {
  readonly created: readonly { readonly address: Address; readonly at: Span }[];
  readonly former: readonly Address[];
  /** The entry of `lifecycle` that would declare each of them. */
  readonly by: SuggestedRename['entry']['name'];
}

/** New objects and old objects of one kind for which no rename can be proven. */
export interface UnprovenRenames {
  readonly created: readonly Address[];
  readonly former: readonly Address[];
}

/** A rename with which the plan would be refused. */
export interface RefusedRename {
  readonly rename: SuggestedRename;
  /** The message of the finding. */
  readonly because: string;
}

/** All renames that a plan suggests. */
export interface SuggestedRenames {
  readonly suggested: readonly SuggestedRename[];
  readonly alike: readonly AlikeRenames[];
  readonly refused: readonly RefusedRename[];
  readonly unproven: readonly UnprovenRenames[];
}
