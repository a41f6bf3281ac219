// What a run asks git about objects by their whole hashes, it asks once; everything else may change, and is asked again.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAncestor } from '../../src/read/git/history.ts';
import { contentsOf } from '../../src/read/git/objectContents.ts';
import { commitOf } from '../../src/read/git/revision.ts';
import type { GitPlace } from '../../src/read/git/runGit.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { pathWithStrictGit } from '../support/untrusted.ts';
import { noticed } from './noticedGit.ts';

interface Story {
  readonly place: GitPlace;
  readonly folder: string;
  /** The commits, with the oldest at the start. */
  readonly commits: readonly string[];
  /** The commands that git was started with since this was last asked. */
  readonly asked: () => Promise<readonly string[]>;
}

/** A repository with two commits, and a git that writes down its commands. */
const inRepository = (use: (story: Story) => Promise<void>): Promise<void> =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet', '--initial-branch=main');
    const commits: string[] = [];
    for (const text of ['one', 'two']) {
      await writeFile(join(folder, 'file'), text);
      git(folder, 'add', 'file');
      git(folder, 'commit', '--quiet', `--message=${text}`);
      commits.push(git(folder, 'rev-parse', 'HEAD').trim());
    }
    const bin = join(folder, '.git/bin');
    await mkdir(bin);
    const { env, asked } = await noticed(bin);
    await use({ place: { folder, host: { env } }, folder, commits, asked });
  });

test('git is asked only once for a commit, its files and its place in history, by their hashes', () =>
  inRepository(async ({ place, commits: [one = '', two = ''], asked }) => {
    for (const _ of ['first', 'again']) {
      expect(await commitOf(place, one)).toEqual({ commit: one });
      expect(String(await contentsOf(place, [`${one}:file`]))).toBe('one');
      expect(await isAncestor(place, one, two)).toBe(true);
    }
    expect(await asked()).toEqual(['rev-parse', 'cat-file', 'merge-base']);
  }));

test('git is asked again by another run', () =>
  inRepository(async ({ place, commits: [one = ''], asked }) => {
    await commitOf(place, one);
    await commitOf({ ...place, host: { env: { ...place.host.env } } }, one);
    expect(await asked()).toEqual(['rev-parse', 'rev-parse']);
  }));

test('a ref and its commit need one call of git, and are read again each time, because the ref may move', () =>
  inRepository(async ({ place, folder, commits: [one = '', two = ''], asked }) => {
    expect(await commitOf(place, 'refs/heads/main')).toEqual({ commit: two });
    git(folder, 'update-ref', 'refs/heads/main', one);
    expect(await commitOf(place, 'refs/heads/main')).toEqual({ commit: one });
    expect(String(await contentsOf(place, ['main:file']))).toBe('one');
    expect(String(await contentsOf(place, ['main:file']))).toBe('one');
    expect(await asked()).toEqual(['for-each-ref', 'for-each-ref', 'cat-file', 'cat-file']);
  }));

test('git is asked again for a missing object, because it may be fetched meanwhile', () =>
  inRepository(async ({ place, folder, asked }) => {
    const text = 'comes later';
    await writeFile(join(folder, 'later'), text);
    const hash = git(folder, 'hash-object', 'later').trim();
    expect(await contentsOf(place, [hash])).toEqual([null]);
    git(folder, 'hash-object', '-w', 'later');
    expect(String(await contentsOf(place, [hash]))).toBe(text);
    expect(await asked()).toEqual(['cat-file', 'cat-file']);
  }));

test('only the latest answers of git are kept, because a watch runs for months', () =>
  inRepository(async ({ place, folder, asked }) => {
    const hashes = await Promise.all(
      Array.from({ length: 17 }, async (_, i) => {
        await writeFile(join(folder, `file${i}`), `${i}`);
        return git(folder, 'hash-object', '-w', `file${i}`).trim();
      }),
    );
    for (const hash of hashes) await contentsOf(place, [hash]);
    expect(await asked()).toHaveLength(17);
    await contentsOf(place, hashes.slice(-1));
    expect(await asked()).toHaveLength(0);
    await contentsOf(place, hashes.slice(0, 1));
    expect(await asked()).toHaveLength(1);
  }));

test('the user’s trusted folders are read only if git refuses the repository, and then once', () =>
  inRepository(async ({ place, folder, commits: [, two = ''], asked }) => {
    expect(await commitOf(place, 'refs/heads/main')).toEqual({ commit: two });
    expect(await asked()).toEqual(['for-each-ref']);
    const home = join(folder, '.git/home');
    await mkdir(home);
    await writeFile(join(home, '.gitconfig'), `[safe]\n\tdirectory = ${folder}\n`);
    const env = { ...place.host.env, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') };
    const PATH = await pathWithStrictGit(join(folder, '.git/strict'), place.host.env.PATH);
    const strict = { folder, host: { env: { ...env, PATH } } };
    for (const _ of ['first', 'again'])
      expect(await commitOf(strict, 'refs/heads/main')).toEqual({ commit: two });
    expect(await asked()).toEqual(['for-each-ref', 'config', 'for-each-ref', 'for-each-ref']);
  }));
