// Objects that another system makes, and that files declare only so that names lead to them.
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Kind, ReservedRule } from '../kind.ts';

/** The rule by which what a file says is of an object that another system makes; undefined if meshform makes it. */
export function providedBy({ reserved }: Kind, written: Fields): ReservedRule | undefined {
  return reserved.find(
    ({ declaredBy }) => declaredBy !== undefined && written[declaredBy.field] === declaredBy.value,
  );
}

/** The rule by which files can declare a live object that another system made. */
export function providedLive({ reserved }: Kind, live: Live): ReservedRule | undefined {
  return reserved.find(
    ({ declaredBy, because }) => declaredBy !== undefined && because === live.reserved,
  );
}
