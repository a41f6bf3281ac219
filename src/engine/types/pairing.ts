// The pairs of declared and live objects.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Naming } from './naming.ts';

/** A declared object and its live object. */
export interface Pair {
  readonly desired: Desired;
  readonly live: Live;
}

/** The declared and the live objects of an account, paired. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Declared objects to be created. */
  readonly creates: readonly Desired[];
  /** Pairs outside the run. Their objects stay as they are. */
  readonly bystanders: readonly Pair[];
  /** Live objects without a declaration, including reserved objects. */
  readonly unpaired: readonly Live[];
  readonly naming: Naming;
  /** The declarations of the base, by current address. */
  readonly base: ReadonlyMap<Address, Desired>;
  /** The keys that objects have in the base, by current address. */
  readonly formerNames: ReadonlyMap<Address, Key>;
  /**
   * By current address: the fields of base objects whose ids in the base belong to other objects
   * than their names.
   */
  readonly fieldsByIds: ReadonlyMap<Address, Fields>;
  /**
   * Returns the current key of the object whose id the base has under a name; undefined if the base has no id, or if the account
   * no longer has the object.
   */
  readonly keyOfRecorded: KeyOfRecorded;
  readonly diagnostics: readonly Diagnostic[];
  /** Declared objects that several live objects may match. */
  readonly ambiguous: readonly AmbiguousPair[];
}

/** A declared object, and the live objects that it may denote. */
export interface AmbiguousPair {
  readonly desired: Desired;
  readonly namesakes: readonly Live[];
}

/**
 * The live object that a name in the files denotes, by the address of the name; null if the name
 * denotes none, because the live object with the name is a different object.
 */
export type Meant = ReadonlyMap<Address, RemoteId | null>;

/** The object that had a name when the base was recorded, by the address of the name. */
export type RecordedIds = ReadonlyMap<Address, RemoteId>;

/** Returns the current key of the object that a name denoted when the base was recorded. */
export type KeyOfRecorded = (kind: KindName, key: string) => Key | undefined;

/** Whether a declared object is marked for deletion. */
export type IsMarkedForDeletion = (object: Desired) => boolean;
