// Finds the files of a repository that change when a revision gets another meaning. Each commit, checkout and fetch writes one of
// them.
import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repositoryOf } from './repository.ts';

const FILES = ['HEAD', 'logs/HEAD', 'packed-refs', 'FETCH_HEAD', 'ORIG_HEAD'];

/** The files that show new commits in the repository of a path; empty outside a repository. */
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

// The path in a pointer file, resolved from `from`; undefined without such a file. A linked work tree names its git folder in
// such a file.
function pointer(file: string, from: string, form: RegExp): string | undefined {
  try {
    const [, path] = form.exec(readFileSync(file, 'utf8')) ?? [];
    return path === undefined ? undefined : resolve(from, path);
  } catch {
    return undefined;
  }
}
