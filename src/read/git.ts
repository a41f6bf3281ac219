// Desired-state files as a git revision has them. Reads git's own objects: no checkout is touched.
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { quoted } from '../model/visible.ts';
import type { FileText } from './fileText.ts';
import { git } from './runGit.ts';
import { type Selection, selectorFor } from './select.ts';

/**
 * The desired-state files at `path`, a folder or one file, as `revision` has them; null where git does not know the
 * revision. Links are followed as far as they stay in the repository.
 */
export async function filesAtRevision(
  path: string,
  revision: string,
  selection: Selection,
): Promise<FileText[] | null> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const folder = isFile ? dirname(path) : path;
  const commit = await commitOf(folder, revision);
  if (commit === null) return null;
  const { isSelected } = await selectorFor(folder, selection);
  const names = await git(folder, ['ls-tree', '-r', '-z', '--name-only', commit, '.']);
  const found = names
    .toString('utf8')
    .split('\0')
    .filter(name => (isFile ? name === basename(path) : isSelected(name)))
    // The answer to a batch of names is read line by line.
    .filter(name => name !== '' && !name.includes('\n'))
    .sort();
  const contents = await contentsOf(folder, commit, found);
  return found.flatMap((name, i) => {
    const text = contents[i];
    return typeof text === 'string' ? [{ file: `${revision}:${name}`, text }] : [];
  });
}

/** The error for a base that is neither a revision nor a folder. */
export function noSuchBase(base: string): Diagnostic {
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `${quoted(base)} is neither a revision that git knows here nor a folder`,
    hint: 'write it as git does; a pipeline may have to fetch it first, as shallow clones have one revision',
  };
}

/** The commit that a revision names; null where git does not know it, or there is no repository. */
export async function commitOf(folder: string, revision: string): Promise<string | null> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const found = (await git(folder, args)).toString('utf8').trim();
    // `^name` is verified too, as all that `name` does not reach.
    return /^[0-9a-f]+$/.test(found) ? found : null;
  } catch {
    return null;
  }
}

// All of them from one process, in the order of their names; null for what is not a file.
async function contentsOf(
  folder: string,
  commit: string,
  names: readonly string[],
): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const prefix = (await git(folder, ['rev-parse', '--show-prefix'])).toString('utf8').trimEnd();
  const asked = names.map(name => `${commit}:${prefix}${name}\n`).join('');
  const answer = await git(folder, ['cat-file', '--batch', '--follow-symlinks'], asked);
  return readBatch(answer, names.length);
}

// `<object> blob <size>`, then so many bytes; a link that leads nowhere answers `dangling <size>` and the like.
function readBatch(answer: Buffer, count: number): (string | null)[] {
  let offset = 0;
  return Array.from({ length: count }, () => {
    const end = answer.indexOf('\n', offset);
    const head = answer.toString('utf8', offset, end);
    const start = end + 1;
    if (head.endsWith(' missing')) {
      offset = start;
      return null;
    }
    const size = Number(head.split(' ').at(-1));
    offset = start + size + 1;
    return / blob \d+$/.test(head) ? answer.toString('utf8', start, start + size) : null;
  });
}
