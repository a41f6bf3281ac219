// Links, pipes, devices and folders that cannot be looked into: followed inside the folder, and never passed over.
import { spawn } from 'node:child_process';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readFolder } from '../../src/read/files/folder.ts';
import { fileInputs, unusableFiles } from '../../src/read/files/inputs.ts';
import { findUpwards } from '../../src/read/project.ts';
import { inFolder } from '../support/cli.ts';
import { device, mayMakeDevices, pipe } from '../support/special.ts';

const read = (folder: string, path = '.', exclude: readonly string[] = []) =>
  readFolder(
    join(folder, path),
    { projectFile: 'meshform.yaml', exclude },
    file => relative(folder, file) || '.',
  );

/** The names that are read, and what is said of the others. */
async function said(folder: string, path = '.', exclude: readonly string[] = []) {
  const { files, diagnostics } = await read(folder, path, exclude);
  for (const { code, hint } of diagnostics) {
    expect(code).toBe('SOURCE_UNREADABLE');
    expect(hint).toContain('`exclude`');
  }
  return {
    files: files.map(({ file, text: content }) => `${file}: ${content}`),
    faults: diagnostics.map(({ message }) => message),
  };
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

describe('a volume of Kubernetes', () => {
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
      expect(await findUpwards(join(folder, 'net'), 'meshform.yaml')).toEqual({
        file: join(folder, 'net/meshform.yaml'),
        text: 'account: a',
      });
    }));

  test('may be exchanged between two looks at it', () =>
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
  test('that the path is may lead anywhere, and is followed once', () =>
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
    ['to itself', 'x.yaml', 'its links form a cycle'],
    ['to nothing', 'nowhere.yaml', 'it does not exist'],
    ['to a file as if it were a folder', 'a.yaml/b', 'a part of its path is not a folder'],
    ['into the folder of git', '.git/config', 'it is inside a .git folder'],
    ['into a folder of git in capitals', 'deep/.GIT/config', 'it is inside a .git folder'],
  ])('%s is an error that names it', (_, target, why) =>
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

  test('that goes out and comes back in is one to a file inside', () =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a' });
      await symlink('../net/a.yaml', join(folder, 'net/b.yaml'));
      expect((await said(folder, 'net')).files).toEqual(['net/a.yaml: a', 'net/b.yaml: a']);
    }));

  test('of another name leads anywhere, as long as it is no folder', () =>
    inFolder(async folder => {
      await write(folder, { 'README.md': '', 'docs/x.yaml': '', 'net/a.yaml': 'a' });
      await symlink('../README.md', join(folder, 'net/README.md'));
      expect((await said(folder, 'net')).faults).toEqual([]);
      await symlink('../docs', join(folder, 'net/docs'));
      expect((await said(folder, 'net')).faults).toEqual([
        '`net/docs` cannot be read: it is a link to a folder, which is not followed',
      ]);
    }));

  test('that begins with a dot is passed over', () =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a' });
      await symlink('..', join(folder, 'net/.up'));
      await symlink('nowhere', join(folder, 'net/.lost.yaml'));
      expect(await said(folder, 'net')).toEqual({ files: ['net/a.yaml: a'], faults: [] });
    }));
});

describe('what is no regular file', () => {
  const SPECIAL = [
    ['a pipe', pipe, 'it is a pipe'],
    ...(mayMakeDevices ? ([['a device', device, 'it is a device']] as const) : []),
  ] as const;

  test.each(SPECIAL)('%s is an error, and is never opened', (_, make, why) =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a' });
      make(join(folder, 'net/b.yaml'));
      make(join(folder, 'elsewhere'));
      await symlink('../elsewhere', join(folder, 'net/c.yaml'));
      expect(await said(folder, 'net')).toEqual({
        files: ['net/a.yaml: a'],
        faults: [`\`net/b.yaml\` cannot be read: ${why}`, `\`net/c.yaml\` cannot be read: ${why}`],
      });
      expect((await said(folder, 'net', ['b.yaml', 'c.yaml'])).faults).toEqual([]);
      expect((await read(folder, 'net/b.yaml')).diagnostics).toMatchObject([
        { message: `\`net/b.yaml\` cannot be read: ${why}` },
      ]);
      expect(unusableFiles(join(folder, 'net'))('b.yaml')).toBe(why);
      await rename(join(folder, 'elsewhere'), join(folder, 'net/meshform.yaml'));
      expect(await findUpwards(join(folder, 'net'), 'meshform.yaml')).toMatchObject({ why });
    }),
  );

  test('a socket is an error', () =>
    inFolder(async folder => {
      await write(folder, { 'a.yaml': 'a' });
      const server = createServer();
      onTestFinished(() => void server.close());
      await new Promise<void>(done => server.listen(join(folder, 'agent.sock'), done));
      expect((await said(folder)).faults).toEqual(['`agent.sock` cannot be read: it is a socket']);
    }));
});

