// Bases: a removal that was not pruned is not forgotten by accident, and whatever keeps git from telling is said.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { git } from '../support/git.ts';

let account: TestAccount;
let id = '';
beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
  const groups = (await account.call('GET', '/api/groups')) as { id: string }[];
  id = groups[0]?.id ?? '';
});

interface Repository {
  readonly cwd: string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  /** Writes the desired state and commits it. */
  readonly commit: (text: string) => Promise<void>;
  /** The commit that the account is recorded to be at; empty where none is. */
  readonly recorded: () => string;
  readonly head: () => string;
}

function repositoryIn(cwd: string): Repository {
  return {
    cwd,
    run: async (...argv) => {
      const ended = await meshform(argv, { env: environmentOf(account), cwd });
      // Where a line is broken depends on the length of a path.
      return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
    },
    commit: async text => {
      await mkdir(join(cwd, 'net'), { recursive: true });
      await writeFile(join(cwd, 'net/meshform.yaml'), `account: ${id}\n`);
      await writeFile(join(cwd, 'net/network.yaml'), text);
      git(cwd, 'add', '.');
      git(cwd, 'commit', '--quiet', '--message=a change');
    },
    recorded: () =>
      git(cwd, 'for-each-ref', '--format=%(objectname)', `refs/meshform/${id}`).trim(),
    head: () => git(cwd, 'rev-parse', 'HEAD').trim(),
  };
}

const inRepository = (story: (repository: Repository) => Promise<void>): Promise<void> =>
  inFolder(async cwd => {
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    await story(repositoryIn(cwd));
  });

const nameless = (text: string) => `groups: [${text}]\n`;
const [BOTH, ONE] = [nameless('{ name: a }, { name: b }'), nameless('{ name: b }')];
const AUTO = ['--base', 'auto', '--record-base'] as const;
const PRUNE = ['--prune', 'removed', '--allow', 'DELETES_OBJECT'] as const;
const LOST = 'group.a is no longer declared and stays in the account';

const names = async (path: string): Promise<string[]> =>
  ((await account.call('GET', path)) as { name: string }[]).map(({ name }) => name).sort();

