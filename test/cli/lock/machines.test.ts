// Applies of two machines that share nothing but the Git remote and the account.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const KEY = 'a signing key of all machines';
const PRUNE = ['--prune', 'removed', '--allow', 'DELETES_OBJECT'];

interface Machines {
  readonly account: TestAccount;
  readonly id: string;
  readonly remote: string;
  readonly base: string;
  readonly lock: string;
  /** A clone with a home of its own. */
  readonly machine: (name: string, ...options: string[]) => Promise<Machine>;
  readonly groups: () => Promise<string[]>;
}

interface Machine {
  readonly folder: string;
  readonly run: (...argv: string[]) => Promise<Ended>;
  /** Applies and records the base. */
  readonly apply: (...more: string[]) => Promise<Ended>;
  /** Commits groups of these names, on top of what the remote has, and pushes them. */
  readonly declare: (...names: string[]) => Promise<void>;
}

async function machines(story: (machines: Machines) => Promise<void>): Promise<void> {
  const account = await startAccount();
  try {
    const [all] = (await account.call('GET', '/api/groups')) as { id: string }[];
    const id = all?.id ?? '';
    await inFolder(async folder => {
      const remote = join(folder, 'remote.git');
      git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
      await story({
        account,
        id,
        remote,
        base: `refs/meshform-base/${id}/network`,
        lock: `refs/meshform-locks/${id}`,
        machine: (name, ...options) =>
          machineAt(join(folder, name), { account, id, remote, options }),
        groups: async () =>
          ((await account.call('GET', '/api/groups')) as { name: string }[])
            .map(({ name }) => name)
            .filter(name => name !== 'All')
            .sort(),
      });
    });
  } finally {
    await account.close();
  }
}

async function machineAt(
  folder: string,
  {
    account,
    id,
    remote,
    options,
  }: { account: TestAccount; id: string; remote: string; options: readonly string[] },
): Promise<Machine> {
  git(join(folder, '..'), 'clone', '--quiet', ...options, `file://${remote}`, folder);
  const env = {
    ...environmentOf(account),
    PATH: process.env.PATH ?? '',
    HOME: `${folder}-home`,
    XDG_STATE_HOME: `${folder}-state`,
    MESHFORM_JOURNALS: `${folder}-journals`,
    MESHFORM_SIGNING_KEY: KEY,
  };
  const run: Machine['run'] = async (...argv) => {
    const ended = await meshform(argv, { cwd: folder, env });
    return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
  };
  return {
    folder,
    run,
    apply: (...more) =>
      run('apply', 'network', ...PRUNE, '--base', 'auto', '--record-base', '--yes', ...more),
    declare: async (...names) => {
      await mkdir(join(folder, 'network'), { recursive: true });
      await writeFile(join(folder, 'network/meshform.yaml'), `account: ${id}\n`);
      const groups = names.map(name => `{ name: ${name} }`).join(', ');
      await writeFile(join(folder, 'network/groups.yaml'), `groups: [${groups}]\n`);
      git(folder, 'add', '--all', '.');
      git(folder, 'commit', '--quiet', '--message=a change');
      git(folder, 'push', '--quiet', 'origin', 'HEAD:main');
    },
  };
}

/** Everything below a prefix that the remote has. */
const refsAt = (remote: string, prefix: string): string =>
  git(remote, 'for-each-ref', '--format=%(refname)', prefix).trim();

function expectCode(ended: Ended, code: number): void {
  expect(ended.code, ended.stderr).toBe(code);
}

test('an apply records its base at the remote, and another machine goes on from there without a fetch', async () => {
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

test('the clone keeps its refs, its objects and its depth', async () => {
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

test('an account that a person holds is not applied, and the refusal has the reason', async () => {
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

describe('where the lock is', () => {
  test('an apply without --record-base uses a file until the remote has something of the account', async () => {
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

  test('`lock: file` in meshform.yaml asks no remote', async () => {
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

  test('a remote that cannot be reached refuses an apply before its first write', async () => {
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

  test('without `account` in meshform.yaml, the account is asked first', async () => {
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

describe('the lines of earlier versions around an apply', () => {
  test('fetching the bases before it and pushing them after it still works', async () => {
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
