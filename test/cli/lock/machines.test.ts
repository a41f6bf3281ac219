// Applies of two machines that share nothing but the Git remote and the account.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, machines, PRUNE, refsAt } from './sharedMachines.ts';

test('an apply records its base at the remote, and another machine continues from there without a fetch', async () => {
  await machines(async ({ machine, remote, base, groups }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    expect(refsAt(remote, 'refs/meshform-base')).toBe(base);
    expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
    const two = await machine('two');
    await two.declare('a');
    expectCode(await two.apply(), 0);
    expect(await groups()).toEqual(['a']);
    git(one.folder, 'pull', '--quiet');
    const plan = await one.run('plan', 'network', ...PRUNE, '--base', 'auto');
    expectCode(plan, 0);
    expect(plan.stdout).toContain('No changes.');
    // A stale base here would call a group that the other machine removed missing, or remove what it created.
    expectCode(await one.run('drift', 'network', '--base', 'auto'), 0);
  });
});

test('an apply does not change the refs, the objects or the depth of the clone', async () => {
  await machines(async ({ machine }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const two = await machine('two', '--depth=1');
    const before = git(two.folder, 'for-each-ref') + git(two.folder, 'count-objects', '-v');
    expectCode(await two.run('plan', 'network', ...PRUNE, '--base', 'auto'), 0);
    expect(git(two.folder, 'for-each-ref') + git(two.folder, 'count-objects', '-v')).toBe(before);
    expect(git(two.folder, 'rev-parse', '--is-shallow-repository').trim()).toBe('true');
  });
});

test('an account on hold is not applied, and the refusal states the reason of the hold', async () => {
  await machines(async ({ machine, groups, lock, remote }) => {
    const one = await machine('one');
    const two = await machine('two');
    await one.declare('a');
    expectCode(await one.run('lock', 'hold', 'network', '--reason', 'change freeze'), 0);
    git(two.folder, 'pull', '--quiet', 'origin', 'main');
    const refused = await two.apply();
    expectCode(refused, 6);
    expect(refused.stderr).toContain('is held on purpose');
    expect(refused.stderr).toContain('change freeze');
    expect(await groups()).toEqual([]);
    // Without --record-base the hold counts as well, because the remote has a lock of the account.
    expectCode(await two.run('apply', 'network', '--yes'), 6);
    expect(refsAt(remote, 'refs/meshform-locks')).toBe(lock);
    expectCode(await one.run('lock', 'release', 'network'), 0);
    expectCode(await two.apply(), 0);
  });
});

test('a hold of a mistyped account is refused, or says that no server was asked', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, id, lock }) => {
    const one = await machine('one');
    await one.declare('a');
    const hold = ['lock', 'hold', 'network', '--reason', 'a freeze'];
    await writeFile(join(one.folder, 'network/meshform.yaml'), 'account: mistyped\n');
    const refused = await one.run(...hold);
    expectCode(refused, 3);
    expect(refused.stderr).toContain(
      `for the account "mistyped", but the token belongs to "${id}"`.replaceAll('"', '`'),
    );
    expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
    const unasked = await one.runWith({ MESHFORM_TOKEN: '' }, ...hold);
    expectCode(unasked, 0);
    expect(unasked.stderr).toContain(
      '`mistyped` because meshform.yaml says so: no server was asked',
    );
    await writeFile(join(one.folder, 'network/meshform.yaml'), `account: ${id}\n`);
    const held = await one.run(...hold);
    expectCode(held, 0);
    expect(held.stderr).not.toContain('no server was asked');
    expect(refsAt(remote, 'refs/meshform-locks')).toContain(lock);
  });
});

describe('the place of the lock', () => {
  test('is a file for an apply without --record-base, until the remote has a base, lock or journal of the account', async () => {
    await machines(async ({ machine, remote }) => {
      const one = await machine('one');
      await one.declare('a');
      const hook = join(remote, 'hooks/update');
      await mkdir(join(remote, 'hooks'), { recursive: true });
      await writeFile(hook, '#!/bin/sh\necho "no refs of meshform"\nexit 1\n');
      await chmod(hook, 0o755);
      expectCode(await one.run('apply', 'network', '--yes'), 0);
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('no refs of meshform');
      expect(refused.stderr).toContain('--lock file');
      expectCode(await one.apply('--lock', 'file'), 0);
      expect(git(one.folder, 'for-each-ref', 'refs/meshform-base')).not.toBe('');
      await rm(hook);
      expectCode(await one.apply(), 0);
      expectCode(await one.run('apply', 'network', '--yes'), 0);
    });
  });

  test('is a file with `lock: file` in meshform.yaml, and then no reachable remote is needed', async () => {
    await machines(async ({ machine, id }) => {
      const one = await machine('one');
      await one.declare('a');
      await writeFile(join(one.folder, 'network/meshform.yaml'), `account: ${id}\nlock: file\n`);
      git(one.folder, 'commit', '--quiet', '--all', '--message=a file');
      expectCode(await one.apply(), 0);
      git(one.folder, 'remote', 'set-url', 'origin', '/nowhere');
      expectCode(await one.apply(), 0);
      expectCode(await one.run('plan', 'network', ...PRUNE, '--base', 'auto'), 0);
    });
  });

  test('is a remote that refuses an apply before its first write if it is unreachable', async () => {
    await machines(async ({ machine, groups }) => {
      const one = await machine('one');
      await one.declare('a');
      git(one.folder, 'remote', 'set-url', 'origin', '/nowhere');
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('the remote `origin` cannot be read');
      expect(await groups()).toEqual([]);
      expectCode(await one.apply('--lock', 'git'), 6);
    });
  });

  test('depends on the account, which is asked first if meshform.yaml does not name it', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, remote, lock }) => {
      const one = await machine('one');
      await one.declare('a');
      await rm(join(one.folder, 'network/meshform.yaml'));
      git(one.folder, 'commit', '--quiet', '--all', '--message=no account');
      expectCode(await one.run('lock', 'show', 'network'), 3);
      const ended = await one.run('apply', 'network', '--record-base', '--yes', '--lock', 'git');
      expectCode(ended, 0);
      expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
      expect(refsAt(remote, 'refs/meshform-base')).toContain('/network');
      expect(lock).toContain('refs/meshform-locks/');
    });
  });
});

describe('the commands of earlier versions around an apply', () => {
  test('still work: they fetch the bases before it and push them after it', async () => {
    await machines(async ({ machine, remote, base, groups }) => {
      const one = await machine('one');
      const lines = async (...names: string[]): Promise<void> => {
        await one.declare(...names);
        git(one.folder, 'fetch', 'origin', '+refs/meshform-base/*:refs/meshform-base/*');
        expectCode(await one.apply(), 0);
        git(one.folder, 'push', 'origin', 'refs/meshform-base/*:refs/meshform-base/*');
      };
      await lines('a', 'b');
      await lines('a');
      expect(await groups()).toEqual(['a']);
      expect(git(one.folder, 'rev-parse', base)).toBe(git(remote, 'rev-parse', base));
    });
  });
});