describe('--record-base past a removal that was not pruned', () => {
  test.each([
    ['an apply with the recorded base', ['apply', 'net', ...AUTO, '--yes']],
    ['an apply without a base', ['apply', 'net', '--record-base', '--yes']],
    ['an apply with another base', ['apply', 'net', '--base', 'HEAD', '--record-base', '--yes']],
    ['a plan', ['plan', 'net', ...AUTO]],
    ['a run that leaves it out', ['apply', 'net', ...AUTO, ...PRUNE, '--only', 'b', '--yes']],
  ])('is refused with what to do: %s', (_, argv) =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(BOTH);
      expect((await run('apply', 'net', ...AUTO, '--yes')).code).toBe(0);
      await commit(ONE);
      const { code, stderr } = await run(...argv);
      expect(code).toBe(6);
      expect(stderr).toContain('REMOVAL_NOT_PRUNED');
      expect(stderr).toContain(LOST);
      expect(stderr).toContain('--forget group/a');
      expect(recorded()).not.toBe(head());
      expect(await names('/api/groups')).toContain('a');
    }),
  );

  test('is done with --prune removed, or with --forget', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(nameless('{ name: a }, { name: b }, { name: c c }'));
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(nameless('{ name: b }'));
      const refused = await run('plan', 'net', ...AUTO);
      expect(refused.stderr).toContain('delete it with --prune removed, or');
      expect(refused.stderr).toContain("--forget 'group/c c'");
      const forget = ['--forget', 'group/a'];
      const kept = await run('apply', 'net', ...AUTO, ...PRUNE, ...forget, '--yes');
      expect([kept.code, kept.stderr]).toMatchObject([
        0,
        expect.stringContaining(head().slice(0, 12)),
      ]);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
      expect(recorded()).toBe(head());
      await commit(`# the same\n${nameless('{ name: b }')}`);
      const after = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
      expect(after.code).toBe(0);
      expect(await names('/api/groups')).toContain('a');
    }));

  test('is refused where something that stays points at it', () =>
    inRepository(async ({ run, commit }) => {
      const policy = (field: string) =>
        `policies: [{ name: p, ${field} rules: [{ name: r, sources: [b], destinations: [a], protocol: tcp }] }]\n`;
      await commit(`${BOTH}${policy('')}`);
      await run('apply', 'net', ...AUTO, '--yes');
      const [a] = (
        (await account.call('GET', '/api/groups')) as { id: string; name: string }[]
      ).filter(({ name }) => name === 'a');
      const rule = {
        name: 'r',
        enabled: true,
        action: 'accept',
        bidirectional: true,
        protocol: 'all',
      };
      const sides = { sources: [a?.id ?? ''], destinations: [a?.id ?? ''] };
      const other = { name: 'mine', enabled: true, rules: [{ ...rule, ...sides }] };
      await account.call('POST', '/api/policies', other);
      await commit(ONE);
      const refused = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain(
        'group.a is no longer declared and stays in the account: policy.mine',
      );
    }));

  test('is no removal where somebody deleted it, or where it is forgotten by nature', () =>
    inRepository(async ({ run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
      const a = groups.find(({ name }) => name === 'a');
      await account.call('DELETE', `/api/groups/${a?.id}`);
      await commit(ONE);
      expect((await run('apply', 'net', ...AUTO, '--yes')).code).toBe(0);
    }));

  test('is refused for each of two that share the name', () =>
    inRepository(async ({ run, commit }) => {
      const policy = `policies: [{ name: p, rules: [{ name: r, sources: [b], destinations: [b], protocol: tcp }] }]\n`;
      await commit(`${ONE}${policy}`);
      await run('apply', 'net', ...AUTO, '--yes');
      const [live] = (await account.call('GET', '/api/policies')) as { name: string }[];
      const second = await account.call('POST', '/api/policies', {
        name: 'p',
        enabled: true,
        rules: [
          {
            name: 'r',
            enabled: true,
            action: 'accept',
            bidirectional: true,
            protocol: 'all',
            sources: [id],
            destinations: [id],
          },
        ],
      });
      expect([live?.name, (second as { name: string }).name]).toEqual(['p', 'p']);
      await commit(ONE);
      const refused = await run('apply', 'net', ...AUTO, ...PRUNE, '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr.match(/policy\S* is no longer declared/g)).toHaveLength(2);
    }));
});

describe('a saved plan', () => {
  test('that leaves a removal is not recorded', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(`${ONE}networks: [{ name: n }]\n`);
      expect((await run('plan', 'net', '--base', 'auto', '--out', '.git/p.json')).code).toBe(0);
      const refused = await run('apply', '.git/p.json', '--record-base', '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('stays in the account: group.a');
      expect(recorded()).not.toBe(head());
      expect(await names('/api/networks')).toEqual([]);
    }));

  test('that knew nothing of the recorded base is not recorded', () =>
    inRepository(async ({ run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(ONE);
      await run('plan', 'net', '--out', '.git/p.json');
      const refused = await run('apply', '.git/p.json', '--record-base', '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('create the plan with --record-base');
    }));

  test('that prunes or gives up every removal is', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(ONE);
      const flags = [...AUTO, '--forget', 'group/a', '--out', '.git/p.json'];
      expect((await run('plan', 'net', ...flags)).code).toBe(0);
      expect((await run('apply', '.git/p.json', '--record-base', '--yes')).code).toBe(0);
      expect(recorded()).toBe(head());
    }));
});

