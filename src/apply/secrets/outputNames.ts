// What secrets are called where a pipeline keeps them as variables.
import type { PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';

/** `setup_key_office_key`: the object and the field, in letters, digits and lines. */
export function outputName({ address, field }: AwaitedSecret): string {
  return `${address}_${field}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase();
}

/** The refusal where two secrets would have one name: the second would take the place of the first. */
export function twins(awaited: readonly AwaitedSecret[]): PlaceRefusal | null {
  for (const [name, group] of Map.groupBy(awaited, outputName))
    if (group.length > 1)
      return { refused: 'secret-names', name, addresses: group.map(({ address }) => address) };
  return null;
}
