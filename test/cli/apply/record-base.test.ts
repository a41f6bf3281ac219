// The base that git remembers: an apply records what it applied, and the next plan begins there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { appliedRevision, git } from '../../support/git.ts';

interface Repository {
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  /** Writes the desired state and commits it. */
  readonly commit: (text: string) => Promise<void>;
  readonly write: (text: string) => Promise<void>;
  /** The applied revision that the base names; empty if there is none. */
  readonly recorded: () => string;
  readonly head: () => string;
  /** The server refuses the next creation of a group. */
  readonly refuseGroup: () => Promise<void>;
}

/** A repository of desired state for a new account, which its project file names. */
async function inRepository(story: (repository: Repository) => Promise<void>): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const groups = (await account.call('GET', '/api/groups')) as { id: string }[];
  const ref = `refs/meshform-base/${groups[0]?.id}/%2E`;
  await inFolder(async cwd => {
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    await writeFile(join(cwd, 'meshform.yaml'), `account: ${groups[0]?.id}\n`);
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    await story({
      run: (...argv) => meshform(argv, { env: environmentOf(account), cwd }),
      write,
      commit: async text => {
        await write(text);
        git(cwd, 'add', '.');
        git(cwd, 'commit', '--quiet', '--message=a change');
      },
      recorded: () => appliedRevision(cwd, ref),
      head: () => git(cwd, 'rev-parse', 'HEAD').trim(),
      refuseGroup: async () => {
        const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 400 };
        await account.fault({ ...fault, times: 1 });
      },
    });
  });
}

const ONE = 'groups: [{ name: a }]\n';
const TWO = 'groups: [{ name: b }]\n';
const RECORD = ['--record-base', '--yes'] as const;

describe('apply --record-base', () => {
  test('moves the ref once the apply is complete, and the next --base auto starts there', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(ONE);
      const first = await run('apply', ...RECORD);
      expect(first.code).toBe(0);
      expect(first.stderr).toContain(`is ${head().slice(0, 12)} now`);
      expect(recorded()).toBe(head());

      await commit(TWO);
      const removed = ['--prune', 'removed', '--base', 'auto'];
      const plan = await run('plan', ...removed);
      expect(plan.stdout).toContain('# group.a will be destroyed');
      expect(plan.stdout).toContain('Plan: 1 to add, 0 to change, 1 to destroy.');
      const refused = await run('apply', ...removed, ...RECORD);
      expect(refused.code).toBe(6);
      expect(recorded()).not.toBe(head());
      const allowed = await run('apply', ...removed, '--allow', 'DELETES_OBJECT', ...RECORD);
      expect(allowed.code).toBe(0);
      expect(recorded()).toBe(head());
    }));

  test('records the files that a saved plan was made of, not the current files', () =>
    inRepository(async ({ run, commit, recorded, head }) => {
      await commit(ONE);
      const planned = head();
      await run('plan', '--out', '../plan.json');
      await commit(TWO);
      expect((await run('apply', '../plan.json', ...RECORD)).code).toBe(0);
      expect(recorded()).toBe(planned);
    }));

  test('records the base also if a failed apply was continued', () =>
    inRepository(async ({ run, commit, recorded, head, refuseGroup }) => {
      await commit(ONE);
      await refuseGroup();
      expect((await run('apply', ...RECORD)).code).toBe(4);
      expect(recorded()).toBe('');
      const resumed = await run('apply', '--resume', '--yes');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(recorded()).toBe(head());
    }));

  test('records no base if it continues a run without --record-base', () =>
    inRepository(async ({ run, commit, recorded, refuseGroup }) => {
      await commit(ONE);
      await refuseGroup();
      expect((await run('apply', '--yes')).code).toBe(4);
      expect((await run('apply', '--resume', '--yes')).code).toBe(0);
      expect(recorded()).toBe('');
    }));

  test('refuses uncommitted files, before anything is written', () =>
    inRepository(async ({ run, commit, write, recorded }) => {
      await commit(ONE);
      await write(TWO);
      const refused = await run('apply', ...RECORD);
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('network.yaml has uncommitted changes');
      expect(recorded()).toBe('');
      expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
    }));
});

describe('--base auto', () => {
  test('is an error if nothing is recorded', () =>
    inRepository(async ({ run, commit }) => {
      await commit(ONE);
      const ended = await run('plan', '--prune', 'removed', '--base', 'auto');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('no base of the account is recorded in this clone');
    }));

  test('is an error if no account is named', () =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'network.yaml'), ONE);
      const ended = await meshform(['plan', '--base', 'auto'], { cwd });
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('write `account` into meshform.yaml');
    }));
});
