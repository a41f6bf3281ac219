// Whose change stands where the files and the account both moved since the base, as a person says it: `--resolve`.
import type { KindName } from '../model/names.ts';
import type { Resolution } from './settings.ts';

/** What is said of an object: by its name, else for all; undefined where nothing is. */
export function sideFor(
  resolve: readonly Resolution[],
  { kind, key }: { readonly kind: KindName; readonly key: string },
): Resolution['side'] | undefined {
  const named = resolve.find(({ object }) => object === `${kind}/${key}`);
  return (named ?? resolve.find(({ object }) => object === undefined))?.side;
}
