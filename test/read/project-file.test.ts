// A reader finds the project file above a folder, and follows no link out of the folder.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findAllUpwards } from '../../src/read/files/projectFilesAbove.ts';
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
