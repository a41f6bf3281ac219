// Which live object each declared object corresponds to.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Naming } from './naming.ts';

/** A declared object and the live one it stands for. */
export interface Pair {
  readonly desired: Desired;
  readonly live: Live;
}

/** The declared and the live objects of an account, brought together. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Declared objects that are not there and are to be. */
  readonly creates: readonly Desired[];
  /** Pairs that are not part of the run: their objects stay as they are. */
  readonly bystanders: readonly Pair[];
  /** Live objects that nothing declared stands for, reserved ones included. */
  readonly unpaired: readonly Live[];
  readonly naming: Naming;
  /** What the base declared, by the address it has now. */
  readonly base: ReadonlyMap<Address, Desired>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a declared object is marked for deletion. */
export type IsMarkedForDeletion = (object: Desired) => boolean;
