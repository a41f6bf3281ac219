// The refs of a remote: moved together under a condition, fetched without a change of the clone.
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { writeCommit } from '../../src/read/git/writeObjects.ts';
import { type SeparateObjects, separateObjects } from '../../src/read/remote/objectFolder.ts';
import {
  fetchRefs,
  pushRefs,
  type RefMove,
  type Remote,
  remoteRefs,
  textsIn,
} from '../../src/read/remote/remoteRefs.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { pipe } from '../support/specialFiles.ts';

const LOCK = 'refs/meshform-locks/a1';
const BASE = 'refs/meshform-base/a1/network';
const NOW = Date.UTC(2026, 10, 24);

interface Clones {
  readonly remote: string;
  /** A clone, with a state folder of its own. */
  readonly clone: (name: string, ...options: string[]) => Promise<Clone>;
}

interface Clone extends Remote {
  readonly folder: string;
  readonly objects: SeparateObjects;
  /** A commit that exists only here. */
  readonly commit: (text: string, ...parents: string[]) => Promise<string>;
}

async function withRemote(use: (clones: Clones) => Promise<void>): Promise<void> {
  await inFolder(async folder => {
    const remote = join(folder, 'remote.git');
    git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    const seed = join(folder, 'seed');
    git(folder, 'init', '--quiet', '--initial-branch=main', seed);
    for (const text of ['one', 'two', 'three']) {
      await writeFile(join(seed, 'a.yaml'), text);
      git(seed, 'add', '.');
      git(seed, 'commit', '--quiet', `--message=${text}`);
    }
    git(seed, 'push', '--quiet', remote, 'main');
    await use({
      remote,
      clone: async (name, ...options) => {
        const path = join(folder, name);
        git(folder, 'clone', '--quiet', ...options, `file://${remote}`, path);
        return cloneAt(path, join(folder, `${name}-state`));
      },
    });
  });
}

async function cloneAt(folder: string, state: string): Promise<Clone> {
  const place = { folder, host: { env: process.env } };
  const objects = await separateObjects(place, { state, now: NOW });
  return {
    folder,
    objects,
    name: 'origin',
    patience: 30_000,
    commit: (text, ...parents) =>
      writeCommit(objects.place, {
        files: new Map([['a.json', text]]),
        parents,
        at: NOW,
        message: 'a test',
      }),
  };
}

/** Everything that git knows in a clone: its refs, its objects, its boundaries, its last fetch. */
async function contentOf(folder: string): Promise<unknown> {
  const entries = await readdir(join(folder, '.git'), { recursive: true });
  return [entries.sort(), git(folder, 'for-each-ref')];
}

const create = (ref: string, to: string): RefMove => ({ ref, from: null, to });

