// Files that fields are filled from: inside the folder and nowhere else, whichever way they are asked for.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileInputs } from '../../src/read/files/inputs.ts';
import { inFolder } from '../support/cli.ts';

async function inWorld<T>(
  use: (read: (path: string) => string | undefined, home: string) => T,
): Promise<T> {
  return inFolder(async folder => {
    const home = join(folder, 'home');
    await mkdir(join(home, 'deep'), { recursive: true });
    await mkdir(join(home, '.git'));
    await writeFile(join(folder, 'outside.txt'), 'outside');
    await writeFile(join(home, 'key.txt'), 'key');
    await writeFile(join(home, '..key.txt'), 'dots');
    await writeFile(join(home, 'deep/key.txt'), 'deep');
    await writeFile(join(home, '.git/config'), 'credentials');
    await symlink('key.txt', join(home, 'inside-link'));
    await symlink('../outside.txt', join(home, 'outside-link'));
    await symlink('.git', join(home, 'git-link'));
    await symlink(folder, join(home, 'folder-link'));
    return use(fileInputs(home), home);
  });
}

test.each([
  ['key.txt', 'key'],
  ['./key.txt', 'key'],
  ['deep/key.txt', 'deep'],
  ['deep/../key.txt', 'key'],
  ['inside-link', 'key'],
  ['..key.txt', 'dots'],
])('the input file %s is read', async (path, text) => {
  await inWorld(read => expect(read(path)).toBe(text));
});

test.each([
  'lost.txt',
  '',
  '.',
  'deep',
  '../outside.txt',
  'deep/../../outside.txt',
  'outside-link',
  'folder-link/outside.txt',
  '.git/config',
  'git-link/config',
  'folder-link/home/.git/config',
  'key.txt\0',
  '/etc/hostname',
])('the input file %j is not read', async path => {
  await inWorld(read => expect(read(path)).toBeUndefined());
});

test('an absolute path is read relative to the folder', async () => {
  await inWorld((read, home) => {
    expect(read('/key.txt')).toBe('key');
    expect(read(join(home, 'key.txt'))).toBeUndefined();
  });
});

test('a folder that is a link, or missing, gives no access to files outside', async () => {
  await inFolder(async folder => {
    await mkdir(join(folder, 'home'));
    await writeFile(join(folder, 'home/key.txt'), 'key');
    await writeFile(join(folder, 'outside.txt'), 'outside');
    await symlink('home', join(folder, 'link'));
    expect(fileInputs(join(folder, 'link'))('key.txt')).toBe('key');
    expect(fileInputs(join(folder, 'link'))('../outside.txt')).toBeUndefined();
    expect(fileInputs(join(folder, 'lost'))('key.txt')).toBeUndefined();
  });
});
