// Whether a declaration in a base may stand for a live object. The declaration of an unfinished apply stands only for objects
// that the apply created.
import type { Desired, Live } from '../../model/object.ts';

/** Whether a declaration may stand for a live object with its name. */
export const meansLive = ({ madeIds }: Desired, { id }: Live): boolean =>
  madeIds === undefined || madeIds.has(id);
