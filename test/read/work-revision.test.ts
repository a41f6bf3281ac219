// The revision of the files of a run: the commit that has exactly these files, or why there is none.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { revisionIn } from '../../src/read/git/workRevision.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { noticed } from './noticedGit.ts';

const at = (folder: string) =>
  revisionIn({ folder: join(folder, 'net'), host: { env: process.env } });

/** A repository with one commit. */
const inRepository = (use: (folder: string) => Promise<void>): Promise<void> =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet', '--initial-branch=main');
    await mkdir(join(folder, 'net'));
    await writeFile(join(folder, 'net/a b.yaml'), 'one\n');
    await writeFile(join(folder, 'beside'), 'one\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message=one');
    await use(folder);
  });

test('it is the commit of HEAD, and changes outside the folder do not matter', () =>
  inRepository(async folder => {
    await writeFile(join(folder, 'beside'), 'two\n');
    expect(await at(folder)).toEqual({ revision: git(folder, 'rev-parse', 'HEAD').trim() });
  }));

test('a changed, a renamed, a new and an unmerged file are named', () =>
  inRepository(async folder => {
    const why = (file: string) => ({ why: `"net/${file}" has uncommitted changes` });
    const file = join(folder, 'net/a b.yaml');
    await writeFile(file, 'two\n');
    expect(await at(folder)).toEqual(why('a b.yaml'));
    await writeFile(file, 'one\n');
    git(folder, 'mv', 'net/a b.yaml', 'net/c d.yaml');
    expect(await at(folder)).toEqual(why('c d.yaml'));
    git(folder, 'reset', '--quiet', '--hard');
    await writeFile(join(folder, 'net/# branch.oid 0'), '');
    expect(await at(folder)).toEqual(why('# branch.oid 0'));
    git(folder, 'checkout', '--quiet', '-b', 'other');
    await writeFile(file, 'two\n');
    git(folder, 'commit', '--quiet', '--all', '--message=two');
    git(folder, 'checkout', '--quiet', 'main');
    await writeFile(file, 'three\n');
    git(folder, 'commit', '--quiet', '--all', '--message=three');
    expect(() => git(folder, 'merge', '--quiet', 'other')).toThrow();
    expect(await at(folder)).toEqual(why('a b.yaml'));
  }));

test('files without a commit or outside a repository are not committed', () =>
  inFolder(async folder => {
    await mkdir(join(folder, 'net'));
    const why = 'they are not committed to git';
    expect(await at(folder)).toEqual({ why });
    git(folder, 'init', '--quiet');
    expect(await at(folder)).toEqual({ why });
  }));

test('the commit and the changes are from one moment, so a commit in between is never mistaken for the one before', () =>
  inRepository(async folder => {
    const bin = join(folder, '.git/bin');
    await mkdir(bin);
    const { env, asked } = await noticed(bin);
    await revisionIn({ folder: join(folder, 'net'), host: { env } });
    expect((await asked()).filter(command => command !== 'config')).toEqual(['status']);
  }));

test('if git cannot read the commit, its reason is given', () =>
  inRepository(async folder => {
    await writeFile(join(folder, '.git/refs/heads/main'), `${'a'.repeat(40)}\n`);
    expect(await at(folder)).toMatchObject({
      why: expect.stringContaining('git cannot read this repository'),
      hint: expect.stringContaining('git fsck'),
    });
  }));
