// Files as a git revision has them, read from git's own objects while the checkout stays as it is.
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileText } from '../../src/read/files/fileText.ts';
import { folderOf } from '../../src/read/files/projectFilesAbove.ts';
import { filesAtRevision } from '../../src/read/git/filesAtRevision.ts';
import { commitOf } from '../../src/read/git/revision.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const host = { env: process.env };
const SELECTION = { projectFile: 'meshform.yaml', exclude: ['net/left-out'] };

/** What a revision has at `path`: its files, or in words why it has none. */
async function at(path: string, name: string): Promise<readonly FileText[] | readonly string[]> {
  const found = await commitOf({ folder: folderOf(path), host }, name);
  if (!('commit' in found)) return [found.is];
  const { files, diagnostics } = await filesAtRevision(
    { path, host },
    { ...found, name },
    SELECTION,
  );
  return diagnostics.length > 0 ? diagnostics.map(({ message }) => message) : files;
}

/** A repository with two commits on top of each other: the first is tagged, the second is checked out and edited. */
async function inRepository<T>(use: (folder: string) => Promise<T>): Promise<T> {
  return inFolder(async folder => {
    git(folder, 'init', '--quiet', '--initial-branch=main');
    await mkdir(join(folder, 'net/deep'), { recursive: true });
    await mkdir(join(folder, 'net/left-out'));
    await writeFile(join(folder, 'net/a.yaml'), 'first\n');
    await writeFile(join(folder, 'net/deep/with space ü.yaml'), 'Malmö\r\n');
    await writeFile(join(folder, 'net/empty.yaml'), '');
    await writeFile(join(folder, 'net/left-out/b.yaml'), 'no\n');
    await writeFile(join(folder, 'net/.hidden.yaml'), 'no\n');
    await writeFile(join(folder, 'net/notes.md'), 'no\n');
    await writeFile(join(folder, 'meshform.yaml'), 'no\n');
    await symlink('a.yaml', join(folder, 'net/link.yaml'));
    git(folder, 'add', '.');
    git(folder, '-c', 'core.autocrlf=false', 'commit', '--quiet', '--message=first');
    git(folder, 'tag', 'v1');
    await writeFile(join(folder, 'net/a.yaml'), 'second\n');
    await rm(join(folder, 'net/empty.yaml'));
    git(folder, 'commit', '--quiet', '--all', '--message=second');
    await writeFile(join(folder, 'net/a.yaml'), 'edited\n');
    return use(folder);
  });
}

test('a revision has its own files and texts, and does not change the checkout', async () => {
  await inRepository(async folder => {
    const before = git(folder, 'status', '--porcelain') + git(folder, 'rev-parse', 'HEAD');
    expect(await at(folder, 'v1')).toEqual([
      { file: 'v1:net/a.yaml', text: 'first\n' },
      { file: 'v1:net/deep/with space ü.yaml', text: 'Malmö\r\n' },
      { file: 'v1:net/empty.yaml', text: '' },
      { file: 'v1:net/link.yaml', text: 'first\n' },
    ]);
    expect(git(folder, 'status', '--porcelain') + git(folder, 'rev-parse', 'HEAD')).toBe(before);
    expect(await readFile(join(folder, 'net/a.yaml'), 'utf8')).toBe('edited\n');
  });
});

