// The context of a plan. It is computed after declared and live objects are paired, and all later
// stages read it.
import type { Kind } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Ended, EndedMembers } from '../../model/ending.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { UndoneDeclaration } from '../../model/undoneDeclaration.ts';
import type { Fields } from '../../model/value.ts';
import type { Naming } from './naming.ts';
import type { KeyOfRecorded, Pair } from './pairing.ts';
import type { IsOtherSecret, Resolution } from './settings.ts';

/** Ended members by owner: members that these files declared before, and members that stay. */
export interface EndedByOwner {
  readonly own: readonly EndedMembers[];
  /** Members that somebody else added. */
  readonly others: readonly EndedMembers[];
  /** Members that another folder also declares. */
  readonly shared: readonly EndedElsewhere[];
}

/** Ended members that another folder declares. */
export interface EndedElsewhere extends EndedMembers {
  readonly folder: FolderOf;
}

/** The folder that declares members. */
export interface FolderOf {
  readonly name: string;
  /** The commit of the folder's base, if only the base declares the members. */
  readonly commit?: string;
}

/** Separates the ended members of an object by their owner. */
export type OwnMembers = (ended: Ended, pair: Pair) => EndedByOwner;

/** The settings of a plan and the names, fields and keys of its objects. */
export interface PlanContext {
  readonly dialect: Dialect;
  /** The current time; undefined if expiry is not checked. */
  readonly now: number | undefined;
  /** Which side wins if both the files and the account changed something. */
  readonly resolve: readonly Resolution[];
  /** Whether the plan undoes a run. */
  readonly isUndo: boolean;
  /** Objects, as `kind/key`, whose secrets are sent again. */
  readonly rotate: ReadonlySet<string>;
  /** Whether the account may have another value of a secret than the current one. */
  readonly isOtherSecret: IsOtherSecret;
  readonly naming: Naming;
  /** The declarations of the base, by address. */
  readonly base: ReadonlyMap<Address, Desired>;
  /** The keys that objects have in the base, by current address. */
  readonly formerNames: ReadonlyMap<Address, Key>;
  /**
   * By current address: the fields of base objects whose ids in the base belong to other objects
   * than their names.
   */
  readonly fieldsByIds: ReadonlyMap<Address, Fields>;
  /** The declarations of the base that undos replaced, by the address in the base. */
  readonly undone: ReadonlyMap<Address, UndoneDeclaration>;
  readonly keyOfRecorded: KeyOfRecorded;
  readonly ownMembers: OwnMembers;
  readonly kind: (name: KindName) => Kind;
  /** The canonical fields of a live object, with references as the files would write them. */
  readonly fieldsOf: (live: Live) => Fields;
  readonly keyOf: (live: Live) => Key;
  readonly addressOf: (live: Live) => Address;
  /**
   * Returns the key of the declared object to which an object belongs as one of several parts;
   * undefined for any other object.
   */
  readonly wholeOf: (object: { readonly kind: KindName; readonly key: Key }) => Key | undefined;
  /**
   * Returns the names of an object, as `kind/key`. For a part, these include the names of the
   * declared object and of all its other parts.
   */
  readonly namesOf: (object: { readonly kind: KindName; readonly key: Key }) => readonly string[];
}
