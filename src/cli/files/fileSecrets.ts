// The secrets of files that a command does not read otherwise. Programs that it starts, such as git at a remote, get the variables of the
// run, without those that the files take secrets from.
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { loadRequest } from './desired.ts';

/** Makes the secrets that the files at `path` and in the layers before it name known. Faults in the files do not matter here. */
export async function tellSecrets(
  path: string,
  { layers }: Pick<SourceFlags, 'layers'>,
  io: Io,
): Promise<void> {
  await loadDesired(loadSchemas(), loadRequest(path, layers ? { layers } : {}, io));
}
