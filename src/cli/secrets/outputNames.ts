// What secrets are called where a pipeline keeps them as variables.
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';

/** `setup_key_office_key`: the object and the field, in letters, digits and lines. */
export function outputName({ address, field }: AwaitedSecret): string {
  return `${address}_${field}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase();
}

/** Throws a `Stop` where two secrets would have one name: the second would take the place of the first. */
export function refuseTwins(awaited: readonly AwaitedSecret[]): void {
  for (const [name, group] of Map.groupBy(awaited, outputName)) {
    if (group.length < 2) continue;
    const addresses = group.map(({ address }) => address).join(', ');
    throw new Stop(
      EXIT.refused,
      `the secrets of ${addresses} would all have the name ${quoted(name)}`,
      'use --secrets-to file:PATH or exec:COMMAND, which keep them separate',
    );
  }
}
