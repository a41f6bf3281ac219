// The names of secrets in pipelines that store them as variables.
import type { PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';

/**
 * The name of the variable for a secret, for example `setup_key_office_key`: the object and the
 * field, in letters, digits and underscores.
 */
export function outputName({ address, field }: AwaitedSecret): string {
  return `${address}_${field}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase();
}

/**
 * The refusal if two secrets would have the same name, because the second secret would replace the
 * first.
 */
export function duplicateOutputNames(awaited: readonly AwaitedSecret[]): PlaceRefusal | null {
  for (const [name, group] of Map.groupBy(awaited, outputName))
    if (group.length > 1)
      return { refused: 'secret-names', name, addresses: group.map(({ address }) => address) };
  return null;
}
