// The revision of the files of a run: the commit that has exactly these texts, or why there is none.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKinds } from '../../src/kinds/registry.ts';
import { readLayers } from '../../src/read/git/checkout.ts';
import { loadLayers } from '../../src/read/git/layers.ts';
import { revisionOf } from '../../src/read/git/workRevision.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { noticed } from './noticedGit.ts';

async function read(folder: string) {
  const shownAs = (path: string) => path;
  const path = join(folder, 'net');
  const { layers } = loadLayers({ path, shownAs, kinds: readKinds() });
  const { files } = await readLayers(layers, { shownAs, host: { env: process.env } });
  return { layers, files };
}

const at = async (folder: string) =>
  revisionOf({ folder: join(folder, 'net'), host: { env: process.env } }, await read(folder));

/** A repository with one commit. */
const inRepository = (
  use: (folder: string) => Promise<void>,
  format: 'sha1' | 'sha256' = 'sha1',
): Promise<void> =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet', '--initial-branch=main', `--object-format=${format}`);
    await mkdir(join(folder, 'net'));
    await writeFile(join(folder, 'net/a b.yaml'), 'one\n');
    await writeFile(join(folder, 'beside'), 'one\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message=one');
    await use(folder);
  });

test.each(['sha1', 'sha256'] as const)(
  'the recorded revision is the commit of HEAD, and changes outside the folder do not matter (%s)',
  format =>
    inRepository(async folder => {
      await writeFile(join(folder, 'beside'), 'two\n');
      await writeFile(join(folder, 'net/beside'), 'two\n');
      expect(await at(folder)).toEqual({ revision: git(folder, 'rev-parse', 'HEAD').trim() });
    }, format),
);

test('a changed, a renamed, a new, an unmerged and a removed file are named', () =>
  inRepository(async folder => {
    const why = (file: string) => ({
      why: `"net/${file}" has uncommitted changes`,
      hint: expect.stringContaining(`net/${file}`),
    });
    const file = join(folder, 'net/a b.yaml');
    await writeFile(file, 'two\n');
    expect(await at(folder)).toEqual(why('a b.yaml'));
    await writeFile(file, 'one\n');
    git(folder, 'mv', 'net/a b.yaml', 'net/c d.yaml');
    expect(await at(folder)).toEqual(why('c d.yaml'));
    git(folder, 'reset', '--quiet', '--hard');
    await writeFile(join(folder, 'net/# branch.oid 0.yaml'), '');
    expect(await at(folder)).toEqual(why('# branch.oid 0.yaml'));
    git(folder, 'checkout', '--quiet', '-b', 'other');
    git(folder, 'clean', '--quiet', '--force');
    await writeFile(file, 'two\n');
    git(folder, 'commit', '--quiet', '--all', '--message=two');
    git(folder, 'checkout', '--quiet', 'main');
    await writeFile(file, 'three\n');
    git(folder, 'commit', '--quiet', '--all', '--message=three');
    expect(() => git(folder, 'merge', '--quiet', 'other')).toThrow();
    expect(await at(folder)).toEqual(why('a b.yaml'));
    git(folder, 'reset', '--quiet', '--hard');
    git(folder, 'rm', '--quiet', '--', 'net/a b.yaml');
    await mkdir(join(folder, 'net'), { recursive: true });
    expect(await at(folder)).toEqual(why('a b.yaml'));
  }));

test('a link is compared with the link of the commit, and its target with the target', () =>
  inRepository(async folder => {
    const head = () => git(folder, 'rev-parse', 'HEAD').trim();
    await symlink('a b.yaml', join(folder, 'net/link.yaml'));
    expect(await at(folder)).toMatchObject({ why: 'net/link.yaml has uncommitted changes' });
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message=link');
    expect(await at(folder)).toEqual({ revision: head() });
    await writeFile(join(folder, 'net/.target.yaml'), 'one\n');
    git(folder, 'rm', '--quiet', '--cached', 'net/link.yaml');
    git(folder, 'commit', '--quiet', '--message=no link');
    await writeFile(join(folder, '.gitignore'), '*\n');
    expect(await at(folder)).toMatchObject({ why: 'net/link.yaml has uncommitted changes' });
  }));

test('files without a commit or outside a repository are not committed', () =>
  inFolder(async folder => {
    await mkdir(join(folder, 'net'));
    const why = 'they are not committed to git';
    expect(await at(folder)).toEqual({ why });
    git(folder, 'init', '--quiet');
    expect(await at(folder)).toEqual({ why });
  }));

test('the files are compared with the commit that is recorded, so an intermediate commit is never mistaken for its parent', () =>
  inRepository(async folder => {
    const bin = join(folder, '.git/bin');
    await mkdir(bin);
    const { env, asked } = await noticed(bin);
    const files = await read(folder);
    await revisionOf({ folder: join(folder, 'net'), host: { env } }, files);
    expect(await asked()).toEqual(['rev-parse', 'ls-tree']);
  }));

test('the reason of git is given if git cannot read the commit', () =>
  inRepository(async folder => {
    await writeFile(join(folder, '.git/refs/heads/main'), `${'a'.repeat(40)}\n`);
    expect(await at(folder)).toMatchObject({
      why: expect.stringContaining('git cannot read this repository'),
      hint: expect.stringContaining('git fsck'),
    });
  }));
