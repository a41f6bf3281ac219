// Commits that nobody but git has made: the files of a base with parents, and more files, of somebody's choice.
import { execFileSync } from 'node:child_process';
import { git } from './git.ts';

/** A commit to be forged. */
export interface Forgery {
  /** The commit whose document and signature it has. */
  readonly of: string;
  readonly parents: readonly string[];
  /** Texts by the names of more files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Writes the commit into the repository of a folder; returns its hash. */
export function forgedBase(folder: string, { of, parents, files = {} }: Forgery): string {
  const written = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' }).trim();
  const own = git(folder, 'ls-tree', of);
  const more = Object.entries(files).map(([name, text]) => {
    const blob = written(text, 'hash-object', '-w', '--stdin');
    return `100644 blob ${blob}\t${name}\n`;
  });
  const tree = written(`${own}${more.join('')}`, 'mktree');
  const by = parents.flatMap(parent => ['-p', parent]);
  return git(folder, 'commit-tree', '-m', 'forged', ...by, tree).trim();
}
