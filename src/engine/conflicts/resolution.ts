// Which side wins a conflict, as `--resolve` says.
import type { Resolution } from '../types/settings.ts';

/** The side that an entry names for an object with these names, else for all objects; undefined without an entry. */
export function sideFor(
  resolve: readonly Resolution[],
  names: readonly string[],
): Resolution['side'] | undefined {
  const named = resolve.find(({ object }) => object !== undefined && names.includes(object));
  return (named ?? resolve.find(({ object }) => object === undefined))?.side;
}
