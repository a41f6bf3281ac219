// A reader follows links inside the folder, and names every link that leads out of it.
import { spawn } from 'node:child_process';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fileInputs } from '../../src/read/files/inputs.ts';
import { findAllUpwards } from '../../src/read/files/projectFilesAbove.ts';
import { inFolder } from '../support/cli.ts';
import { pipe } from '../support/specialFiles.ts';
import { read, said, write } from './sourceFolder.ts';

describe('a Kubernetes volume', () => {
  /** As the kubelet lays it out: every name is a link through `..data` to a folder of the moment. */
  async function mount(volume: string, files: Readonly<Record<string, string>>): Promise<void> {
    await write(join(volume, '..2026_01_01'), files);
    await symlink('..2026_01_01', join(volume, '..data'));
    for (const name of Object.keys(files)) await symlink(`..data/${name}`, join(volume, name));
  }

  test('is read as the files that it shows', () =>
    inFolder(async folder => {
      await mount(join(folder, 'net'), { 'a.yaml': 'a', 'b.yaml': 'b', key: 'secret' });
      expect(await said(folder, 'net')).toEqual({
        files: ['net/a.yaml: a', 'net/b.yaml: b'],
        faults: [],
      });
      expect(fileInputs(join(folder, 'net'))('key')).toBe('secret');
    }));

  test('may hold the project file', () =>
    inFolder(async folder => {
      await mount(join(folder, 'net'), { 'meshform.yaml': 'account: a', 'a.yaml': '' });
      expect(findAllUpwards(join(folder, 'net'), 'meshform.yaml')[0]).toEqual({
        file: join(folder, 'net/meshform.yaml'),
        text: 'account: a',
      });
    }));

  test('may be replaced between two reads', () =>
    inFolder(async folder => {
      const volume = join(folder, 'net');
      await mount(volume, { 'a.yaml': 'before' });
      await write(join(volume, '..2026_01_02'), { 'a.yaml': 'after' });
      await symlink('..2026_01_02', join(volume, '..data_tmp'));
      await rename(join(volume, '..data_tmp'), join(volume, '..data'));
      await rm(join(volume, '..2026_01_01'), { recursive: true });
      expect((await said(folder, 'net')).files).toEqual(['net/a.yaml: after']);
    }));
});

describe('a link', () => {
  test('a link in the given path may point anywhere, and is resolved once', () =>
    inFolder(async folder => {
      await write(folder, { 'real/net/a.yaml': 'a', 'real/net/key': 'k', 'real/key': 'outside' });
      await symlink('real/net', join(folder, 'link'));
      await symlink('a.yaml', join(folder, 'real/net/b.yaml'));
      await symlink(join(folder, 'real/net/a.yaml'), join(folder, 'one.yaml'));
      expect((await said(folder, 'link')).files).toEqual(['link/a.yaml: a', 'link/b.yaml: a']);
      expect((await said(folder, 'one.yaml')).files).toEqual(['one.yaml: a']);
      const file = fileInputs(join(folder, 'link'));
      expect([file('key'), file('../key')]).toEqual(['k', undefined]);
    }));

  test.each([
    ['to a file outside', '../outside.yaml', 'it is a link to a target outside the folder'],
    [
      'to a file outside by way of the root',
      '/outside',
      'it is a link to a target outside the folder',
    ],
    [
      'to what is no desired state outside',
      '/proc/self/environ',
      'it is a link to a target outside the folder',
    ],
    [
      'that goes out and leads elsewhere',
      'back.yaml',
      'it is a link to a target outside the folder',
    ],
    ['to a folder inside', 'deep', 'it is a link to a folder, which is not followed'],
    ['to a folder outside', '..', 'it is a link to a folder, which is not followed'],
    ['to itself', 'x.yaml', 'its links form a loop'],
    ['to nothing', 'nowhere.yaml', 'it does not exist'],
    ['to a file as if it were a folder', 'a.yaml/b', 'a part of its path is not a folder'],
    ['into the folder of git', '.git/config', 'it is inside a .git folder'],
    ['into a folder of git in capitals', 'deep/.GIT/config', 'it is inside a .git folder'],
  ])('%s is an error that names the link', (_, target, why) =>
    inFolder(async folder => {
      await write(folder, {
        'outside.yaml': 'out',
        'net/a.yaml': 'a',
        'net/deep/b.yaml': 'b',
        'net/.git/config': 'credentials',
        'net/deep/.GIT/config': 'credentials',
      });
      await symlink('../outside.yaml', join(folder, 'net/back.yaml'));
      const to = target === '/outside' ? join(folder, 'outside.yaml') : target;
      await symlink(to, join(folder, 'net/x.yaml'));
      const { files, faults } = await said(folder, 'net');
      expect(faults).toContain(`\`net/x.yaml\` cannot be read: ${why}`);
      expect(files).toEqual(['net/a.yaml: a', 'net/deep/b.yaml: b']);
      expect((await said(folder, 'net', ['x.yaml', 'back.yaml'])).faults).toEqual([]);
    }),
  );

  test('a link that leaves the folder and returns is treated as a link to a file inside', () =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a' });
      await symlink('../net/a.yaml', join(folder, 'net/b.yaml'));
      expect((await said(folder, 'net')).files).toEqual(['net/a.yaml: a', 'net/b.yaml: a']);
    }));

  test('a link with a name that is not read may point anywhere, except to a folder', () =>
    inFolder(async folder => {
      await write(folder, { 'README.md': '', 'docs/x.yaml': '', 'net/a.yaml': 'a' });
      await symlink('../README.md', join(folder, 'net/README.md'));
      expect((await said(folder, 'net')).faults).toEqual([]);
      await symlink('../docs', join(folder, 'net/docs'));
      expect((await said(folder, 'net')).faults).toEqual([
        '`net/docs` cannot be read: it is a link to a folder, which is not followed',
      ]);
    }));

  test('a link with a leading dot is skipped', () =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a' });
      await symlink('..', join(folder, 'net/.up'));
      await symlink('nowhere', join(folder, 'net/.lost.yaml'));
      expect(await said(folder, 'net')).toEqual({ files: ['net/a.yaml: a'], faults: [] });
    }));
});

