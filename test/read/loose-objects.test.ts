// Objects in the separate folder of a run are written and read without git, and count only if they are what their names say.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { looseBlob, looseTree } from '../../src/read/git/looseObjects.ts';
import { contentsOf } from '../../src/read/git/objectContents.ts';
import type { GitPlace } from '../../src/read/git/runGit.ts';
import { blobsIn, nameOfBlob, writeCommit } from '../../src/read/git/writeObjects.ts';
import { messageOf } from '../../src/read/remote/lockAtRemote.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { noticed } from './noticedGit.ts';

test.each(['sha1', 'sha256'])('%s objects that a run has written', format =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet', '--template=', `--object-format=${format}`);
    const bin = join(folder, '.git/bin');
    const path = join(folder, '.git/separate');
    for (const made of [bin, path]) await mkdir(made);
    const { env, asked } = await noticed(bin);
    const repositoryObjects = join(folder, '.git/objects');
    const place: GitPlace = { folder, host: { env }, objects: { path, repositoryObjects } };
    const files = new Map([
      ['a b.json', 'one'],
      ['é', 'two'],
    ]);
    const commit = await writeCommit(place, { files, parents: [], at: 0, message: 'of one\n\nx' });
    // For its first commit, a run asks for the hash function of the repository.
    expect(await asked()).toEqual(['rev-parse']);
    const separate = { ...env, GIT_OBJECT_DIRECTORY: path };
    const checked = ['-C', folder, 'fsck', '--strict', '--no-dangling', commit];
    expect(String(execFileSync('git', checked, { env: separate, stdio: 'pipe' }))).toBe('');
    const fileOf = (name: string) => join(path, name.slice(0, 2), name.slice(2));
    const one = await nameOfBlob(place, 'one', [commit]);
    const two = await nameOfBlob(place, 'two', [commit]);
    await asked();

    // They need no git.
    expect(await blobsIn(place, commit)).toEqual(
      new Map([
        ['a b.json', one],
        ['é', two],
      ]),
    );
    expect(await messageOf(place, commit)).toBe('of one\n\nx');
    const contents = await contentsOf(place, [two, `${commit}:a b.json`, two]);
    expect(contents.map(String)).toEqual(['two', 'one', 'two']);
    expect(await asked()).toEqual([]);

    // What the folder lacks is left to git, alone.
    git(folder, 'commit', '--quiet', '--allow-empty', '--message=head');
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    expect(await contentsOf(place, [two, `${commit}:none`, `${head}:none`])).toEqual([
      Buffer.from('two'),
      null,
      null,
    ]);
    expect(await asked()).toEqual(['cat-file']);
    expect(await looseTree(place, head)).toBeNull();
    expect(await looseTree({ folder, host: { env } }, commit)).toBeNull();

    // Whatever has another hash than its name does not count, and neither does half a file.
    await rm(fileOf(two), { force: true });
    await copyFile(fileOf(one), fileOf(two));
    expect(await looseBlob(place, two)).toBeNull();
    await rm(fileOf(commit), { force: true });
    await writeFile(fileOf(commit), 'x');
    expect(await looseTree(place, commit)).toBeNull();
    expect(await looseBlob(place, one)).toEqual(Buffer.from('one'));

    // They are written again.
    expect(await writeCommit(place, { files, parents: [], at: 0, message: 'of one\n\nx' })).toBe(
      commit,
    );
    expect(await contentsOf(place, [`${commit}:é`])).toEqual([Buffer.from('two')]);
  }),
);
