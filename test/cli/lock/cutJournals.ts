// Journals at the remote that lack their last lines, as those of lost machines do, and journals that somebody else put there.
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
  replaceJournals({ remote, id }, entries.join(''));
  return newest.slice(newest.lastIndexOf('_') + 1, newest.lastIndexOf('_') + 9);
}

/** Adds so many files with the names of later runs beside the journals, as anybody who can push may do. */
export function addJournals({ remote, id }: Pick<Machines, 'remote' | 'id'>, count: number): void {
  const ref = `refs/meshform-journal/${id}`;
  const there = git(remote, 'ls-tree', ref);
  const blob = input(remote, 'hello\n', 'hash-object', '-w', '--stdin');
  const added = Array.from({ length: count }, (_, i) => {
    const number = String(i).padStart(3, '0');
    return `100644 blob ${blob}\t2099-01-01T00-00-00.${number}Z_d72a4e20-b069-44a3-a803-fa033cf5f${number}.jsonl\n`;
  });
  replaceJournals({ remote, id }, there + added.join(''));
}

/** Adds a line to the journal of a run at the remote that nobody signed, which says that a person closed the run. */
export function forgeEnd({ remote, id }: Pick<Machines, 'remote' | 'id'>, run: string): void {
  const ref = `refs/meshform-journal/${id}`;
  const hmac = '0'.repeat(64);
  const line = `{"at":"2026-01-01T00:00:00.000Z","type":"close","complete":false,"abandoned":true,"hmac":"${hmac}"}\n`;
  const lines = git(remote, 'ls-tree', ref).split('\n');
  const entries = lines.map(entry => {
    const [, name = ''] = entry.split('\t');
    if (!name.includes(run)) return entry;
    const text = git(remote, 'cat-file', 'blob', `${ref}:${name}`);
    return `100644 blob ${input(remote, text + line, 'hash-object', '-w', '--stdin')}\t${name}`;
  });
  replaceJournals({ remote, id }, entries.join('\n'));
}

/** Removes the journal of a run from the remote. */
export function removeJournal({ remote, id }: Pick<Machines, 'remote' | 'id'>, run: string): void {
  const lines = git(remote, 'ls-tree', `refs/meshform-journal/${id}`).split('\n');
  replaceJournals({ remote, id }, lines.filter(line => !line.includes(run)).join('\n'));
}

function replaceJournals({ remote, id }: Pick<Machines, 'remote' | 'id'>, entries: string): void {
  const tree = input(remote, entries, 'mktree');
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  const commit = input(remote, '', ...identity, 'commit-tree', tree, '-m', 'replaced');
  git(remote, 'update-ref', `refs/meshform-journal/${id}`, commit);
}
