// A commit is written with one start of git, and is one that git itself would have written.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameOfBlob, writeCommit } from '../../src/read/git/writeObjects.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { noticed } from './noticedGit.ts';

const AT = 1_700_000_000_000;

test.each(['sha1', 'sha256'])(
  'the objects of a commit get the same hashes as from git: %s',
  format =>
    inFolder(async folder => {
      git(folder, 'init', '--quiet', `--object-format=${format}`);
      const place = { folder, host: { env: process.env } };
      const sizes = [0, 1, 15, 16, 2047, 2048, 300_000];
      const texts = sizes.map(size => 'é'.repeat(size / 2).padEnd(size, 'a'));
      // git orders names by their bytes: a capital first, and the longer of two with the same beginning last.
      const names = ['b', 'a.b', 'a', 'a-b', 'Z', 'é', 'a0'];
      const files = new Map(names.map((name, i) => [name, texts[i] ?? '']));
      const first = await writeCommit(place, { files, parents: [], at: AT, message: 'one\n\ntwo' });
      git(folder, 'update-ref', 'HEAD', first);
      expect(git(folder, 'fsck', '--strict', '--no-dangling')).toBe('');
      for (const [name, text] of files) expect(git(folder, 'show', `${first}:${name}`)).toBe(text);
      expect(git(folder, 'cat-file', 'commit', first)).toContain(
        'author meshform <meshform> 1700000000 +0000\n',
      );
      const blob = await nameOfBlob(place, texts[0] ?? '', []);
      expect(blob).toBe(git(folder, 'rev-parse', `${first}:b`).trim());
      const kept = new Map([['kept', { blob }]]);
      const next = { files: kept, parents: [first], at: AT, message: 'next' };
      const second = await writeCommit(place, next);
      expect(git(folder, 'rev-parse', `${second}^`).trim()).toBe(first);
      expect(git(folder, 'fsck', '--strict', '--no-dangling')).toBe('');
      expect(git(folder, 'count-objects', '-v')).toContain('packs: 0\n');
    }),
);

test('parents that are not commits are omitted', () =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet');
    await writeFile(join(folder, 'file'), 'text');
    git(folder, 'add', 'file');
    git(folder, 'commit', '--quiet', '--message=one');
    const [head, tree, blob] = ['HEAD', 'HEAD^{tree}', 'HEAD:file'].map(name =>
      git(folder, 'rev-parse', name).trim(),
    );
    const parents = [blob ?? '', head ?? '', tree ?? ''];
    const place = { folder, host: { env: process.env } };
    const commit = await writeCommit(place, { files: new Map(), parents, at: AT, message: 'x' });
    expect(git(folder, 'log', '-1', '--format=%P', commit).trim()).toBe(head);
  }));

test('writing a commit on top of one that this run has written starts git once', () =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet');
    const bin = join(folder, '.git/bin');
    await mkdir(bin);
    const { env, asked } = await noticed(bin);
    const place = { folder, host: { env } };
    const files = new Map([
      ['base.json', '{}'],
      ['base.json.hmac', 'signature'],
    ]);
    const first = await writeCommit(place, { files, parents: [], at: AT, message: 'one' });
    expect(await asked()).toEqual(['rev-parse', 'unpack-objects']);
    await writeCommit(place, { files, parents: [first], at: AT, message: 'two' });
    expect(await asked()).toEqual(['unpack-objects']);
  }));
