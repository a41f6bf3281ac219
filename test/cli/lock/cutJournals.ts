// Journals at the remote that lack their last lines, as those of lost machines do.
import { execFileSync } from 'node:child_process';
import { git } from '../../support/git.ts';
import type { Machines } from './sharedMachines.ts';

const input = (folder: string, text: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { input: text, encoding: 'utf8' }).trim();

/** Leaves of the newest journal at the remote only the lines before the first one of a type. Returns the beginning of the id of its run. */
export function cutNewest({ remote, id }: Pick<Machines, 'remote' | 'id'>, type: string): string {
  const ref = `refs/meshform-journal/${id}`;
  const files = git(remote, 'ls-tree', '--name-only', ref).trim().split('\n').sort();
  // The push at the end of a run brings the note of its base: a lost machine has left none.
  const names = files.filter(name => name.endsWith('.jsonl'));
  const newest = names.at(-1) ?? '';
  const entries = names.map(name => {
    const lines = git(remote, 'cat-file', 'blob', `${ref}:${name}`).split('\n');
    const end = lines.findIndex(line => line.includes(`"type":"${type}"`));
    const kept = name === newest ? `${lines.slice(0, end).join('\n')}\n` : lines.join('\n');
    return `100644 blob ${input(remote, kept, 'hash-object', '-w', '--stdin')}\t${name}\n`;
  });
  const tree = input(remote, entries.join(''), 'mktree');
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  const commit = input(remote, '', ...identity, 'commit-tree', tree, '-m', 'cut');
  git(remote, 'update-ref', ref, commit);
  return newest.slice(newest.lastIndexOf('_') + 1, newest.lastIndexOf('_') + 9);
}
