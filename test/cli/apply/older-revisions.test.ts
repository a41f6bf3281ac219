// A run with an older revision than the recorded base is refused: it would undo what was applied since.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import {
  AUTO,
  BOTH,
  inRepository,
  nameless,
  ONE,
  PRUNE,
  type Repository,
} from '../files/repository.ts';

const RUN = ['net', ...PRUNE, ...AUTO] as const;

/** Applies two commits; the second adds the group `a`. */
const applied = (story: (repository: Repository, older: string) => Promise<void>): Promise<void> =>
  inRepository(async repository => {
    const { run, commit, head } = repository;
    await commit(ONE);
    expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
    const older = head();
    await commit(BOTH);
    expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
    await story(repository, older);
  });

async function refused(repository: Repository, ...sentences: readonly string[]): Promise<void> {
  const { account, run, names, recorded } = repository;
  const before = account.requests.length;
  const base = recorded();
  for (const argv of [
    ['plan', ...RUN],
    ['apply', ...RUN, '--yes'],
    ['apply', 'net', '--base', 'HEAD', '--record-base', '--yes'],
    ['apply', 'net', '--record-base', '--yes'],
  ]) {
    const ended = await run(...argv);
    expect(ended.code, argv.join(' ')).toBe(6);
    expect(ended.stderr).toContain('BASE_NOT_BEHIND');
    for (const sentence of sentences) expect(ended.stderr).toContain(sentence);
  }
  expect(account.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
  expect(recorded()).toBe(base);
}

/** What a clone claims: that a commit has one parent, this one. */
interface Claim {
  readonly commit: string;
  readonly parent: string;
}

async function graft(cwd: string, { commit, parent }: Claim): Promise<void> {
  await mkdir(join(cwd, '.git/info'), { recursive: true });
  await writeFile(join(cwd, '.git/info/grafts'), `${commit} ${parent}\n`);
}

async function replace(cwd: string, { commit, parent }: Claim): Promise<void> {
  git(cwd, 'replace', '--graft', commit, parent);
}

// Written by git, and then changed: without the generations of version 2, which are in a part of their own.
async function falsifyGraph(cwd: string, { commit, parent }: Claim): Promise<void> {
  git(cwd, '-c', 'commitGraph.generationVersion=1', 'commit-graph', 'write', '--reachable');
  const file = join(cwd, '.git/objects/info/commit-graph');
  const graph = await readFile(file);
  const partAt = (name: string) => {
    const entry = graph.indexOf(name, 8, 'latin1');
    return Number(graph.readBigUInt64BE(entry + 4));
  };
  const count = graph.readUInt32BE(partAt('OIDF') + 255 * 4);
  const hashAt = (i: number) =>
    graph.toString('hex', partAt('OIDL') + i * 20, partAt('OIDL') + i * 20 + 20);
  const hashes = Array.from({ length: count }, (_, i) => hashAt(i));
  const data = partAt('CDAT') + hashes.indexOf(commit) * 36;
  graph.writeUInt32BE(hashes.indexOf(parent), data + 20);
  const generation = 1000;
  graph.writeUInt32BE((generation << 2) | (graph.readUInt32BE(data + 28) & 3), data + 28);
  await chmod(file, 0o644);
  await writeFile(file, graph);
}

describe.concurrent('a run that records its base', () => {
  test('is refused for an older revision than the recorded base, which it would undo', () =>
    applied(async (repository, older) => {
      const { cwd, id, recorded } = repository;
      git(cwd, 'checkout', '--quiet', 'HEAD~1');
      await refused(
        repository,
        `${recorded().slice(0, 12)} is recorded in refs/meshform-base/${id}/net, and is newer than ${older.slice(0, 12)}`,
        'git revert',
      );
    }));

  test('is refused for a revision without the recorded base in its history; the hinted command helps', () =>
    applied(async (repository, older) => {
      const { cwd, run, commit, names, recorded, head } = repository;
      const newer = recorded();
      git(cwd, 'reset', '--quiet', '--hard', older);
      await commit(`# another history\n${ONE}`);
      await refused(repository, 'is not in the history of', `git merge -s ours ${newer}`);
      git(cwd, 'merge', '--quiet', '-s', 'ours', '-m', 'keep the history', newer);
      expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
      expect(recorded()).toBe(head());
    }));

  test.each(
    someOf(
      [
        ['a graft', graft],
        ['a replaced commit', replace],
        ['a commit graph with another parent', falsifyGraph],
      ],
      1,
    ),
  )('is refused too if the clone claims another history by %s', (_, plant) =>
    applied(async (repository, older) => {
      const { cwd, commit, recorded, head } = repository;
      const newer = recorded();
      git(cwd, 'reset', '--quiet', '--hard', older);
      await commit(`# another history\n${ONE}`);
      const claimed = head();
      // Of the commit that it begins with, git reads the parents in the object.
      await commit(`# on top\n${ONE}`);
      await plant(cwd, { commit: claimed, parent: newer });
      // Plain git believes it.
      git(cwd, 'merge-base', '--is-ancestor', newer, head());
      await refused(repository, 'is not in the history of');
    }),
  );

  test('runs again for the same revision, and for a commit that reverts it', () =>
    applied(async ({ cwd, run, names, recorded, head }) => {
      expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
      git(cwd, 'revert', '--no-edit', 'HEAD');
      expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
      expect(recorded()).toBe(head());
    }));

  test('is refused for a saved plan of an older revision', { tags: 'variation' }, () =>
    applied(async ({ cwd, account, run, names, recorded }) => {
      const base = recorded();
      git(cwd, 'checkout', '--quiet', 'HEAD~1');
      const saving = ['plan', 'net', '--prune', 'removed', '--base', 'auto', '--out', 'plan.json'];
      expect((await run(...saving)).code).toBe(0);
      const before = account.requests.length;
      const allowed = ['--allow', 'DELETES_OBJECT', '--record-base', '--yes'];
      const ended = await run('apply', 'plan.json', ...allowed);
      expect(ended.code).toBe(6);
      expect(ended.stderr).toContain('and is newer than');
      const sent = account.requests.slice(before).filter(({ method }) => method !== 'GET');
      expect(sent).toEqual([]);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
      expect(recorded()).toBe(base);
    }),
  );

  test('says in a shallow clone that the history is missing', { tags: 'variation' }, () =>
    applied(async ({ cwd, commit, at, recorded }) => {
      await commit(`# a third\n${BOTH}`);
      await commit(`# a fourth\n${BOTH}`);
      await writeFile(join(cwd, '.git/info/exclude'), 'clone\n');
      await rm(join(cwd, 'clone'), { recursive: true, force: true });
      git(cwd, 'clone', '--quiet', '--depth=1', `file://${cwd}`, 'clone');
      const clone = at(join(cwd, 'clone'));
      git(
        clone.cwd,
        'fetch',
        '--quiet',
        '--depth=1',
        'origin',
        '+refs/meshform-base/*:refs/meshform-base/*',
      );
      const ended = await clone.run('plan', ...RUN);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('this is a shallow clone');
      git(clone.cwd, 'fetch', '--quiet', '--unshallow');
      expect((await clone.run('plan', ...RUN)).code).toBe(0);
      expect(clone.recorded()).toBe(recorded());
    }),
  );
});

test('an apply that stopped in the middle and whose change was reverted is undone completely by two applies', () =>
  inRepository(async ({ cwd, account, run, commit, names, recorded, head }) => {
    await commit(BOTH);
    expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
    const before = await account.call('GET', '/api/groups');
    await commit(nameless('{ name: b }, { name: c }'));
    const former = head();
    // The creation of `c` is done, the deletion of `a` is not.
    expect((await run('apply', 'net', '--base', 'auto', '--yes')).code).toBe(0);
    expect(await names('/api/groups')).toEqual(['All', 'a', 'b', 'c']);
    git(cwd, 'revert', '--no-edit', 'HEAD');
    expect((await run('apply', 'net', ...PRUNE, '--base', former, '--yes')).code).toBe(0);
    expect((await run('apply', ...RUN, '--yes')).code).toBe(0);
    expect(await account.call('GET', '/api/groups')).toEqual(before);
    expect(recorded()).toBe(head());
  }));
