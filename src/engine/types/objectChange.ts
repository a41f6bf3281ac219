// A change, with the declared and the live object that it affects.
import type { Change } from '../../model/change.ts';
import type { Desired, Live } from '../../model/object.ts';

/** A change, and the declared and live object between which it is. */
export interface ObjectChange {
  readonly change: Change;
  readonly desired?: Desired;
  readonly live?: Live;
  /** The declared object that no longer contains the item of this part. */
  readonly droppedFrom?: Desired;
  /** Whether the change deletes an object that an unfinished apply has replaced. */
  readonly isSuperseded?: boolean;
}
