// A reader finds the project file above a folder, and follows no link out of the folder.
import { mkdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findAllUpwards } from '../../src/read/files/projectFilesAbove.ts';
import { loadProject } from '../../src/read/loadProject.ts';
import { inFolder } from '../support/cli.ts';
import { write } from './sourceFolder.ts';

describe('the project file', () => {
  const find = (folder: string) => findAllUpwards(join(folder, 'net'), 'meshform.yaml')[0];

  test.each([
    ['a token', '../token', 'it points outside the folder'],
    ['the environment', '/proc/self/environ', 'it points outside the folder'],
    ['nothing', 'lost.yaml', 'it does not exist'],
    ['itself', 'meshform.yaml', 'its links form a loop'],
  ])('is not read if it is a link to %s', (_, target, why) =>
    inFolder(async folder => {
      await write(folder, { token: 'nbp_secret', 'net/a.yaml': '' });
      await symlink(target, join(folder, 'net/meshform.yaml'));
      expect(find(folder)).toEqual({ file: join(folder, 'net/meshform.yaml'), why });
    }),
  );

  test('above the target of a link is used if there is none above the link', () =>
    inFolder(async folder => {
      await write(folder, { 'real/meshform.yaml': 'account: a', 'real/net/a.yaml': '' });
      await mkdir(join(folder, 'other/.git'), { recursive: true });
      await symlink('../real/net', join(folder, 'other/net'));
      expect(find(join(folder, 'other'))).toMatchObject({ text: 'account: a' });
      await write(folder, { 'other/meshform.yaml': 'account: b' });
      expect(find(join(folder, 'other'))).toMatchObject({ text: 'account: b' });
    }));

  test('above a submodule applies to its files, and above a worktree or a clone it does not', () =>
    inFolder(async folder => {
      await write(folder, { 'meshform.yaml': 'protect: [group/a]', 'net/a.yaml': '' });
      for (const [gitdir, expected] of [
        ['../.git/modules/net', { text: 'protect: [group/a]' }],
        ['/srv/network/.git/worktrees/net', null],
      ] as const) {
        await write(folder, { 'net/.git': `gitdir: ${gitdir}\n` });
        const found = find(folder);
        if (expected === null) expect(found).toBeUndefined();
        else expect(found).toMatchObject(expected);
      }
    }));
});

describe('a file that looks like a project file', () => {
  const faults = (folder: string) => {
    const reading = { shownAs: (path: string) => relative(folder, path) };
    return loadProject(join(folder, 'net'), reading).diagnostics.map(
      ({ code, message }) => `${code} ${message}`,
    );
  };
  const OTHER = 'PROJECT_INVALID `NAME` is not read: a project file is called meshform.yaml';

  test.each([
    'meshform.yml',
    'Meshform.yaml',
    'MESHFORM.YAML',
    '.meshform.yaml',
    '.meshform.yml',
    'net/.meshform.yaml',
  ])('a file that looks like a project file and has another name is an error: %s', name =>
    inFolder(async folder => {
      await write(folder, { 'meshform.yaml': '', 'net/a.yaml': '', '.git/HEAD': '' });
      expect(faults(folder)).toEqual([]);
      await write(folder, { [name]: 'protect: [group/a]' });
      expect(faults(folder)).toEqual([OTHER.replace('NAME', name)]);
    }),
  );

  test('is a file of desired state in the folder itself, and is not looked for outside the repository', () =>
    inFolder(async folder => {
      await write(folder, { 'net/meshform.yml': '', 'net/.git/HEAD': '', 'meshform.yml': '' });
      expect(faults(folder)).toEqual([]);
    }));

  test('does not count in a base, which has what its time had', () =>
    inFolder(async folder => {
      await write(folder, { 'meshform.yml': '', 'net/a.yaml': '', '.git/HEAD': '' });
      const reading = { shownAs: (path: string) => path, isFormer: true };
      expect(loadProject(join(folder, 'net'), reading).diagnostics).toEqual([]);
    }));
});
