// Whether the declaration of a base can be of a live object: an unfinished apply declares only what it created.
import type { Desired, Live } from '../../model/object.ts';

/** Whether a declaration may mean a live object that has its name. */
export const meansLive = ({ madeIds }: Desired, { id }: Live): boolean =>
  madeIds === undefined || madeIds.has(id);
