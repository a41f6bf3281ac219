// What a run writes to the refs of the lock and of the journals, how its lock goes on, and which commands write nothing there.
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { gitAccountLock } from '../../../src/apply/lock/gitAccountLock.ts';
import { pipelineLink } from '../../../src/read/remote/lockAtRemote.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { git } from '../../support/git.ts';
import { expectCode, FILES, machines, PRUNE, refsAt } from './sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A commit as git prints it, without the author and the committer. */
const commitAt = (remote: string, ref: string): string =>
  git(remote, 'cat-file', 'commit', ref).replaceAll(/^(?:author|committer) .*\n/gm, '');

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

test('the lock is a commit without files that says which run holds it, for whom, in which pipeline, for which plan and how long', () =>
  machines(async ({ account, lock, machine, remote, id }) => {
    const one = await machine('one');
    await one.declare('a');
    await one.write('meshform.yaml', `account: ${id}\nlock_ttl: 15\n`);
    git(one.folder, 'config', 'user.name', 'Ada');
    git(one.folder, 'config', 'user.email', 'ada@example.com');
    let seen = '';
    let journals = '';
    account.onAnswer(({ method }) => {
      if (method !== 'POST') return;
      seen = commitAt(remote, lock);
      journals = commitAt(remote, `refs/meshform-journal/${id}`);
    });
    const pipeline = {
      GITHUB_SERVER_URL: 'https://forge.example.com',
      GITHUB_REPOSITORY: 'acme/network',
      GITHUB_RUN_ID: '7',
    };
    expectCode(await one.runWith(pipeline, ...FILES, '--yes'), 0);
    const { stdout } = await one.run('runs', 'network', '--format', 'json');
    const [{ run, digest }] = JSON.parse(stdout).runs;
    expect(seen).toMatch(new RegExp(`^tree ${EMPTY_TREE}\n\nmeshform lock: run\n`));
    const fields = [...seen.matchAll(/^([a-z]+): (.*)$/gm)].map(([, ...field]) => field);
    expect(Object.fromEntries(fields)).toEqual({
      id: run,
      machine: expect.any(String),
      person: 'Ada <ada@example.com>',
      link: 'https://forge.example.com/acme/network/actions/runs/7',
      since: '1970-01-01T00:00:00.000Z',
      plan: digest,
      ttl: '15',
      counter: '1',
    } satisfies Record<string, unknown>);
    expect(journals).toMatch(/^tree [0-9a-f]+\n\n/);
    expect(git(remote, 'ls-tree', '--name-only', `refs/meshform-journal/${id}`)).toContain(run);
  }));

test.each([
  [{ CI_PIPELINE_URL: 'https://forge.example.com/p/1' }, 'https://forge.example.com/p/1'],
  [{ CI_PIPELINE_URL: 'https://user:secret@forge.example.com/p/1' }, undefined],
  [{ BUILD_URL: 'file:///etc/passwd' }, undefined],
  [{}, undefined],
])('the link of a pipeline of %j is %s', (env, link) => {
  expect(pipelineLink(env)).toBe(link);
});

test('a lock is renewed every third of its time, and each state of it follows from the one before', () =>
  machines(async ({ machine, remote }) => {
    const one = await machine('one');
    const place = { folder: one.folder, host: { env: process.env } };
    const objects = await separateObjects(place, { state: `${one.folder}-state`, now: 0 });
    const now = () => 0;
    const held = await gitAccountLock(
      { objects, name: 'origin', patience: 30_000 },
      {
        account: 'a1',
        now,
        holder: { id: 'run-1', machine: 'one', since: '' },
        ttl: 180,
        wait: 0,
        clocks: { monotonic: now, wall: now },
        sleep: () => Promise.resolve(),
      },
    ).take();
    if ('refused' in held) throw new Error(held.refused);
    expect(held.renewEvery).toBe(60_000);
    const ref = 'refs/meshform-locks/a1';
    const first = git(remote, 'rev-parse', ref).trim();
    expect(await held.renew()).toBe(true);
    const second = commitAt(remote, ref);
    expect(second).toContain(`parent ${first}\n`);
    expect(second).toMatch(/^counter: 2$/m);
    await held.release();
    expect(refsAt(remote, ref)).toBe('');
  }));

test.each([
  ['14', 3],
  ['15', 0],
  ['3600', 0],
  ['3601', 3],
])('`lock_ttl: %s` ends `validate` with %i', (ttl, code) =>
  machines(async ({ machine, id }) => {
    const one = await machine('one');
    await one.declare('a');
    await writeFile(
      join(one.folder, 'network/meshform.yaml'),
      `account: ${id}\nlock_ttl: ${ttl}\n`,
    );
    expectCode(await one.run('validate', 'network'), code);
  }),
);

test('an apply writes under a lock whose `lock_ttl` is not a multiple of three', () =>
  machines(async ({ machine, id }) => {
    const one = await machine('one');
    await one.declare('a');
    await one.write('meshform.yaml', `account: ${id}\nlock_ttl: 20\n`);
    expectCode(await one.run(...FILES, '--yes'), 0);
  }));

/** Every command that only reads, after a plan was saved as `plan.json`. */
const READING: readonly (readonly [number, ...string[]])[] = [
  [0, 'plan', 'network', ...PRUNE, '--base', 'auto', '--record-base', '--out', 'plan.json'],
  [0, 'plan', 'check', 'plan.json'],
  [0, 'drift', 'network', '--base', 'auto'],
  [0, 'test', 'network'],
  [0, 'access', 'from', 'group/a', 'network'],
  [0, 'runs', 'network'],
  [0, 'lock', 'show', 'network'],
  [0, 'base', 'show', 'network'],
];

test('commands that only read take no lock and push nothing, so they work where every push is refused', () =>
  machines(async ({ machine, remote }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    const tried = await refusePushes(remote);
    const before = git(remote, 'for-each-ref');
    for (const [code, ...argv] of READING) expectCode(await one.run(...argv), code);
    expect(git(remote, 'for-each-ref')).toBe(before);
    expect(existsSync(tried)).toBe(false);
    expectCode(await one.apply(), 6);
    expect(existsSync(tried)).toBe(true);
  }));

// Makes the remote refuse each push, and note in the file of this name that there was one.
async function refusePushes(remote: string): Promise<string> {
  const hook = join(remote, 'hooks/pre-receive');
  await mkdir(join(remote, 'hooks'), { recursive: true });
  const tried = join(remote, '../tried');
  await writeFile(hook, `#!/bin/sh\n: > '${tried}'\nexit 1\n`);
  await chmod(hook, 0o755);
  return tried;
}