test('no file outside the folder is read, whatever links it contains', async () => {
  const step = fc.constantFrom('a', 'b', 'c', '..', '.', '.git', 'deep', 'x.yaml', 'out');
  const target = fc.array(step, { minLength: 1, maxLength: 5 }).map(steps => steps.join('/'));
  const links = fc.dictionary(
    fc.constantFrom('net/a', 'net/b', 'net/x.yaml', 'net/deep/c', 'net/deep/y.yaml'),
    target,
  );
  await fc.assert(
    fc.asyncProperty(links, generated =>
      inFolder(async folder => {
        await write(folder, {
          'out/x.yaml': 'outside',
          'x.yaml': 'outside',
          'net/.git/x.yaml': 'outside',
          'net/deep/z.yaml': 'inside',
        });
        for (const [path, to] of Object.entries(generated)) await symlink(to, join(folder, path));
        const { files } = await read(folder, 'net');
        expect(files.map(file => file.text)).not.toContain('outside');
        const file = fileInputs(join(folder, 'net'));
        for (const path of Object.values(generated)) expect(file(path)).not.toBe('outside');
      }),
    ),
    { numRuns: 150, seed: 1 },
  );
});

test('a file that is replaced between check and read is not read', () =>
  inFolder(async folder => {
    await write(folder, { 'net/a.yaml': 'inside', 'net/sub/x.yaml': 'inside' });
    await write(folder, { 'out/x.yaml': 'outside', 'copy/x.yaml': 'inside' });
    pipe(join(folder, 'pipe'));
    const swaps = `
      const { renameSync, rmSync, symlinkSync, linkSync } = require('node:fs');
      const swap = (make, to) => { rmSync('new', { force: true }); make(); renameSync('new', to); };
      for (;;) {
        swap(() => symlinkSync('../out/x.yaml', 'new'), 'net/b.yaml');
        swap(() => linkSync('net/a.yaml', 'new'), 'net/b.yaml');
        swap(() => linkSync('pipe', 'new'), 'net/b.yaml');
        renameSync('net/sub', 'aside'); symlinkSync('../out', 'net/sub');
        rmSync('net/sub'); renameSync('aside', 'net/sub');
      }`;
    const child = spawn(process.execPath, ['-e', swaps], { cwd: folder, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const inputs = fileInputs(join(folder, 'net'));
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 3000; i++)
      for (const path of ['b.yaml', 'sub/x.yaml']) seen.add(inputs(path));
    for (let i = 0; i < 50; i++)
      for (const file of (await read(folder, 'net')).files) seen.add(file.text);
    child.kill('SIGKILL');
    expect(seen).not.toContain('outside');
    expect(seen).toContain('inside');
  }));
