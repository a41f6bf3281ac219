// Where the journals and locks of desired state lie.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findUpwards, folderOf } from '../../read/project.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { Io } from '../io.ts';

/**
 * The folder of journals of the desired state in `folder`: beside its project file or the files themselves; under
 * MESHFORM_JOURNALS, where that is set, in a folder of its own.
 */
export async function journalsFor(folder: string, { cwd, env }: Io): Promise<string> {
  const files = resolve(cwd, folder);
  // A saved plan may be carried out where its files are not.
  const near = existsSync(files) ? folderOf(files) : cwd;
  const project = await findUpwards(near, PROJECT_FILE);
  const home = project ? dirname(project.file) : near;
  const { MESHFORM_JOURNALS: all = '' } = env;
  if (all === '') return join(home, '.meshform', 'journal');
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return join(resolve(cwd, all), `${basename(home)}-${digest}`);
}