test('an apply whose base cannot be recorded says so, and how to record it', () =>
  inRepository(async ({ cwd, run, commit, head }) => {
    await commit(BOTH);
    git(cwd, 'update-ref', `refs/meshform/${id}/in-the-way`, 'HEAD');
    const { code, stderr } = await run('apply', 'net', '--record-base', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('everything was applied, but the base could not be recorded: ');
    expect(stderr).toContain(`git update-ref refs/meshform/${id} ${head()}`);
    expect(stderr).not.toMatch(/ at \S+ \(/);
    expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
  }));

describe('--forget', () => {
  test.each(['group/c', 'group/b', 'grup/a', 'policy/a'])('%s is an error', name =>
    inRepository(async ({ run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(ONE);
      for (const argv of [['plan'], ['apply', '--yes']]) {
        const ended = await run(...argv, 'net', '--base', 'auto', '--forget', name);
        expect(ended.code).toBe(3);
        expect(ended.stderr).toContain(`\`${name}\` cannot be forgotten`);
      }
    }),
  );

  test('keeps what it names from every way of pruning, with what it nests in', () =>
    inRepository(async ({ run, commit }) => {
      const network = `networks:
  - { name: n, resources: [{ name: r, address: 10.0.0.1, groups: [b] }] }
  - { name: m, resources: [{ name: s, address: 10.0.0.2, groups: [b] }] }
  - { name: o }
`;
      await commit(`${ONE}${network}`);
      await run('apply', 'net', ...AUTO, '--yes');
      await commit(`${ONE}networks: [{ name: o }]\n`);
      const forget = ['--forget', 'network_resource/n/r', '--forget', 'network/m'];
      for (const prune of ['removed', 'unmanaged']) {
        const flags = ['--base', 'auto', '--prune', prune, ...forget];
        const { stdout } = await run('plan', 'net', ...flags);
        expect(stdout).toContain('No changes.');
      }
      const flags = [...AUTO, '--prune', 'removed'];
      const held = await run('plan', 'net', ...flags, ...forget);
      expect(held.stderr).toContain(
        'network.n is no longer declared and stays in the account: network_resource',
      );
      expect(held.stderr).not.toContain('network.m');
    }));
});

describe('the first run of an account', () => {
  const first = ['--prune', 'removed', ...AUTO];

  test('needs no other command line than all that follow', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(BOTH);
      const plan = await run('plan', 'net', ...first);
      expect([plan.code, plan.stderr]).toEqual([
        0,
        expect.stringContaining('note BASE_NOT_RECORDED'),
      ]);
      for (const text of [BOTH, ONE]) {
        await commit(`# ${text}${text}`);
        const ended = await run('apply', 'net', ...first, '--allow', 'DELETES_OBJECT', '--yes');
        expect(ended.code, ended.stderr).toBe(0);
        expect(recorded()).toBe(head());
      }
      expect(await names('/api/groups')).toEqual(['All', 'b']);
    }));

  test('is not taken for one where the remote has a base that was not fetched', () =>
    inRepository(async ({ cwd, run, commit, recorded }) => {
      await commit(BOTH);
      git(cwd, 'clone', '--quiet', '--bare', '.', 'remote.git');
      git(cwd, 'remote', 'add', 'origin', join(cwd, 'remote.git'));
      await writeFile(join(cwd, '.git/info/exclude'), 'remote.git\nclone\n');
      expect((await run('apply', 'net', ...first, '--yes')).code).toBe(0);
      git(cwd, 'push', '--quiet', 'origin', 'main', `refs/meshform/${id}`);
      git(cwd, 'clone', '--quiet', 'remote.git', 'clone');
      const clone = repositoryIn(join(cwd, 'clone'));
      for (const argv of [
        ['apply', 'net', ...first, '--yes'],
        ['apply', 'net', '--record-base', '--yes'],
      ]) {
        const refused = await clone.run(...argv);
        expect(refused.code).toBe(3);
        expect(refused.stderr).toContain('has a recorded base that was not fetched');
        expect(refused.stderr).toContain("git fetch origin '+refs/meshform/*:refs/meshform/*'");
      }
      expect(clone.recorded()).toBe('');
      git(clone.cwd, 'fetch', '--quiet', 'origin', '+refs/meshform/*:refs/meshform/*');
      expect((await clone.run('apply', 'net', ...first, '--yes')).code).toBe(0);
      expect(clone.recorded()).toBe(recorded());
    }));

  test('is not taken for one where the remote cannot be asked', () =>
    inRepository(async ({ cwd, run, commit, recorded }) => {
      await commit(BOTH);
      git(cwd, 'remote', 'add', 'origin', join(cwd, 'lost.git'));
      const refused = await run('apply', 'net', ...first, '--yes');
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain('it is unknown whether `origin` has a recorded base');
      expect(recorded()).toBe('');
    }));
});

describe('a base that git cannot tell of is said to be', () => {
  beforeEach(() => () => vi.unstubAllEnvs());

  test.each(['HEAD', 'auto'])('of another user: %s', base =>
    inRepository(async ({ run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
      const ended = await run('plan', 'net', '--base', base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('dubious ownership');
      expect(ended.stderr).toContain('git config --global --add safe.directory');
      const unrecorded = await run('apply', 'net', '--record-base', '--yes');
      expect(unrecorded.code).toBe(6);
      expect(unrecorded.stderr).toContain('dubious ownership');
    }),
  );

  test.each(['HEAD', 'auto'])('without git: %s', base =>
    inRepository(async ({ run, commit }) => {
      await commit(BOTH);
      vi.stubEnv('PATH', '/nowhere');
      const ended = await run('plan', 'net', '--base', base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('git is not installed');
      expect((await run('plan', 'net', '--base', './net')).code).toBe(0);
      expect((await run('plan', 'net', '--base', 'net')).code).toBe(0);
    }),
  );

  test('in a shallow clone', () =>
    inRepository(async ({ cwd, commit, head }) => {
      await commit(BOTH);
      const before = head();
      await commit(ONE);
      git(cwd, 'clone', '--quiet', '--depth=1', `file://${cwd}`, 'clone');
      for (const base of [before, 'HEAD~1']) {
        const ended = await repositoryIn(join(cwd, 'clone')).run('plan', 'net', '--base', base);
        expect(ended.code).toBe(3);
        expect(ended.stderr).toContain('this is a shallow clone');
        expect(ended.stderr).toContain('git fetch --unshallow');
      }
    }));

  test.each(['HEAD~1', 'auto'])('in a folder that was renamed: %s', base =>
    inRepository(async ({ cwd, run, commit }) => {
      await commit(BOTH);
      await run('apply', 'net', ...AUTO, '--yes');
      await rename(join(cwd, 'net'), join(cwd, 'overlay'));
      git(cwd, 'add', '.');
      git(cwd, 'commit', '--quiet', '--message=renamed');
      const ended = await run('plan', 'overlay', '--base', base);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('overlay');
      expect(ended.stderr).toContain('was the path renamed since?');
      expect(ended.stderr).toContain('git worktree add ../base');
      git(cwd, 'worktree', 'add', '--quiet', `${cwd}-base`, 'HEAD~1');
      onTestFinished(() => rm(`${cwd}-base`, { recursive: true }));
      const flags = ['--base', `${cwd}-base/net`, '--record-base', '--yes'];
      expect((await run('apply', 'overlay', ...flags)).code).toBe(0);
    }),
  );

  test('where no repository is', () =>
    inFolder(async cwd => {
      await mkdir(join(cwd, 'net'));
      await writeFile(join(cwd, 'net/network.yaml'), BOTH);
      const ended = await repositoryIn(cwd).run('plan', 'net', '--base', 'HEAD');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('this is not a git repository');
    }));

  test('where it has a submodule or a link that leads out', () =>
    inRepository(async ({ cwd, run, commit, head }) => {
      await commit(BOTH);
      git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${head()},net/shared`);
      git(cwd, 'commit', '--quiet', '--message=submodule');
      const ended = await run('plan', 'net', '--base', 'HEAD');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('`HEAD:shared` cannot be read: it is a submodule');
    }));
});

test('the base of one file is that file, not what lies beside it', () =>
  inRepository(async ({ cwd, run, commit }) => {
    await commit(BOTH);
    await writeFile(join(cwd, 'net/other.yaml'), nameless('{ name: c }'));
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '--message=other');
    await run('apply', 'net', '--yes');
    const { stdout } = await run(
      'plan',
      'net/network.yaml',
      '--prune',
      'removed',
      '--base',
      'HEAD',
    );
    expect(stdout).toContain('No changes.');
  }));
