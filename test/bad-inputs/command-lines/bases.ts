// Bad bases: no git, no such revision, no such folder.
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../support/git.ts';
import { type Line, NET } from './line.ts';

/** A repository with `net` in its first commit. */
const committed = (cwd: string): void => {
  git(cwd, 'init', '--quiet');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '--message=first');
};

export const BASES: readonly Line[] = [
  ['a base outside of git', ['plan', 'net', '--base', 'HEAD'], 3, 'BASE_INVALID', 'clone'],
  [
    'a base that is no revision',
    ['plan', 'net', '--base', 'nowhere'],
    3,
    'BASE_INVALID',
    'git',
    { make: ({ cwd }) => committed(cwd) },
  ],
  [
    'a base that looks like a flag',
    ['plan', 'net', '--base=--upload-pack=touch x'],
    3,
    'BASE_INVALID',
    '',
    { make: ({ cwd }) => committed(cwd) },
  ],
  [
    'a base before the first commit',
    ['plan', 'net', '--base', 'HEAD~5'],
    3,
    'BASE_INVALID',
    'git',
    { make: ({ cwd }) => committed(cwd) },
  ],
  [
    'a base that git no longer has',
    ['plan', 'net', '--base', '1234567890123456789012345678901234567890'],
    3,
    'BASE_INVALID',
    '',
    { make: ({ cwd }) => committed(cwd) },
  ],
  [
    'a folder that had another name',
    ['plan', 'new', '--base', 'HEAD'],
    3,
    'BASE_INVALID',
    'worktree',
    {
      make: ({ cwd }) => {
        committed(cwd);
        renameSync(join(cwd, 'net'), join(cwd, 'new'));
      },
    },
  ],
  [
    'a base in a clone without its past',
    ['plan', 'clone/net', '--base', 'HEAD~1'],
    3,
    'shallow',
    'fetch',
    {
      make: ({ cwd }) => {
        mkdirSync(join(cwd, 'from'));
        git(cwd, 'init', '--quiet', 'from');
        git(join(cwd, 'from'), 'commit', '--quiet', '--allow-empty', '--message=one');
        mkdirSync(join(cwd, 'from/net'));
        git(join(cwd, 'from'), 'commit', '--quiet', '--allow-empty', '--message=two');
        git(cwd, 'clone', '--quiet', '--depth=1', `file://${cwd}/from`, 'clone');
        mkdirSync(join(cwd, 'clone/net'));
        renameSync(join(cwd, 'net/a.yaml'), join(cwd, 'clone/net/a.yaml'));
      },
    },
  ],
  [
    'a base that is a folder of nothing',
    ['plan', 'net', '--base', 'old'],
    3,
    'BASE_INVALID',
    '',
    { make: ({ cwd }) => void mkdirSync(join(cwd, 'old')) },
  ],
  [
    'a base that has a fault',
    ['plan', 'net', '--base', 'old'],
    3,
    'old/a.yaml',
    '',
    { files: { ...NET, 'old/a.yaml': 'groups:\n\t- x\n' } },
  ],
  [
    'a base that nobody recorded',
    ['plan', 'net', '--base', 'auto', '--prune', 'removed'],
    3,
    'BASE_INVALID',
    '--record-base',
    {
      files: { ...NET, 'net/meshform.yaml': 'account: another\n' },
      make: ({ cwd }) => committed(cwd),
    },
  ],
  [
    'to record a base outside of git',
    ['apply', 'net', '--yes', '--record-base'],
    6,
    'git',
    'commit',
  ],
  [
    'a repository whose index is broken',
    ['plan', 'net', '--base', 'HEAD'],
    3,
    'BASE_INVALID',
    '',
    { files: { ...NET, '.git/HEAD': 'ref: refs/heads/main\n' } },
  ],
];
