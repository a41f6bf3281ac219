// Journals that somebody deletes or replaces at the remote while an apply runs: the run had fetched them, and puts them back.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, FILES, type Machine, type Machines, machines } from './sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

const journalOf = ({ id }: Machines): string => `refs/meshform-journal/${id}`;
const at = (day: number): number => Date.UTC(2026, 0, day);

const outcomesAt = async (machine: Machine): Promise<readonly string[]> => {
  const { stdout } = await machine.run('runs', 'network', '--format', 'json');
  return JSON.parse(stdout).runs.map(({ outcome }: { outcome: string }) => outcome);
};

/** A complete apply, one that could not create its second group, and files that declare one more. */
async function unfinished(all: Machines): Promise<{ one: Machine; old: string }> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await one.applyAt(at(1)), 0);
  const old = git(all.remote, 'rev-parse', journalOf(all)).trim();
  await one.declare('a', 'b', 'c');
  await all.account.fault({
    method: 'POST',
    path: '/api/groups',
    effect: 'status',
    status: 400,
    nth: 2,
  });
  expectCode(await one.applyAt(at(2)), 4);
  await one.declare('a', 'b', 'c', 'd');
  return { one, old };
}

const REPLACED = {
  deleted: ({ remote }, ref) => git(remote, 'update-ref', '-d', ref),
  'put back to an older state': ({ remote }, ref, old) => git(remote, 'update-ref', ref, old),
  'replaced by what is no commit': ({ remote }, ref) => {
    const input = { input: 'no journals' };
    const blob = execFileSync('git', ['-C', remote, 'hash-object', '-w', '--stdin'], input);
    return git(remote, 'update-ref', ref, blob.toString().trim());
  },
} satisfies Record<string, (all: Machines, ref: string, old: string) => string>;

describe.each(Object.entries(REPLACED))(
  'journals that are %s while an apply runs',
  (_, replace) => {
    test.each(
      someOf(
        [
          ['of files', []],
          ['that leaves the earlier run unfinished', ['--only', 'group/d']],
        ],
        1,
      ),
    )('exist after an apply %s', (_, more) =>
      machines(async all => {
        const { one, old } = await unfinished(all);
        let isReplaced = false;
        all.account.onAnswer(({ method }) => {
          if (method !== 'POST' || isReplaced) return;
          isReplaced = true;
          replace(all, journalOf(all), old);
        });
        const ended = await one.runAt(at(3), ...FILES, '--yes', ...more);
        expectCode(ended, 0);
        expect(ended.stderr.split('somebody deleted or replaced')).toHaveLength(2);
        expect(isReplaced).toBe(true);
        const two = await all.machine('two');
        const outcomes = ['complete', more.length > 0 ? 'incomplete' : 'superseded', 'complete'];
        expect(await outcomesAt(two)).toEqual(outcomes);
      }),
    );
  },
);

test(
  'journals that are deleted between the listing and the push of the lock exist after the apply',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one } = await unfinished(all);
      let isDeleted = false;
      all.account.onAnswer(({ method, path }) => {
        if (method !== 'GET' || path !== '/api/routes' || isDeleted) return;
        isDeleted = true;
        git(all.remote, 'update-ref', '-d', journalOf(all));
      });
      expectCode(await one.applyAt(at(3)), 0);
      expect(isDeleted).toBe(true);
      expect(await outcomesAt(await all.machine('two'))).toHaveLength(3);
    }),
);

test(
  'journals that are deleted after every push are not reported as present at the end',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one } = await unfinished(all);
      const hook = join(all.remote, 'hooks/post-receive');
      await mkdir(join(all.remote, 'hooks'), { recursive: true });
      await writeFile(hook, `#!/bin/sh\ngit update-ref -d ${journalOf(all)}\n`);
      await chmod(hook, 0o755);
      const ended = await one.applyAt(at(3));
      expectCode(ended, 0);
      expect(ended.stderr).toContain('this run has pushed the journals that were there again');
      expect(ended.stderr).toContain('whether they are still there: `meshform runs network`');
      expect(ended.stderr).not.toContain('put back');
      expect(await outcomesAt(await all.machine('two'))).toEqual([]);
    }),
);
