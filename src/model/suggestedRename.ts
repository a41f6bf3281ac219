// Renames that the files do not tell of: an object would be deleted or left, and one with the same content would be created.
import type { Span } from './diagnostic.ts';
import type { Address, Key, KindName } from './names.ts';

/** A rename that the files could tell of, and how. */
export interface SuggestedRename {
  readonly kind: KindName;
  /** The key of the declared object, which would be created. */
  readonly key: Key;
  readonly at: Span;
  /** The object in the account that it is. */
  readonly former: Address;
  /** The entry of `lifecycle` that says so. */
  readonly entry: { readonly name: 'was' | 'id'; readonly value: string };
  /** Another entry of the files deletes the object of the account: it must go first. */
  readonly isDeclared: boolean;
}

/** Declared objects and objects of the account that are all alike: which is which is not known. */
export interface AlikeRenames {
  readonly created: readonly { readonly address: Address; readonly at: Span }[];
  readonly former: readonly Address[];
}

/** All that a plan suggests. */
export interface SuggestedRenames {
  readonly suggested: readonly SuggestedRename[];
  readonly alike: readonly AlikeRenames[];
}
