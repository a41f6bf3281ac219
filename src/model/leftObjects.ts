// What an apply that nobody finished left in the account.
import type { Desired } from './object.ts';
import type { RecordedId } from './recordedBase.ts';

/** Objects that unfinished applies created, or may have updated, as their files declared them: they count as declared by the base. */
export interface LeftObjects {
  /** The ids of the applies. */
  readonly runs: readonly string[];
  readonly objects: readonly Desired[];
  /** The live objects that they created. */
  readonly ids: readonly RecordedId[];
  /** Live objects that do not count as declared by the base, and that the names mean if the files declare them; the newest first. */
  readonly known: readonly RecordedId[];
  /** The live objects that all of them may have updated. */
  readonly updated: readonly RecordedId[];
}
