// Objects that another system creates. Files declare them only so that references can name them.
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Kind, ReservedRule } from '../kind.ts';

/** The rule by which another system creates a declared object; undefined if meshform creates the object. */
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
