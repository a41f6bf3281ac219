// Whether files have changed, and in which folders to listen for it.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Stamp, stampOf } from '../../src/read/files/stamp.ts';
import { watchFolders } from '../../src/read/files/watchFolders.ts';
import { revisionFiles } from '../../src/read/git/revisionStamp.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const YAML = 'groups: [{ name: a }]\n';

/** Whether each step changes the stamp of a folder with `a.yaml` and `inner/b.yaml`. */
async function isChangedBy(step: (folder: string) => Promise<unknown>): Promise<boolean> {
  return inFolder(async folder => {
    await mkdir(join(folder, 'inner'));
    await writeFile(join(folder, 'a.yaml'), YAML);
    await writeFile(join(folder, 'inner/b.yaml'), YAML);
    const look = (): Stamp =>
      stampOf({ paths: [folder], files: [join(folder, '../meshform.yaml')] });
    const before = look();
    expect(look()).toEqual(before);
    await step(folder);
    return look().text !== before.text;
  });
}

test.each<[string, (folder: string) => Promise<unknown>]>([
  ['a file is written', folder => writeFile(join(folder, 'a.yaml'), `${YAML}# longer\n`)],
  [
    'an editor replaces a file by one of the same length',
    async folder => {
      await writeFile(join(folder, '.a.yaml.swp'), YAML.replace('a', 'b'));
      await rename(join(folder, '.a.yaml.swp'), join(folder, 'a.yaml'));
    },
  ],
  ['a file in a folder is deleted', folder => rm(join(folder, 'inner/b.yaml'))],
  [
    'a folder with a file appears',
    async folder => {
      await mkdir(join(folder, 'new/deep'), { recursive: true });
      await writeFile(join(folder, 'new/deep/c.yaml'), YAML);
    },
  ],
])('the stamp changes when %s', async (_, step) => {
  expect(await isChangedBy(step)).toBe(true);
});

test('the stamp does not change for entries that begin with a dot', async () => {
  expect(await isChangedBy(folder => writeFile(join(folder, '.a.yaml.swp'), YAML))).toBe(false);
});

test('a deleted folder has a stamp too, of its parent folder', () => {
  expect(stampOf({ paths: ['/nowhere/at/all'], files: [] }).folders).toEqual(['/nowhere/at']);
});

test('the watch notices a new file, also in a folder that was added or created again later', async () => {
  await inFolder(async folder => {
    let heard = Promise.withResolvers<void>();
    const watch = watchFolders(() => heard.resolve());
    const hears = async (act: () => Promise<unknown>) => {
      watch.follow(stampOf({ paths: [folder], files: [] }).folders);
      heard = Promise.withResolvers();
      await act();
      await heard.promise;
    };
    const inner = join(folder, 'inner');
    try {
      await hears(() => writeFile(join(folder, 'a.yaml'), YAML));
      await hears(() => mkdir(inner));
      await hears(() => writeFile(join(inner, 'b.yaml'), YAML));
      await hears(() => rm(inner, { recursive: true }));
      await mkdir(inner);
      await hears(() => writeFile(join(inner, 'c.yaml'), YAML));
    } finally {
      watch.close();
    }
  });
});

test('the stamp changes with a commit of the repository, also in another worktree', async () => {
  await inFolder(async folder => {
    const main = join(folder, 'main');
    await mkdir(main);
    await git(main, 'init', '-q');
    await git(main, 'commit', '-q', '--allow-empty', '-m', 'one');
    await git(main, 'worktree', 'add', '-q', '../other');
    for (const tree of [main, join(folder, 'other')]) {
      const look = () => stampOf({ paths: [], files: revisionFiles(tree) }).text;
      const before = look();
      await git(tree, 'commit', '-q', '--allow-empty', '-m', 'two');
      expect(look()).not.toBe(before);
    }
    expect(revisionFiles('/')).toEqual([]);
  });
});
