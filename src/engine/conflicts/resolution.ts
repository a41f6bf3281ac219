// Whose change stands where the files and the account both moved since the base, as a person says it: `--resolve`.
import { namesOf, type Spoken } from '../../model/spoken.ts';
import type { Resolution } from '../types/settings.ts';

/** What is said of an object: by its name, else for all; undefined where nothing is. */
export function sideFor(
  resolve: readonly Resolution[],
  spoken: Spoken,
): Resolution['side'] | undefined {
  const names = namesOf(spoken);
  const named = resolve.find(({ object }) => object !== undefined && names.includes(object));
  return (named ?? resolve.find(({ object }) => object === undefined))?.side;
}