describe('moving refs', () => {
  test('one of several processes that create one ref succeeds, and the others learn its commit', async () => {
    await withRemote(async ({ clone }) => {
      const clones = await Promise.all(['a', 'b', 'c', 'd'].map(name => clone(name)));
      const commits = await Promise.all(clones.map(one => one.commit(one.folder)));
      const pushed = await Promise.all(
        clones.map((one, i) => pushRefs(one, [create(LOCK, commits[i] ?? '')])),
      );
      const winner = pushed.findIndex(({ is }) => is === 'done');
      expect(pushed.filter(({ is }) => is === 'done')).toHaveLength(1);
      const refs = new Map([[LOCK, commits[winner]]]);
      for (const lost of pushed.filter(({ is }) => is !== 'done'))
        expect(lost).toEqual({ is: 'moved', refs });
    });
  });

  test('moving refs to new commits succeeds for all refs or for none', async () => {
    await withRemote(async ({ clone }) => {
      const [mine, other] = await Promise.all([clone('a'), clone('b')]);
      const first = await mine.commit('first');
      const taken = await other.commit('taken');
      await pushRefs(mine, [create(LOCK, first)]);
      await pushRefs(other, [{ ref: LOCK, from: first, to: taken }]);
      const base = await mine.commit('base');
      const late = await pushRefs(mine, [{ ref: LOCK, from: first, to: null }, create(BASE, base)]);
      expect(late).toEqual({ is: 'moved', refs: new Map([[LOCK, taken]]) });
      const done = await pushRefs(other, [
        { ref: LOCK, from: taken, to: null },
        create(BASE, await other.commit('base')),
      ]);
      expect(done).toEqual({ is: 'done' });
      expect(await remoteRefs(mine, [LOCK])).toEqual(new Map());
    });
  });

  test('succeeds if a push is repeated because its result was unknown', async () => {
    await withRemote(async ({ clone }) => {
      const mine = await clone('a');
      const moves = [create(LOCK, await mine.commit('first'))];
      expect(await pushRefs(mine, moves)).toEqual({ is: 'done' });
      expect(await pushRefs(mine, moves)).toEqual({ is: 'done' });
    });
  });

  test.for([
    // Of git itself, `receive.denyDeletes` and `receive.denyNonFastForwards` are for branches only.
    [
      'deletions',
      'case $3 in *[!0]*) ;; *) echo "no deletions"; exit 1 ;; esac',
      'hook declined; no deletions',
    ],
    [
      'all but branches',
      'case $1 in refs/heads/*) ;; *) echo "branches only"; exit 1 ;; esac',
      'hook declined; branches only',
    ],
  ] as const)(
    'the error of a remote that refuses %s quotes the message of its hook',
    async ([, script, why]) => {
      await withRemote(async ({ clone, remote }) => {
        const mine = await clone('a');
        const first = await mine.commit('first');
        await pushRefs(mine, [create(LOCK, first)]);
        const hook = join(remote, 'hooks/update');
        await mkdir(join(remote, 'hooks'), { recursive: true });
        await writeFile(hook, `#!/bin/sh\n${script}\n`);
        await chmod(hook, 0o755);
        expect(await pushRefs(mine, [{ ref: LOCK, from: first, to: null }])).toEqual({
          is: 'refused',
          why: `${LOCK} is rejected: "${why}"`,
        });
      });
    },
  );

  test('succeeds for a ref that somebody created and deleted meanwhile', async () => {
    await withRemote(async ({ clone, remote }) => {
      const [mine, other] = await Promise.all([clone('a'), clone('b')]);
      await pushRefs(other, [create(LOCK, await other.commit('of somebody else'))]);
      // The first push is refused. Before the remote answers why, the ref is deleted.
      const asked = join(remote, 'upload-pack');
      const gone = `git -C ${remote} update-ref -d ${LOCK}`;
      await writeFile(asked, `#!/bin/sh\n${gone}\nexec git-upload-pack "$@"\n`);
      await chmod(asked, 0o755);
      git(mine.folder, 'config', 'remote.origin.uploadpack', asked);
      const first = await mine.commit('first');
      expect(await pushRefs(mine, [create(LOCK, first)])).toEqual({ is: 'done' });
      expect(git(remote, 'rev-parse', LOCK).trim()).toBe(first);
    });
  });

  test('the error of a remote that permanently fails to lock a ref quotes the remote', async () => {
    await withRemote(async ({ clone, remote }) => {
      const mine = await clone('a');
      await mkdir(join(remote, 'refs/meshform-locks'), { recursive: true });
      await writeFile(join(remote, `${LOCK}.lock`), '');
      const moved = await pushRefs(mine, [create(LOCK, await mine.commit('first'))]);
      expect(moved).toMatchObject({ is: 'refused', why: expect.stringContaining('File exists') });
    });
  });

  test('moving refs at an unreachable remote has an unknown result', async () => {
    await withRemote(async ({ clone }) => {
      const mine = await clone('a');
      git(mine.folder, 'remote', 'set-url', 'origin', join(mine.folder, 'nowhere'));
      const moved = await pushRefs(mine, [create(LOCK, await mine.commit('first'))]);
      expect(moved).toMatchObject({ is: 'unknown', why: expect.stringContaining('nowhere') });
    });
  });
});

