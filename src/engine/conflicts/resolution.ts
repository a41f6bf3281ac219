// The side that wins a conflict, according to `--resolve`.
import type { Resolution } from '../types/settings.ts';

/**
 * The side from the entry for an object with these names. If there is none, the side from the entry
 * for all objects; undefined without any entry.
 */
export function sideFor(
  resolve: readonly Resolution[],
  names: readonly string[],
): Resolution['side'] | undefined {
  const named = resolve.find(({ object }) => object !== undefined && names.includes(object));
  return (named ?? resolve.find(({ object }) => object === undefined))?.side;
}
