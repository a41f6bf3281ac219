// How many programs a run with its lock in the Git remote starts. Each takes a few milliseconds here, more on a busy machine, and
// far more if it connects to the remote: a run asks each thing once, except what may have changed by the time it holds the lock.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noticed } from '../../read/noticedGit.ts';
import { git } from '../../support/git.ts';
import { expectCode, FILES, type Machine, machines, refsAt } from './sharedMachines.ts';

/** Starts runs of a machine, and returns the commands that each gave to git. */
async function watched(one: Machine) {
  const bin = `${one.folder}-bin`;
  await mkdir(bin);
  const { env, asked } = await noticed(bin);
  return async (code: number, ...argv: string[]): Promise<readonly string[]> => {
    const ended = await one.runWith({ PATH: env.PATH ?? '' }, ...argv);
    expectCode(ended, code);
    return asked();
  };
}

const count = (commands: readonly string[], command: string): number =>
  commands.filter(one => one === command).length;

/** An apply without the account in the files, which nothing but the server names. */
async function withoutAccount(one: Machine, name: string): Promise<void> {
  await one.declare(name);
  await one.write('meshform.yaml', '{}\n');
}

test('an apply, a plan, `drift` and `lock show` start few programs', () =>
  machines(async ({ machine }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    git(one.folder, 'fetch', '--quiet', 'origin', '+refs/meshform-base/*:refs/meshform-base/*');
    await one.declare('a', 'b');
    const asked = await watched(one);
    const planned = await asked(0, 'plan', ...FILES.slice(1));
    const applied = await asked(0, ...FILES, '--yes');
    const compared = await asked(0, 'drift', 'network', '--base', 'auto');
    const shown = await asked(0, 'lock', 'show', 'network');
    // Of the two listings, the second is under the lock. The pack is the base for the clone.
    expect([
      count(applied, 'ls-remote'),
      count(applied, 'push'),
      count(applied, 'unpack-objects'),
      count(applied, 'remote'),
    ]).toEqual([2, 2, 1, 2]);
    expect(count(planned, 'ls-remote')).toBe(1);
    expect([applied, planned, compared, shown].map(({ length }) => length)).toEqual(
      [26, 16, 12, 8].map(most => expect.toSatisfy((length: number) => length <= most)),
    );
  }));

test('an apply of files that do not name their account lists the remote once before the lock, too', () =>
  machines(async ({ machine, groups }) => {
    const one = await machine('one');
    await withoutAccount(one, 'a');
    const asked = await watched(one);
    const applied = await asked(0, ...FILES, '--yes');
    expect([count(applied, 'ls-remote'), count(applied, 'config')]).toEqual([2, 2]);
    expect(await groups()).toEqual(['a']);
  }));

test('one listing of a remote shows the base of any account, also at an address that git only fetches from', () =>
  machines(async ({ machine, groups, remote }) => {
    const one = await machine('one');
    await withoutAccount(one, 'a');
    const other = 'refs/meshform-base/other/network';
    git(remote, 'update-ref', other, 'refs/heads/main');
    const asked = await watched(one);
    expect(count(await asked(3, ...FILES, '--yes'), 'ls-remote')).toBe(1);
    const pushed = join(one.folder, '../pushed.git');
    git(one.folder, 'init', '--quiet', '--bare', pushed);
    git(one.folder, 'remote', 'set-url', '--push', 'origin', `file://${pushed}`);
    await asked(3, ...FILES, '--yes');
    expect(refsAt(pushed, 'refs/meshform-locks')).toBe('');
    // What git could not keep below that name is no base, and is not in the way of another account.
    git(remote, 'update-ref', '-d', other);
    git(one.folder, 'remote', 'set-url', '--delete', '--push', 'origin', '.*');
    git(remote, 'update-ref', 'refs/meshform-base/other', 'refs/heads/main');
    await asked(3, ...FILES, '--yes');
    expect(await groups()).toEqual([]);
  }));
