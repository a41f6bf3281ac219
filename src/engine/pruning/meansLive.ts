// Whether a declaration in a base can mean a live object: an unfinished apply declares only the objects that it created.
import type { Desired, Live } from '../../model/object.ts';

/** Whether a declaration may mean a live object that has its name. */
export const meansLive = ({ madeIds }: Desired, { id }: Live): boolean =>
  madeIds === undefined || madeIds.has(id);
