// The live objects that a first apply would adopt for the declarations, and the cases in which the match is uncertain.
import type { Span } from './diagnostic.ts';
import type { Address, KindName, RemoteId } from './names.ts';
import type { ShownFields } from './secrets/shown.ts';

/** The reason for a match: an id in the files, or the identity of the object in the account. */
export type Confidence = 'id' | 'name' | 'natural key' | 'former name';

/** A declared object, and the live object that it would adopt. */
export interface Match {
  readonly address: Address;
  readonly at: Span;
  readonly id: RemoteId;
  readonly by: Confidence;
  /** The fields that differ. */
  readonly differs: readonly string[];
}

/** A possible live object. */
export interface Candidate {
  readonly id: RemoteId;
  readonly name: string;
  /** The values that distinguish the object from other candidates, or from the declaration. */
  readonly tells: ShownFields;
}

/** A declared object without a certain live object. */
export interface Doubt {
  readonly address: Address;
  readonly kind: KindName;
  readonly at: Span;
  /** `ambiguous`: several objects have the declared name. `similar`: no object has it, and a new object will be created. */
  readonly reason: 'ambiguous' | 'similar';
  readonly candidates: readonly Candidate[];
}

/** The first comparison of files with the account. */
export interface Adoption {
  readonly matches: readonly Match[];
  readonly doubts: readonly Doubt[];
  /** Declarations that resemble nothing in the account. */
  readonly fresh: readonly { readonly address: Address; readonly at: Span }[];
}
