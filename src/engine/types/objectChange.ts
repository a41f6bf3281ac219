// A change with the declared and the live object that it concerns.
import type { Change } from '../../model/change.ts';
import type { Desired, Live } from '../../model/object.ts';

/** A change together with the two objects it is between. */
export interface ObjectChange {
  readonly change: Change;
  readonly desired?: Desired;
  readonly live?: Live;
  /** The declared object that no longer declares the item of this part. */
  readonly droppedFrom?: Desired;
  /** Whether it deletes what an unfinished apply has replaced. */
  readonly isSuperseded?: boolean;
}
