// The files of a repository that change with the meaning of a revision: each commit, checkout and fetch writes one of them.
import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repositoryOf } from './repository.ts';

const FILES = ['HEAD', 'logs/HEAD', 'packed-refs', 'FETCH_HEAD', 'ORIG_HEAD'];

/** The files that tell of new commits in the repository of a path; none outside of a repository. */
export function revisionFiles(path: string): readonly string[] {
  const root = repositoryOf(path)?.root;
  if (root === undefined) return [];
  const own = gitFolder(root);
  const shared = pointer(join(own, 'commondir'), own, /^(.*)$/m) ?? own;
  return [...new Set([own, shared])].flatMap(folder => FILES.map(name => join(folder, name)));
}

function gitFolder(root: string): string {
  const entry = join(root, '.git');
  if (lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return entry;
  return pointer(entry, root, /^gitdir: (.*)$/m) ?? entry;
}

// A work tree names its folder in a file.
function pointer(file: string, from: string, form: RegExp): string | undefined {
  try {
    const [, path] = form.exec(readFileSync(file, 'utf8')) ?? [];
    return path === undefined ? undefined : resolve(from, path);
  } catch {
    return undefined;
  }
}
