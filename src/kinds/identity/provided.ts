// Objects that another system creates, and that files declare only so that references can name them.
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Kind, ReservedRule } from '../kind.ts';

/** The rule that assigns a declared object to another system; undefined if meshform creates the object. */
export function providedBy({ reserved }: Kind, written: Fields): ReservedRule | undefined {
  return reserved.find(
    ({ declaredBy }) => declaredBy !== undefined && written[declaredBy.field] === declaredBy.value,
  );
}

/** The rule by which files can declare a live object that another system created; undefined if there is none. */
export function providedLive({ reserved }: Kind, live: Live): ReservedRule | undefined {
  return reserved.find(
    ({ declaredBy, because }) => declaredBy !== undefined && because === live.reserved,
  );
}