describe('a revision', () => {
  test.each([
    ['a branch', 'main', 'second\n'],
    ['a tag', 'v1', 'first\n'],
    ['a relative name', 'HEAD~1', 'first\n'],
    ['a full reference', 'refs/tags/v1', 'first\n'],
  ])('may be %s', async (_, revision, text) => {
    await inRepository(async folder => {
      const files = await at(join(folder, 'net'), revision);
      expect(files[0]).toEqual({ file: `${revision}:a.yaml`, text });
    });
  });

  // What looks like an option must never reach git as one.
  test.each([
    'nowhere',
    '',
    '-v',
    '--all',
    '--output=x',
    'HEAD:net',
    'HEAD..main',
    'net/a.yaml',
    '^HEAD',
  ])('cannot be %j, which is reported as unknown', async revision => {
    await inRepository(async folder => {
      expect(await at(folder, revision)).toEqual(['unknown']);
    });
  });

  // git would take the first of them, which anybody who pushes tags can make.
  test.each([
    ['main', 'refs/tags/main', ['refs/tags/main', 'refs/heads/main']],
    ['main~0', 'refs/tags/main', ['refs/tags/main', 'refs/heads/main']],
    ['origin/main', 'refs/tags/origin/main', ['refs/tags/origin/main', 'refs/remotes/origin/main']],
    ['origin', 'refs/heads/origin', ['refs/heads/origin', 'refs/remotes/origin/HEAD']],
    ['heads/main', 'refs/tags/heads/main', ['refs/heads/main', 'refs/tags/heads/main']],
  ])('%s is ambiguous beside %s', async (revision, other, refs) => {
    await inRepository(async folder => {
      git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
      git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
      expect(await commitOf({ folder, host }, revision)).toHaveProperty('commit');
      git(folder, 'update-ref', other, 'v1');
      expect(await commitOf({ folder, host }, revision)).toMatchObject({
        is: 'ambiguous',
        why: `it can mean ${refs.join(' or ')}`,
      });
      for (const ref of refs)
        expect(await commitOf({ folder, host }, ref)).toHaveProperty('commit');
    });
  });

  test('is ambiguous as the prefix of a hash beside a branch of that name, and unambiguous as a full hash', async () => {
    await inRepository(async folder => {
      const whole = git(folder, 'rev-parse', 'v1').trim();
      const short = whole.slice(0, 9);
      git(folder, 'update-ref', `refs/heads/${short}`, 'main');
      git(folder, 'update-ref', `refs/heads/${whole}`, 'main');
      expect(await commitOf({ folder, host }, short)).toMatchObject({
        is: 'ambiguous',
        why: `it can mean refs/heads/${short} or ${whole}`,
      });
      expect(await commitOf({ folder, host }, whole)).toEqual({ commit: whole });
    });
  });

  test('a revision with a full ref name is only that ref', async () => {
    await inRepository(async folder => {
      git(folder, 'update-ref', 'refs/tags/refs/remotes/origin/main', 'HEAD');
      expect(await at(folder, 'refs/remotes/origin/main')).toEqual(['unknown']);
    });
  });

  test('is unknown outside a repository', async () => {
    await inFolder(async folder => {
      expect(await at(folder, 'HEAD')).toEqual(['no-repository']);
    });
  });
});

describe('a part of a repository', () => {
  test('has paths relative to the part', async () => {
    await inRepository(async folder => {
      expect(await at(join(folder, 'net/deep'), 'v1')).toEqual([
        { file: 'v1:with space ü.yaml', text: 'Malmö\r\n' },
      ]);
    });
  });

  test('is an error if the revision does not have it', async () => {
    await inRepository(async folder => {
      await mkdir(join(folder, 'net/new'));
      await writeFile(join(folder, 'net/c.yaml'), '');
      for (const path of ['net/new', 'net/c.yaml'])
        expect(await at(join(folder, path), 'v1')).toEqual([
          `\`v1\` has no \`${path}\`: was the path renamed since?`,
        ]);
    });
  });

  test('may be one file, without its neighbours', async () => {
    await inRepository(async folder => {
      expect(await at(join(folder, 'net/a.yaml'), 'v1')).toEqual([
        { file: 'v1:a.yaml', text: 'first\n' },
      ]);
    });
  });
});

test('hundreds of files are read by one process', async () => {
  await inFolder(async folder => {
    git(folder, 'init', '--quiet');
    const names = Array.from({ length: 300 }, (_, i) => `${String(i).padStart(3, '0')}.yaml`);
    await Promise.all(names.map(name => writeFile(join(folder, name), `${name}\n`.repeat(200))));
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message=many');
    expect(await at(folder, 'HEAD')).toEqual(
      names.map(name => ({ file: `HEAD:${name}`, text: `${name}\n`.repeat(200) })),
    );
  });
});

test('a partial clone says so, and nothing is fetched implicitly', () =>
  inRepository(async folder => {
    git(folder, 'config', 'uploadpack.allowFilter', 'true');
    git(folder, 'clone', '--quiet', '--filter=blob:none', `file://${folder}`, 'partial');
    expect(await at(join(folder, 'partial'), 'v1')).toEqual([
      expect.stringContaining('this is a partial clone, which lacks files of that revision'),
    ]);
    git(join(folder, 'partial'), 'fetch', '--quiet', '--refetch', '--no-filter');
    expect(await at(join(folder, 'partial'), 'v1')).toHaveLength(4);
  }));
