// Links and submodules of a git revision: followed inside the folder as on a disk, and never passed over.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFolder } from '../../src/read/files/folder.ts';
import { filesAtRevision } from '../../src/read/git/filesAtRevision.ts';
import { commitOf } from '../../src/read/git/revision.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

async function commit(
  folder: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  git(folder, 'init', '--quiet');
  const paths = [...Object.keys(files), ...Object.keys(links)];
  for (const path of paths) await mkdir(dirname(join(folder, path)), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  for (const [path, to] of Object.entries(links)) await symlink(to, join(folder, path));
  git(folder, 'add', '--force', '.');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=links');
}

const host = { env: process.env };

async function at(folder: string, path: string, exclude: readonly string[] = []) {
  const found = await commitOf({ folder, host }, 'HEAD');
  if (!('commit' in found)) throw new Error(found.why);
  const selection = { projectFile: 'meshform.yaml', exclude };
  const revision = { ...found, name: 'HEAD' };
  const { files, diagnostics } = await filesAtRevision(
    { path: join(folder, path), host },
    revision,
    selection,
  );
  return {
    files: files.map(({ file, text }) => `${file.replace('HEAD:', '')}: ${text}`),
    faults: diagnostics.map(({ message }) => message.replace('HEAD:', '')),
  };
}

const FILES = {
  'outside.yaml': 'out',
  'net/a.yaml': 'a',
  'net/deep/b.yaml': 'b',
  'net/..v1/c.yaml': 'c',
};

describe('a link at a revision', () => {
  test.each([
    ['to a file', { 'net/x.yaml': 'a.yaml' }, 'x.yaml: a'],
    ['to a file deep inside', { 'net/deep/x.yaml': '../deep/./b.yaml' }, 'deep/x.yaml: b'],
    ['through a link', { 'net/x.yaml': '.y', 'net/.y': 'deep/b.yaml' }, 'x.yaml: b'],
    [
      'through a folder’s link',
      { 'net/x.yaml': '..data/c.yaml', 'net/..data': '..v1' },
      'x.yaml: c',
    ],
    ['that goes out and comes back in', { 'net/x.yaml': '../net/a.yaml' }, 'x.yaml: a'],
  ])('%s is followed', (_, links, read) =>
    inFolder(async folder => {
      await commit(folder, FILES, links);
      const { files, faults } = await at(folder, 'net');
      expect(faults).toEqual([]);
      expect(files.sort()).toEqual(['a.yaml: a', 'deep/b.yaml: b', read].sort());
    }),
  );

  test.each([
    [
      'out of the folder',
      { 'net/x.yaml': '../outside.yaml' },
      'it is a link to a target outside the folder',
    ],
    [
      'out of the repository',
      { 'net/x.yaml': '../../../x' },
      'it is a link to a target outside the folder',
    ],
    [
      'to an absolute path',
      { 'net/x.yaml': '/etc/passwd' },
      'it is a link to a target outside the folder',
    ],
    ['to a folder', { 'net/x': 'deep' }, 'it is a link to a folder, which is not followed'],
    ['to the folder itself', { 'net/x': '.' }, 'it is a link to a folder, which is not followed'],
    ['to nothing', { 'net/x.yaml': 'nowhere.yaml' }, 'it is a broken link'],
    ['to a file as if it were a folder', { 'net/x.yaml': 'a.yaml/b' }, 'it is a broken link'],
    ['to itself', { 'net/x.yaml': 'x.yaml' }, 'its links form a loop'],
    [
      'in a circle',
      { 'net/x.yaml': '.y/z', 'net/.y': '.w', 'net/.w': '.y' },
      'its links form a loop',
    ],
  ])('%s is an error that names it', (_, links, why) =>
    inFolder(async folder => {
      await commit(folder, FILES, links);
      const [path = ''] = Object.keys(links);
      const name = path.replace('net/', '');
      expect((await at(folder, 'net')).faults).toEqual([`\`${name}\` cannot be read: ${why}`]);
      expect((await at(folder, 'net', [name])).faults).toEqual([]);
    }),
  );

  test('a link of many steps is resolved with one read per step', () =>
    inFolder(async folder => {
      await commit(folder, FILES, { 'net/x.yaml': `${'./'.repeat(1800)}a.yaml` });
      expect((await at(folder, 'net')).files).toContain('x.yaml: a');
    }));
});

test('a submodule at a revision is an error that names it', () =>
  inFolder(async folder => {
    await commit(folder, FILES, {});
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${head},net/shared`);
    git(folder, 'commit', '--quiet', '--message=submodule');
    expect((await at(folder, 'net')).faults).toEqual([
      '`shared` cannot be read: it is a submodule: its files are in another repository',
    ]);
    expect((await at(folder, 'net', ['shared'])).faults).toEqual([]);
  }));

test('a name may contain anything that git allows', () =>
  inFolder(async folder => {
    await commit(folder, { 'net/a\nb.yaml': 'lines', 'net/"ü" .yaml': 'quotes' }, {});
    expect((await at(folder, 'net')).files).toEqual(['"ü" .yaml: quotes', 'a\nb.yaml: lines']);
  }));

test('a revision and its checkout are read as the same files, whatever links they contain', async () => {
  const step = fc.constantFrom('a.yaml', 'b', 'x', 'y.yaml', '..', '.', 'deep', 'net', 'out');
  const target = fc.array(step, { minLength: 1, maxLength: 5 }).map(steps => steps.join('/'));
  const paths = fc.constantFrom('net/x', 'net/y.yaml', 'net/deep/x', 'net/deep/y.yaml', 'net/.z');
  await fc.assert(
    fc.asyncProperty(fc.dictionary(paths, target), links =>
      inFolder(async folder => {
        await commit(folder, { 'net/a.yaml': 'a', 'net/deep/b': 'b', 'out/a.yaml': 'out' }, links);
        const disk = await readFolder(
          join(folder, 'net'),
          { projectFile: 'meshform.yaml', exclude: [] },
          path => path.slice(join(folder, 'net').length + 1),
        );
        const revision = await at(folder, 'net');
        expect(revision.files.sort()).toEqual(
          disk.files.map(({ file, text }) => `${file}: ${text}`).sort(),
        );
        await rm(join(folder, 'net'), { recursive: true });
      }),
    ),
    { numRuns: 25, seed: 1 },
  );
});
