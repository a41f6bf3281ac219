// A change, with the declared and the live object that it affects.
import type { Change } from '../../model/change.ts';
import type { Desired, Live } from '../../model/object.ts';

/** A change, with the declared and the live object that it compares. */
export interface ObjectChange {
  readonly change: Change;
  readonly desired?: Desired;
  readonly live?: Live;
  /** The declared object from which the item of this part was removed. */
  readonly droppedFrom?: Desired;
  /** Whether the change deletes an object that an unfinished apply has replaced. */
  readonly isSuperseded?: boolean;
}
