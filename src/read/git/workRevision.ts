// The revision of the files that a run works with, and their path in the repository.
import { basename, posix } from 'node:path';
import { nameText } from '../../model/text/visible.ts';
import { folderOf, realOf } from '../files/upwards.ts';
import { noteCommit } from './knownCommits.ts';
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
  const folders = ['', ...layers].map(way => posix.join(prefixOf(place), way) || '.');
  try {
    // One command says both: between two commands, somebody could commit.
    const asked = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--'];
    const status = (await git(place, [...asked, ...folders])).toString('utf8').split('\0');
    const [, revision] = COMMIT.exec(status.find(line => COMMIT.test(line)) ?? '') ?? [];
    if (revision === undefined) return NOT_COMMITTED;
    noteCommit(place, revision);
    const [, path] = status.map(line => CHANGED.exec(line)).find(found => found !== null) ?? [];
    return path === undefined ? { revision } : { why: `${nameText(path)} has uncommitted changes` };
  } catch (error) {
    const head = await commitOf(place, 'HEAD');
    if ('commit' in head) return gitFault(error);
    const isNew = head.is === 'unknown' || head.is === 'no-repository' || head.is === 'shallow';
    return isNew ? NOT_COMMITTED : { why: head.why, hint: head.hint };
  }
}

const NOT_COMMITTED = { why: 'they are not committed to git' } as const;

/** The header with the commit of `HEAD`; without a commit it has the word `(initial)`. */
const COMMIT = /^# branch\.oid ([0-9a-f]+)$/;

/** An entry for a changed, a renamed, an unmerged or an untracked file. Its path follows a number of fields without blanks. */
const CHANGED = /^(?:1(?: \S+){7}|2(?: \S+){8}|u(?: \S+){9}|\?) (.+)$/s;

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
