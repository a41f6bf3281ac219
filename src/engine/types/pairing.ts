// Which live object each declared object corresponds to.
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
  /** Pairs outside of the run: their objects stay as they are. */
  readonly bystanders: readonly Pair[];
  /** Live objects without a declaration, reserved ones included. */
  readonly unpaired: readonly Live[];
  readonly naming: Naming;
  /** The declarations of the base, by current address. */
  readonly base: ReadonlyMap<Address, Desired>;
  /** The keys that objects have in the base, by current address. */
  readonly formerNames: ReadonlyMap<Address, Key>;
  /** By current address, fields of the base whose references mean other objects by its ids than by its names. */
  readonly fieldsByIds: ReadonlyMap<Address, Fields>;
  /** The key now of the object that the base knows by its id under a name; undefined if it knows none, or the account has it no longer. */
  readonly keyOfRecorded: KeyOfRecorded;
  readonly diagnostics: readonly Diagnostic[];
  /** Declared objects that several live objects may be. */
  readonly ambiguous: readonly AmbiguousPair[];
}

/** A declared object, and the live objects that it may mean. */
export interface AmbiguousPair {
  readonly desired: Desired;
  readonly namesakes: readonly Live[];
}

/**
 * By the address of a name, the live object that the files mean by it; null if they mean none, because the object of the name is another
 * one.
 */
export type Meant = ReadonlyMap<Address, RemoteId | null>;

/** By the address of a name, the object that had the name when the base was recorded. */
export type RecordedIds = ReadonlyMap<Address, RemoteId>;

/** The key now of the object that a name meant when the base was recorded. */
export type KeyOfRecorded = (kind: KindName, key: string) => Key | undefined;

/** Whether a declared object is marked for deletion. */
export type IsMarkedForDeletion = (object: Desired) => boolean;
