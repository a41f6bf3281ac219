// Whether a declaration in a base may denote a live object. The declaration of an unfinished apply
// denotes only objects that the apply created.
import type { Desired, Live } from '../../model/object.ts';

/** Whether a declaration may denote a live object with its name. */
export const meansLive = ({ madeIds }: Desired, { id }: Live): boolean =>
  madeIds === undefined || madeIds.has(id);