describe('a folder that cannot be looked into', () => {
  test('is named itself, and the others are read', () =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'groups: [{ name: a }]', 'net/sub/b.yaml': 'b' });
      await write(folder, { 'net/sub/c.yaml': 'c' });
      await chmod(join(folder, 'net/sub'), 0);
      onTestFinished(() => chmod(join(folder, 'net/sub'), 0o700).catch(() => {}));
      await chmod(folder, 0o755);
      // An administrator may look into everything, so somebody else has to.
      const own = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
      const launcher = fileURLToPath(new URL('../../bin/meshform.js', import.meta.url));
      const child = spawn(process.execPath, [launcher, 'validate', 'net', '--format', 'json'], {
        ...{ cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], ...own },
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
  const missing = '`net/shared` cannot be read: it is a submodule of git that is not checked out';

  test.each([
    ['empty', ['net/shared']],
    ['missing', []],
  ])('that is a submodule, and %s', (_, folders) =>
    inFolder(async folder => {
      await write(folder, { 'net/a.yaml': 'a', '.gitmodules': MODULES, '.git/HEAD': '' });
      for (const path of folders) await mkdir(join(folder, path));
      const { diagnostics } = await read(folder, 'net');
      expect(diagnostics).toMatchObject([
        { message: missing, hint: expect.stringContaining('git submodule update --init') },
      ]);
      expect((await said(folder, 'net', ['shared'])).faults).toEqual([]);
      await write(folder, { 'net/shared/b.yaml': 'b' });
      expect((await said(folder, 'net')).files).toHaveLength(2);
    }),
  );

  test('that is a submodule of another repository above is none of ours', () =>
    inFolder(async folder => {
      await write(folder, { 'a/.git/HEAD': '', 'a/net/a.yaml': 'a', '.gitmodules': MODULES });
      await mkdir(join(folder, 'a/net/shared'));
      expect((await said(folder, 'a/net')).faults).toEqual([]);
    }));
});

describe('the project file', () => {
  const find = (folder: string) => findUpwards(join(folder, 'net'), 'meshform.yaml');

  test.each([
    ['a token', '../token', 'it points outside the folder'],
    ['the environment', '/proc/self/environ', 'it points outside the folder'],
    ['nothing', 'lost.yaml', 'it does not exist'],
    ['itself', 'meshform.yaml', 'its links form a cycle'],
  ])('is not read where it is a link to %s', (_, target, why) =>
    inFolder(async folder => {
      await write(folder, { token: 'nbp_secret', 'net/a.yaml': '' });
      await symlink(target, join(folder, 'net/meshform.yaml'));
      expect(await find(folder)).toEqual({ file: join(folder, 'net/meshform.yaml'), why });
    }),
  );

  test('above what a link leads to counts where none is above the link', () =>
    inFolder(async folder => {
      await write(folder, { 'real/meshform.yaml': 'account: a', 'real/net/a.yaml': '' });
      await mkdir(join(folder, 'other/.git'), { recursive: true });
      await symlink('../real/net', join(folder, 'other/net'));
      expect(await find(join(folder, 'other'))).toMatchObject({ text: 'account: a' });
      await write(folder, { 'other/meshform.yaml': 'account: b' });
      expect(await find(join(folder, 'other'))).toMatchObject({ text: 'account: b' });
    }));
});

test('whatever links a folder has, nothing outside it is ever read', async () => {
  const step = fc.constantFrom('a', 'b', 'c', '..', '.', '.git', 'deep', 'x.yaml', 'out');
  const target = fc.array(step, { minLength: 1, maxLength: 5 }).map(steps => steps.join('/'));
  const links = fc.dictionary(
    fc.constantFrom('net/a', 'net/b', 'net/x.yaml', 'net/deep/c', 'net/deep/y.yaml'),
    target,
  );
  await fc.assert(
    fc.asyncProperty(links, drawn =>
      inFolder(async folder => {
        await write(folder, {
          'out/x.yaml': 'outside',
          'x.yaml': 'outside',
          'net/.git/x.yaml': 'outside',
          'net/deep/z.yaml': 'inside',
        });
        for (const [path, to] of Object.entries(drawn)) await symlink(to, join(folder, path));
        const { files } = await read(folder, 'net');
        expect(files.map(file => file.text)).not.toContain('outside');
        const file = fileInputs(join(folder, 'net'));
        for (const path of Object.values(drawn)) expect(file(path)).not.toBe('outside');
      }),
    ),
    { numRuns: 150, seed: 1 },
  );
});

test('what is replaced between the look at it and the reading is not read', () =>
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
