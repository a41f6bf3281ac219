// Whose change stands where the files and the account both moved since the base, as a person says it: `--resolve`.
import type { Resolution } from '../types/settings.ts';

/** What is said of an object that goes by these names, else of all; undefined where nothing is. */
export function sideFor(
  resolve: readonly Resolution[],
  names: readonly string[],
): Resolution['side'] | undefined {
  const named = resolve.find(({ object }) => object !== undefined && names.includes(object));
  return (named ?? resolve.find(({ object }) => object === undefined))?.side;
}
