// The secrets of files that a command does not read otherwise. Programs that it starts, such as git at a remote, get the variables of the
// run, without those that the files take secrets from.
import { loadDesired, loadSchemas } from '../../pipeline.ts';
import type { Io } from '../io.ts';
import { loadRequest } from './desired.ts';

/** Makes the secrets that the files at `path` name known. Faults in the files do not matter here. */
export async function tellSecrets(path: string, io: Io): Promise<void> {
  await loadDesired(loadSchemas(), loadRequest(path, {}, io));
}