describe('fetching refs', () => {
  test('makes a commit of another clone readable, and leaves the clone unchanged', async () => {
    await withRemote(async ({ clone }) => {
      const [mine, other] = await Promise.all([clone('a', '--depth=1'), clone('b')]);
      const head = git(other.folder, 'rev-parse', 'HEAD').trim();
      const base = await other.commit('{"x":1}', head);
      await pushRefs(other, [create(LOCK, await other.commit('{}')), create(BASE, base)]);
      const before = await contentOf(mine.folder);
      const found = await fetchRefs(mine, [LOCK, BASE]);
      expect(found).toEqual(
        new Map([
          [LOCK, expect.any(String)],
          [BASE, base],
        ]),
      );
      expect(await textsIn(mine, [`${base}:a.json`, `${base}:b.json`])).toEqual(['{"x":1}', null]);
      expect(await contentOf(mine.folder)).toEqual(before);
    });
  });

  test('does not fetch again what an earlier run fetched', async () => {
    await withRemote(async ({ clone }) => {
      const [mine, other] = await Promise.all([clone('a'), clone('b')]);
      const large = 'x'.repeat(1000);
      const first = await other.commit(large);
      await pushRefs(other, [create(LOCK, first)]);
      await fetchRefs(mine, [LOCK]);
      const again = await cloneAt(mine.folder, `${mine.folder}-state`);
      expect(await again.objects.fetched()).toEqual([first]);
      const second = await other.commit(large, first);
      await pushRefs(other, [{ ref: LOCK, from: first, to: second }]);
      expect(await fetchRefs(again, [LOCK])).toEqual(new Map([[LOCK, second]]));
      expect(await textsIn(again, [`${second}:a.json`])).toEqual([large]);
    });
  });

  test('gets the parent of a commit that is in the clone without it', async () => {
    await withRemote(async ({ clone }) => {
      const [mine, other] = await Promise.all([clone('a'), clone('b')]);
      const first = await other.commit('first');
      const second = await other.commit('second', first);
      await pushRefs(other, [create(BASE, second)]);
      const copied = { files: new Map([['a.json', 'second']]), parents: [first], at: NOW };
      const { host } = mine.objects.place;
      await writeCommit({ folder: mine.folder, host }, { ...copied, message: 'a test' });
      expect(git(mine.folder, 'cat-file', '-t', second).trim()).toBe('commit');
      expect(await fetchRefs(mine, [BASE])).toEqual(new Map([[BASE, second]]));
      expect(await textsIn(mine, [`${first}:a.json`])).toEqual(['first']);
    });
  });

  test.for([
    ['cut', () => Buffer.alloc(0)],
    ['exchanged', (other: Buffer) => other],
  ] as const)('gets an object again whose file is %s', async ([, broken]) => {
    await withRemote(async ({ clone }) => {
      const [mine, other] = await Promise.all([clone('a'), clone('b')]);
      const first = await other.commit('first');
      const second = await other.commit('second');
      await pushRefs(other, [create(LOCK, first), create(BASE, second)]);
      await fetchRefs(mine, [LOCK, BASE]);
      const fileOf = (name: string) =>
        join(mine.objects.place.objects?.path ?? '', name.slice(0, 2), name.slice(2));
      const content = broken(await readFile(fileOf(second)));
      await rm(fileOf(first));
      await writeFile(fileOf(first), content);
      const again = await cloneAt(mine.folder, `${mine.folder}-state`);
      const refs = new Map([
        [LOCK, first],
        [BASE, second],
      ]);
      expect(await fetchRefs(again, [LOCK, BASE])).toEqual(refs);
      expect(await textsIn(again, [`${first}:a.json`])).toEqual(['first']);
    });
  });

  test('reports no error for a missing ref', async () => {
    await withRemote(async ({ clone }) => {
      expect(await fetchRefs(await clone('a'), [LOCK])).toEqual(new Map());
    });
  });

  test('works in a worktree of a clone, as pushing does', async () => {
    await withRemote(async ({ clone, remote }) => {
      const mine = await clone('a');
      git(mine.folder, 'worktree', 'add', '--quiet', '../tree');
      const tree = await cloneAt(join(mine.folder, '../tree'), `${mine.folder}-tree-state`);
      const first = await tree.commit('first');
      expect(await pushRefs(tree, [create(LOCK, first)])).toEqual({ is: 'done' });
      expect(await fetchRefs(mine, [LOCK])).toEqual(new Map([[LOCK, first]]));
      expect(git(remote, 'rev-parse', LOCK).trim()).toBe(first);
    });
  });
});

test('fetched objects that cannot be kept are in a temporary folder, deleted with the run', async () => {
  await withRemote(async ({ clone }) => {
    const mine = await clone('a');
    const state = join(mine.folder, 'a-file');
    await writeFile(state, '');
    const temporary = await cloneAt(mine.folder, state);
    const path = temporary.objects.place.objects?.path ?? '';
    await temporary.commit('first');
    expect(await readdir(path)).not.toEqual([]);
    await temporary.objects.close();
    await expect(readdir(path)).rejects.toThrow('ENOENT');
  });
});

test('the ssh process for an unresponsive remote ends with git', () =>
  inFolder(async folder => {
    const at = (name: string) => join(folder, name);
    git(folder, 'init', '--quiet', at('clone'));
    git(at('clone'), 'remote', 'add', 'origin', 'ssh://git.example.com/network');
    pipe(at('alive'));
    // Whoever reads the pipe sees its end when the last process that writes to it is gone.
    await writeFile(at('ssh'), `#!/bin/sh\nexec 3>'${at('alive')}'\nexec sleep 100\n`);
    await chmod(at('ssh'), 0o755);
    const ended = text(createReadStream(at('alive')));
    const env = { ...process.env, GIT_SSH_COMMAND: at('ssh'), GIT_SSH_VARIANT: 'simple' };
    const host = { env, endGroup: (leader: number) => void process.kill(-leader) };
    const objects = await separateObjects(
      { folder: at('clone'), host },
      { state: at('state'), now: NOW },
    );
    const answer = await remoteRefs({ objects, name: 'origin', patience: 200 }, [LOCK]);
    expect(answer).toMatchObject({ why: 'git did not finish within 1 second' });
    expect(await ended).toBe('');
  }));
