// The side that wins a conflict, as `--resolve` names it.
import type { Resolution } from '../types/settings.ts';

/**
 * The side in the entry for an object with these names. Otherwise the side in the entry for all objects; undefined without any
 * entry.
 */
export function sideFor(
  resolve: readonly Resolution[],
  names: readonly string[],
): Resolution['side'] | undefined {
  const named = resolve.find(({ object }) => object !== undefined && names.includes(object));
  return (named ?? resolve.find(({ object }) => object === undefined))?.side;
}
