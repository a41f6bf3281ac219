// What of the account declarations stand for: what a first apply would take over, and what it cannot be sure of.
import type { Span } from './diagnostic.ts';
import type { Address, KindName, RemoteId } from './names.ts';
import type { ShownFields } from './secrets/shown.ts';

/** What a match rests on: an id is written in the files; all else is what the account calls the object. */
export type Confidence = 'id' | 'name' | 'natural key' | 'former name';

/** A declared object and the live one that is adopted for it. */
export interface Match {
  readonly address: Address;
  readonly at: Span;
  readonly id: RemoteId;
  readonly by: Confidence;
  /** The fields in which the two differ. */
  readonly differs: readonly string[];
}

/** A live object that may be the one that is meant. */
export interface Candidate {
  readonly id: RemoteId;
  readonly name: string;
  /** What tells it apart from the other candidates, or from what is declared. */
  readonly tells: ShownFields;
}

/** A declared object that no live one is sure to stand for. */
export interface Doubt {
  readonly address: Address;
  readonly kind: KindName;
  readonly at: Span;
  /** `ambiguous`: several have its name. `similar`: none has it, and it will be made anew. */
  readonly reason: 'ambiguous' | 'similar';
  readonly candidates: readonly Candidate[];
}

/** How the files and the account meet for the first time. */
export interface Adoption {
  readonly matches: readonly Match[];
  readonly doubts: readonly Doubt[];
  /** What is like nothing in the account. */
  readonly fresh: readonly { readonly address: Address; readonly at: Span }[];
}
