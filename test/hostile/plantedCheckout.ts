// A checkout of somebody who would like to run a program: settings, attributes, hooks, submodules and repositories in its folders
// name one wherever git might look.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from '../support/git.ts';
import { fc } from '../support/seeded.ts';

/** Where a program is named, and where desired state is. */
export interface Planting {
  /** How the folder of desired state, `net`, is given to a command. */
  readonly path: string;
  /** Folders of the checkout that have the files of a repository in them. */
  readonly embedded: readonly string[];
  readonly keys: readonly string[];
  /** Before the program: `!` makes a helper of the shell of it, `ext::` an address. */
  readonly form: string;
  /** The files of settings that have the keys; `included` is a part of the checkout. */
  readonly settings: readonly ('embedded' | 'repository' | 'included')[];
  readonly hasAttributes: boolean;
  readonly hasHooks: boolean;
  /** A submodule, with settings of its own; null for none. */
  readonly submodule: string | null;
}

const TELLING =
  /alias|askpass|browser|clean$|cmd|command$|driver|editor|external|difffilter|fsmonitor$|helper|hook|httpd|insteadof$|modulepath|^man\.|pager|process|program|proxy$|pushurl$|pack$|server$|smudge|template|textconv|tool|tunnel|\.url$|vcs|\.update$/i;

/** The keys of git whose values may be programs, also those that its list lacks. */
export const PROGRAM_KEYS: readonly string[] = [
  ...new Set([
    ...execFileSync('git', ['help', '--config'], { encoding: 'utf8' })
      .split('\n')
      .filter(key => /^\w+\.\S+$/.test(key) && !key.startsWith('include'))
      .map(key => key.replaceAll(/<[^>]*>|\*/g, 'own'))
      .filter(key => TELLING.test(key)),
    'filter.own.process',
    'diff.own.command',
    'hook.own.command',
    'trailer.own.command',
    'tar.own.command',
    'credential.https://git.invalid.helper',
    'remote.origin.vcs',
  ]),
].sort();

/** What git looks at for every command; drawn more often than the rest. */
const LOOKED_AT = [
  'core.fsmonitor',
  'filter.own.clean',
  'filter.own.process',
  'core.hooksPath',
  'core.pager',
  'diff.own.textconv',
  'diff.external',
  'core.alternateRefsCommand',
];

export const planting: fc.Arbitrary<Planting> = fc.record({
  path: fc.constantFrom('net', 'net/', './net', 'net/network.yaml', 'link', 'deep/link'),
  embedded: fc.subarray(['net', 'net/deep', 'net/.hidden', 'other', 'origin']),
  keys: fc
    .tuple(
      fc.subarray(LOOKED_AT, { minLength: 1 }),
      fc.subarray([...PROGRAM_KEYS], { maxLength: 20 }),
    )
    .map(([one, other]) => [...new Set([...one, ...other])]),
  form: fc.constantFrom('', '', '!', 'ext::'),
  settings: fc.subarray(['embedded', 'repository', 'included'] as const, { minLength: 1 }),
  hasAttributes: fc.boolean(),
  hasHooks: fc.boolean(),
  submodule: fc.constantFrom(null, 'module', 'net/module'),
});

const ATTRIBUTES = '* filter=own diff=own merge=own\n';
const HOOKS = [
  'post-checkout',
  'post-commit',
  'post-index-change',
  'pre-auto-gc',
  'pre-push',
  'fsmonitor-watchman',
  'query-watchman',
  'reference-transaction',
  'post-rewrite',
  'update',
];

/** Writes the files of a checkout at `cwd`, whose folder `net` has desired state already, and commits what can be committed. */
export async function plant(cwd: string, planted: Planting, program: string): Promise<void> {
  const { embedded, keys, form, settings, hasAttributes, hasHooks, submodule } = planted;
  const values = keys.map(key => [key, `${form}${program}`] as const);
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  for (const folder of embedded)
    await embed(join(cwd, folder), settings.includes('embedded') ? values : [], program);
  if (hasAttributes) await writeFile(join(cwd, '.gitattributes'), ATTRIBUTES);
  if (hasAttributes) await writeFile(join(cwd, 'net/.gitattributes'), ATTRIBUTES);
  await symlink('net', join(cwd, 'link'));
  await mkdir(join(cwd, 'deep'));
  await symlink('../net', join(cwd, 'deep/link'));
  if (submodule) await addSubmodule(cwd, submodule, program);
  writeSettings(join(cwd, 'settings'), values);
  git(cwd, 'add', '--all', '.');
  git(cwd, 'commit', '--quiet', '--message=everything');
  // From here on git itself would start it.
  if (settings.includes('included')) git(cwd, 'config', 'include.path', '../settings');
  if (hasHooks) await writeHooks(join(cwd, '.git/hooks'), program);
  if (submodule) {
    await writeHooks(join(cwd, submodule, '.git/hooks'), program);
    writeSettings(join(cwd, submodule, '.git/config'), values);
  }
  if (settings.includes('repository')) writeSettings(join(cwd, '.git/config'), values);
  // The index no longer shows that the file is as it was: git has to read it, through its filter.
  await utimes(join(cwd, 'net/network.yaml'), 1, 1);
}

async function embed(
  folder: string,
  values: readonly (readonly [string, string])[],
  program: string,
): Promise<void> {
  await mkdir(join(folder, 'objects'), { recursive: true });
  await mkdir(join(folder, 'refs/heads'), { recursive: true });
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(folder, 'objects/keep'), '');
  await writeFile(join(folder, 'refs/heads/keep'), '');
  const worktree = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n';
  await writeFile(join(folder, 'config'), worktree);
  writeSettings(join(folder, 'config'), values);
  await writeHooks(join(folder, 'hooks'), program);
}

function writeSettings(file: string, values: readonly (readonly [string, string])[]): void {
  for (const [key, value] of values) execFileSync('git', ['config', '--file', file, key, value]);
}

async function writeHooks(folder: string, program: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of HOOKS) {
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${program}\n`);
    await chmod(join(folder, name), 0o755);
  }
}

// As a job leaves it that checks out submodules.
async function addSubmodule(cwd: string, path: string, program: string): Promise<void> {
  const folder = join(cwd, path);
  await mkdir(dirname(folder), { recursive: true });
  git(cwd, 'init', '--quiet', path);
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=own');
  const id = git(folder, 'rev-parse', 'HEAD').trim();
  git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${id},${path}`);
  const lines = [`[submodule "own"]`, `\tpath = ${path}`, `\turl = ext::${program}`];
  await writeFile(join(cwd, '.gitmodules'), `${lines.join('\n')}\n\tupdate = none\n`);
}
