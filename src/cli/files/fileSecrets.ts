// The secrets of files that a command does not read otherwise. Programs that the command starts,
// such as git at a remote, get the variables of the run, but not the variables from which the files
// read secrets.
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { loadRequest } from './desired.ts';

/**
 * Adds the secrets that the files at `path` and in the earlier layers name to the known secrets. Errors in the files do not
 * matter here.
 */
export async function tellSecrets(
  path: string,
  { layers }: Pick<SourceFlags, 'layers'>,
  io: Io,
): Promise<void> {
  await loadDesired(loadSchemas(), loadRequest(path, layers ? { layers } : {}, io));
}
