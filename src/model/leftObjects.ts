// What an apply that nobody finished left in the account.
import type { Desired } from './object.ts';
import type { RecordedId } from './recordedBase.ts';

/** Objects that unfinished applies created, or may have updated, as their files declared them. */
export interface LeftObjects {
  /** The ids of the applies. */
  readonly runs: readonly string[];
  readonly objects: readonly Desired[];
  /** The live objects that they created. */
  readonly ids: readonly RecordedId[];
  /** The live objects that they may have updated. */
  readonly updated: readonly RecordedId[];
}
