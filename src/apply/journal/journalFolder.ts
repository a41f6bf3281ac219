// The folders of journals and locks.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findUpwards, folderOf } from '../../read/project.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { ApplyHost } from '../host.ts';

/**
 * The folder of journals of the desired state in `folder`: beside its project file or the files themselves; under
 * `journals`, where that is set, in a separate folder.
 */
export async function journalsFor(
  folder: string,
  { cwd, journals = '' }: Pick<ApplyHost, 'cwd' | 'journals'>,
): Promise<string> {
  const files = resolve(cwd, folder);
  // A saved plan may be carried out on a machine that does not have its files.
  const near = existsSync(files) ? folderOf(files) : cwd;
  const project = await findUpwards(near, PROJECT_FILE);
  const home = project ? dirname(project.file) : near;
  if (journals === '') return join(home, '.meshform', 'journal');
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return join(resolve(cwd, journals), `${basename(home)}-${digest}`);
}
