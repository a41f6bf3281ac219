// A reader names a folder that it cannot look into: without permission, or a submodule that is not checked out.
import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inFolder } from '../support/cli.ts';
import { LAUNCHER } from '../support/program/program.ts';
import { read, said, write } from './sourceFolder.ts';

describe('an unreadable folder', () => {
  test('is reported, and the other folders are read', () =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'groups: [{ name: a }]', 'net/sub/b.yaml': 'b' });
      await write(folder, { 'net/sub/c.yaml': 'c' });
      await chmod(join(folder, 'net/sub'), 0);
      onTestFinished(() => chmod(join(folder, 'net/sub'), 0o700).catch(() => {}));
      await chmod(folder, 0o755);
      // An administrator may look into everything, so somebody else has to.
      const own = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
      const child = spawn(process.execPath, [LAUNCHER, 'validate', 'net', '--format', 'json'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        ...own,
      });
      const { diagnostics } = JSON.parse(await text(child.stdout));
      expect(diagnostics).toMatchObject([
        {
          message: '`net/sub` cannot be read: permission denied',
          hint: expect.stringContaining('`exclude`'),
        },
      ]);
      await chmod(join(folder, 'net/sub'), 0o700);
    }));

  const MODULES = '[submodule "shared"]\n\tpath = "net/shared"\n\turl = ../shared.git\n';
  const missing =
    '`net/shared` cannot be read: it is a submodule: its files are in another repository';

  test.each([
    ['empty', ['net/shared']],
    ['missing', []],
  ])('an unreadable folder that is a submodule and %s is reported with a hint', (_, folders) =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a', '.gitmodules': MODULES, '.git/HEAD': '' });
      for (const path of folders) await mkdir(join(folder, path));
      const { diagnostics } = await read(folder, 'net');
      expect(diagnostics).toMatchObject([
        {
          message: missing,
          hint: expect.stringContaining('move its files into this repository, or `exclude` it'),
        },
      ]);
      expect((await said(folder, 'net', ['shared'])).faults).toEqual([]);
      await write(folder, { 'net/shared/b.yaml': 'b' });
      expect((await said(folder, 'net')).files).toHaveLength(2);
    }),
  );

  test.each([
    ['a submodule', { 'net/shared/.git': 'gitdir: ../../.git/modules/shared\n' }],
    ['a clone', { 'net/shared/.git/HEAD': 'ref: refs/heads/main\n' }],
  ])(
    'an unreadable folder that is the checkout of %s is not read, with everything in it',
    (_, entry) =>
      inFolder(async folder => {
        await write(folder, { 'net/a.yaml': 'a', '.git/HEAD': '', 'net/.git/HEAD': '' });
        await write(folder, {
          'net/shared/b.yaml': 'b',
          'net/shared/meshform.yaml': 'c',
          ...entry,
        });
        const { files, diagnostics } = await read(folder, 'net');
        expect(files).toHaveLength(1);
        expect(diagnostics).toMatchObject([
          {
            message:
              '`net/shared` cannot be read: it is a submodule or a clone: its files are in another repository',
            hint: expect.stringContaining('move its files into this repository, or `exclude` it'),
          },
        ]);
        expect((await said(folder, 'net', ['shared'])).faults).toEqual([]);
        // By itself it is a folder of desired state.
        expect((await said(folder, 'net/shared')).faults).toEqual([]);
      }),
  );

  test('an unreadable folder that is a submodule of an outer repository is not reported', () =>
    inFolder(async folder => {
      await write(folder, { 'a/.git/HEAD': '', 'a/net/a.yaml': 'a', '.gitmodules': MODULES });
      await mkdir(join(folder, 'a/net/shared'));
      expect((await said(folder, 'a/net')).faults).toEqual([]);
    }));
});

test.runIf(process.platform === 'linux')('a file whose name is not UTF-8 is reported', () =>
  inFolder(async folder => {
    const name = (path: string, byte: number) =>
      Buffer.concat([Buffer.from(join(folder, path)), Buffer.from([byte]), Buffer.from('.yaml')]);
    await write(folder, { 'net/a.yaml': 'groups: [{ name: a }]' });
    await writeFile(name('net/b', 0xff), 'groups: [{ name: b }]');
    // A name with the replacement character itself is a name like any other.
    await writeFile(join(folder, 'net/c\uFFFD.yaml'), 'groups: [{ name: c }]');
    await writeFile(Buffer.concat([Buffer.from(join(folder, 'net/')), Buffer.from([0xff])]), '');
    const { files, diagnostics } = await read(folder);
    expect(files).toHaveLength(2);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '`net/b\uFFFD.yaml` cannot be read: its name is not UTF-8 text',
    ]);
  }),
);
