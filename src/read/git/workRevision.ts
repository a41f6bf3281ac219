// The revision of the files that a run works with, and their path in the repository.
import { basename, posix } from 'node:path';
import { nameText } from '../../model/text/visible.ts';
import { folderOf, realOf } from '../files/upwards.ts';
import { prefixOf } from './repository.ts';
import { commitOf } from './revision.ts';
import { type GitPlace, git, gitFault } from './runGit.ts';

/**
 * The commit of the files in a folder and in other layers, which are given by their paths from the folder. If the files are not
 * committed, the reason in words.
 */
export async function revisionIn(
  place: GitPlace,
  layers: readonly string[] = [],
): Promise<{ revision: string } | { why: string; hint?: string | undefined }> {
  const head = await commitOf(place, 'HEAD');
  if (!('commit' in head)) {
    const isNew = head.is === 'unknown' || head.is === 'no-repository' || head.is === 'shallow';
    return isNew ? { why: 'they are not committed to git' } : { why: head.why, hint: head.hint };
  }
  try {
    const folders = ['', ...layers].map(way => posix.join(prefixOf(place), way) || '.');
    const status = await git(place, ['status', '--porcelain', '-z', '--'].concat(folders));
    const [first = ''] = status.toString('utf8').split('\0');
    return first === ''
      ? { revision: head.commit }
      : { why: `${nameText(first.slice(3))} has uncommitted changes` };
  } catch (error) {
    return gitFault(error);
  }
}

/**
 * The path of a folder or a file of desired state from the root of its repository; `.` for the root, and for a path outside a
 * repository.
 */
export function pathInRepository(path: string): string {
  const real = realOf(path);
  const folder = folderOf(real);
  const file = real === folder ? '' : basename(real);
  return `${prefixOf({ folder })}${file}`.replace(/\/$/, '') || '.';
}
