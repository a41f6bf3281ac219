// A checkout may be written by somebody who may not run anything: whatever is in its files, no command starts a program of it.
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { AUTO, inRepository, ONE, PRUNE } from './repository.ts';

/** The files of a bare repository: every one of them can be committed. Git starts the program to ask for changed files. */
async function embedRepository(folder: string, program: string): Promise<void> {
  const files = {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${program}\n`,
    'objects/keep': '',
    'refs/heads/keep': '',
  };
  await mkdir(join(folder, 'objects'), { recursive: true });
  await mkdir(join(folder, 'refs/heads'), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
}

test('a folder of desired state that is a repository too starts no program of its git settings', () =>
  inRepository(async ({ cwd, run, commit, recorded, head }) => {
    const trace = join(cwd, '.git/started');
    await mkdir(join(cwd, 'net'));
    await embedRepository(join(cwd, 'net'), `touch ${trace}; false`);
    await commit(ONE);
    // What git itself makes of such a folder.
    await cp(join(cwd, 'net'), join(cwd, '.git/copy'), { recursive: true });
    git(join(cwd, '.git/copy'), '-c', 'safe.bareRepository=all', 'status', '--porcelain');
    expect(existsSync(trace)).toBe(true);
    await rm(trace);
    expect((await run('plan', 'net', '--format', 'json')).code).toBe(0);
    const applied = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
    expect(applied).toMatchObject({ code: 0 });
    expect(existsSync(trace)).toBe(false);
    expect(recorded()).toBe(head());
  }));
