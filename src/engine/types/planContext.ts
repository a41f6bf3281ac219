// The context of a plan, known once declared and live objects are paired; every later stage reads it.
import type { Kind } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Ended, EndedMembers } from '../../model/ending.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Naming } from './naming.ts';
import type { KeyOfRecorded, Pair } from './pairing.ts';
import type { IsOtherSecret, Resolution } from './settings.ts';

/** Members that have ended: those that these files declared before, and those that stay. */
export interface EndedByOwner {
  readonly own: readonly EndedMembers[];
  /** Somebody else put them there. */
  readonly others: readonly EndedMembers[];
  /** Another folder declares them too. */
  readonly shared: readonly EndedElsewhere[];
}

/** Ended members that another folder declares. */
export interface EndedElsewhere extends EndedMembers {
  readonly folder: FolderOf;
}

/** The folder that declares something. */
export interface FolderOf {
  readonly name: string;
  /** The commit of its base, if only the base declares it. */
  readonly commit?: string;
}

/** Tells whose the members of an object are that have ended. */
export type OwnMembers = (ended: Ended, pair: Pair) => EndedByOwner;

/** The settings of a plan and the names, fields and keys of its objects. */
export interface PlanContext {
  readonly dialect: Dialect;
  /** The current time; undefined if expiry is not checked. */
  readonly now: number | undefined;
  /** Which side wins where both sides changed. */
  readonly resolve: readonly Resolution[];
  /** Whether the plan undoes a run. */
  readonly isUndo: boolean;
  /** Objects, as `kind/key`, whose secrets are sent again. */
  readonly rotate: ReadonlySet<string>;
  /** Whether the account may hold another value than the secret has now. */
  readonly isOtherSecret: IsOtherSecret;
  readonly naming: Naming;
  /** The declarations of the base, by address. */
  readonly base: ReadonlyMap<Address, Desired>;
  /** The keys that objects have in the base, by current address. */
  readonly formerNames: ReadonlyMap<Address, Key>;
  /** By current address, fields of the base whose references mean other objects by its ids than by its names. */
  readonly fieldsByIds: ReadonlyMap<Address, Fields>;
  readonly keyOfRecorded: KeyOfRecorded;
  readonly ownMembers: OwnMembers;
  readonly kind: (name: KindName) => Kind;
  /** The canonical fields of a live object, with references as the files would write them. */
  readonly fieldsOf: (live: Live) => Fields;
  readonly keyOf: (live: Live) => Key;
  readonly addressOf: (live: Live) => Address;
  /** The declared object that an object is a part of; undefined if it is not a part, or the only part. */
  readonly wholeOf: (object: { readonly kind: KindName; readonly key: Key }) => Key | undefined;
  /** The names, as `kind/key`, of an object, of the declared object that it is a part of, and of all parts of that. */
  readonly namesOf: (object: { readonly kind: KindName; readonly key: Key }) => readonly string[];
}
