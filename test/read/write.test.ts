// A file is written whole or not at all, for its owner alone.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole } from '../../src/read/files/writeFile.ts';
import { inFolder } from '../support/cli.ts';

test('a write replaces the existing file, and leaves no other file behind', async () => {
  await inFolder(async folder => {
    const path = join(folder, 'plan.json');
    await writeFile(path, 'a much longer text that was there before', { mode: 0o644 });
    await writeWhole(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['plan.json']);
  });
});

test('a failed write leaves no file behind', async () => {
  await inFolder(async folder => {
    await mkdir(join(folder, 'plan.json'));
    await expect(writeWhole(join(folder, 'plan.json'), 'new')).rejects.toThrow();
    await expect(writeWhole(join(folder, 'lost/plan.json'), 'new')).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['plan.json']);
  });
});
