// How often an apply of less than a minute pushes, what goes together, and what is left if its machine is lost in between.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AccountLock } from '../../../src/apply/lock/accountLock.ts';
import { gitAccountLock } from '../../../src/apply/lock/gitAccountLock.ts';
import { lockMessage } from '../../../src/apply/lockRecord.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { git } from '../../support/git.ts';
import {
  expectCode,
  FILES,
  type Machine,
  type Machines,
  machines,
  PRUNE,
  refsAt,
} from './sharedMachines.ts';

/** The refs of each push that the remote took since the last call, without the id of the account. */
interface Counted {
  readonly pushes: () => Promise<readonly string[]>;
}

async function counted({ remote }: Machines): Promise<Counted> {
  await mkdir(join(remote, 'hooks'), { recursive: true });
  const log = join(remote, '../pushes.log');
  const hook = join(remote, 'hooks/post-receive');
  const lines = [
    `while read from to ref; do printf '%s ' "$ref" >> ${log}; done`,
    `echo >> ${log}`,
  ];
  await writeFile(hook, `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(hook, 0o755);
  return {
    pushes: async () => {
      const text = await readFile(log, 'utf8').catch(() => '');
      await rm(log, { force: true });
      const refs = [...text.matchAll(/^.*$/gm)].map(([line]) => line.trim()).filter(Boolean);
      return refs
        .filter(line => line.includes('refs/meshform'))
        .map(line =>
          [...line.matchAll(/meshform-(\w+)/g)]
            .map(([, kind]) => kind)
            .sort()
            .join(' '),
        );
    },
  };
}

const SAVED = [
  'plan',
  'network',
  ...PRUNE,
  '--base',
  'auto',
  '--record-base',
  '--out',
  'plan.json',
];
const APPLIED = ['apply', 'plan.json', '--allow', 'DELETES_OBJECT', '--record-base', '--yes'];

/** A machine that has applied once, and has a saved plan that creates a group. */
async function planned(all: Machines): Promise<Machine> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await one.apply(), 0);
  await one.declare('a', 'b');
  expectCode(await one.run(...SAVED), 0);
  return one;
}

describe('a short apply', () => {
  test('an apply of a saved plan pushes twice: the lock with the journal, and then the end of both with the base', () =>
    machines(async all => {
      const one = await planned(all);
      const { pushes } = await counted(all);
      expectCode(await one.run(...APPLIED), 0);
      expect(await pushes()).toEqual(['journal locks', 'base journal locks']);
      expect(await all.groups()).toEqual(['a', 'b']);
      const runs = await one.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs).toMatchObject([
        { outcome: 'complete' },
        { outcome: 'complete' },
      ]);
      const again = await one.run(...APPLIED);
      expectCode(again, 0);
      expect(again.stdout + again.stderr).toContain('Already applied');
    }));

  test(
    'an apply of a saved plan pushes three times if the end of the audit log cannot be read before the lock',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await planned(all);
        const { pushes } = await counted(all);
        await all.account.fault({
          method: 'GET',
          path: '/api/events/audit',
          effect: 'status',
          status: 403,
        });
        expectCode(await one.run(...APPLIED), 0);
        expect(await pushes()).toEqual(['locks', 'journal locks', 'base journal locks']);
      }),
  );

  test(
    'an apply of files pushes twice if nobody else had the lock between the read of the account and the push',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await planned(all);
        const { pushes } = await counted(all);
        const applied = await one.apply();
        expectCode(applied, 0);
        expect(applied.stderr).not.toContain('read again');
        expect(await pushes()).toEqual(['journal locks', 'base journal locks']);
        expect(await all.groups()).toEqual(['a', 'b']);
      }),
  );

  test('an apply of files reads the account once', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await planned(all);
      const { requests } = all.account;
      const reads = (from: number) =>
        requests
          .slice(from)
          .filter(({ method, path }) => method === 'GET' && path === '/api/routes');
      const before = requests.length;
      expectCode(await one.apply(), 0);
      expect(reads(before)).toHaveLength(1);
      const between = requests.length;
      // Nothing to do.
      expectCode(await one.apply(), 0);
      expect(reads(between)).toHaveLength(1);
    }),
  );

  test(
    'an apply of files reads the account again, under the lock, if another run has applied meanwhile',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await planned(all);
        const two = await all.machine('two');
        await all.account.fault({
          method: 'GET',
          path: '/api/routes',
          effect: 'status',
          status: 503,
          times: 1,
        });
        let isApplied = false;
        const { pushes } = await counted(all);
        const again = await one.runPausing(
          async () => {
            if (isApplied) return;
            isApplied = true;
            expectCode(await two.apply(), 0);
          },
          ...FILES,
          '--yes',
        );
        expectCode(again, 0);
        expect(again.stderr).toContain('meshform reads the account again');
        expect(again.stdout).toContain('No changes');
        expect(await all.groups()).toEqual(['a', 'b']);
        expect(await pushes()).toEqual(['journal locks', 'base journal locks', 'locks', 'locks']);
      }),
  );

  test(
    'an apply of files that asks a person pushes three times: the plan is made, and shown, under the lock',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await planned(all);
        const { pushes } = await counted(all);
        expectCode(await one.runAnswering('yes', ...FILES), 0);
        expect(await pushes()).toEqual(['locks', 'journal locks', 'base journal locks']);
      }),
  );

  test(
    'an apply that finds nothing to do pushes twice, and keeps no journal',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await planned(all);
        expectCode(await one.apply(), 0);
        const { pushes } = await counted(all);
        expectCode(await one.apply(), 0);
        expectCode(await one.run(...SAVED), 0);
        expectCode(await one.run(...APPLIED), 0);
        expect(await pushes()).toEqual(['locks', 'locks', 'locks', 'locks']);
      }),
  );

  test(
    'an apply that finds nothing to do and records a new base pushes twice: the base is noted beside the journals',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await planned(all);
        expectCode(await one.apply(), 0);
        await one.write('notes.txt', 'nothing that is applied\n');
        const { pushes } = await counted(all);
        expectCode(await one.applyAt(60_000), 0);
        expect(await pushes()).toEqual(['locks', 'base journal locks']);
        const runs = await one.run('runs', 'network', '--format', 'json');
        expect(JSON.parse(runs.stdout).runs).toHaveLength(2);
      }),
  );

  test(
    'an apply of a saved plan pushes twice, too, if the remote moves refs only forward',
    { tags: 'variation' },
    () =>
      machines(async all => {
        await mkdir(join(all.remote, 'hooks'), { recursive: true });
        const hook = join(all.remote, 'hooks/update');
        // The settings of git deny this of branches alone.
        const lines = [
          'none=$(printf %040d 0)',
          '[ $3 = $none ] && exit 1',
          '[ $2 = $none ] || git merge-base --is-ancestor $2 $3',
        ];
        await writeFile(hook, `#!/bin/sh\n${lines.join('\n')}\n`);
        await chmod(hook, 0o755);
        const one = await planned(all);
        const { pushes } = await counted(all);
        expectCode(await one.run(...APPLIED), 0);
        expect(await pushes()).toEqual(['journal locks', 'base journal locks']);
        expect(await all.groups()).toEqual(['a', 'b']);
      }),
  );
});

describe('a saved plan whose journal is pushed with the lock', () => {
  test('keeps no journal if the apply is refused under the lock', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await planned(all);
      await all.account.call('POST', '/api/groups', { name: 'b' });
      const { pushes } = await counted(all);
      const refused = await one.run(...APPLIED);
      expect(refused.code).not.toBe(0);
      expect(await pushes()).toEqual(['journal locks', 'journal locks']);
      const runs = await one.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs).toHaveLength(1);
      expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
    }),
  );

  test('is resumed by another machine if its machine is lost before the first write', () =>
    machines(async all => {
      const one = await planned(all);
      const { pushes } = await counted(all);
      const once = join(all.remote, 'hooks/pre-receive');
      const log = join(all.remote, '../pushes.log');
      await writeFile(once, `#!/bin/sh\n[ ! -s ${log} ]\n`);
      await chmod(once, 0o755);
      // Something ends the apply under the lock, and the remote does not take what it pushes last.
      await all.account.fault({
        method: 'GET',
        path: '/api/groups',
        effect: 'status',
        status: 403,
        times: 1,
      });
      expect((await one.run(...APPLIED)).code).not.toBe(0);
      expect(await pushes()).toEqual(['journal locks']);
      await rm(once);
      const two = await all.machine('two');
      const before = await two.run('runs', 'network', '--format', 'json');
      const outcomes = (JSON.parse(before.stdout).runs as { outcome: string }[]).map(
        ({ outcome }) => outcome,
      );
      expect(new Set(outcomes)).toEqual(new Set(['running', 'complete']));
      git(all.remote, 'update-ref', '-d', all.lock);
      expectCode(await two.run('apply', 'network', '--resume', '--record-base', '--yes'), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
      const runs = await two.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs).toMatchObject([
        { outcome: 'complete' },
        { outcome: 'complete' },
      ]);
    }));

  test('is pushed only after a person has said yes', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await planned(all);
      const { pushes } = await counted(all);
      const unasked = APPLIED.filter(word => word !== '--yes');
      expect((await one.run(...unasked)).code).not.toBe(0);
      expect(await pushes()).toEqual([]);
    }),
  );
});

describe('a machine that is lost early in the lifetime of its lock', () => {
  // The remote takes no push after the first write, as if the machine were gone.
  const lost = async (all: Machines): Promise<void> => {
    const one = await planned(all);
    await counted(all);
    const hook = join(all.remote, 'hooks/pre-receive');
    const log = join(all.remote, '../pushes.log');
    await writeFile(hook, `#!/bin/sh\n[ ! -s ${log} ]\n`);
    await chmod(hook, 0o755);
    expect((await one.run(...APPLIED)).code).not.toBe(0);
    expect(await all.groups()).toEqual(['a', 'b']);
    await rm(hook);
    git(all.remote, 'update-ref', '-d', all.lock);
  };

  test(
    'leaves a journal of what its saved plan created: an apply of files without it deletes that',
    { tags: 'variation' },
    () =>
      machines(async all => {
        await lost(all);
        const two = await all.machine('two');
        await two.declare('a');
        const applied = await two.apply();
        expectCode(applied, 0);
        expect(applied.stderr).toContain('it created group.b');
        expect(await all.groups()).toEqual(['a']);
      }),
  );

  test(
    'leaves a journal of what its saved plan created: another machine resumes it',
    { tags: 'variation' },
    () =>
      machines(async all => {
        await lost(all);
        const two = await all.machine('two');
        // The group was created, and the copy of the journal does not know it.
        const listed = await two.run('runs', 'network');
        expect(listed.stdout).toContain('interrupted, at least 0 of 1 action done');
        const json = await two.run('runs', 'network', '--format', 'json');
        const runs: { outcome: string; done: number; cut_off?: boolean }[] = JSON.parse(
          json.stdout,
        ).runs;
        // Both have the same time, so they have no order.
        expect(new Set(runs.map(run => [run.outcome, run.done, run.cut_off].join()))).toEqual(
          new Set(['interrupted,0,true', 'complete,1,']),
        );
        const resumed = await two.run('apply', 'network', '--resume', '--record-base', '--yes');
        expectCode(resumed, 0);
        expect(resumed.stderr).toContain('at least 0 of 1 action is done already');
        expect(await all.groups()).toEqual(['a', 'b']);
      }),
  );
});

describe('the lock and a journal in one push', () => {
  const ID = '00000000-0000-4000-8000-000000000001';
  const FIRST = { name: `2026-01-02T03-04-05.000Z_${ID}.jsonl`, plan: 'sha256:1', text: '{}\n' };
  const JOURNALS = 'refs/meshform-journal/a1';
  const LOCK = 'refs/meshform-locks/a1';

  const lockAt = async ({ folder }: Machine): Promise<AccountLock> => {
    const place = { folder, host: { env: process.env } };
    const objects = await separateObjects(place, { state: `${folder}-state`, now: 0 });
    let time = 0;
    const now = () => time;
    return gitAccountLock(
      { objects, name: 'origin', patience: 30_000 },
      {
        account: 'a1',
        now,
        holder: { id: ID, machine: 'one', since: '' },
        ttl: 180,
        wait: 0,
        clocks: { monotonic: now, wall: now },
        sleep: async milliseconds => {
          time += milliseconds;
        },
      },
    );
  };
  const begun = async (all: Machines): Promise<readonly [AccountLock, Counted]> => {
    const one = await all.machine('one');
    await one.declare('a');
    return [await lockAt(one), await counted(all)];
  };

  test('are two pushes if another run moves the journals meanwhile, because it may have written to the account', () =>
    machines(async all => {
      const [lock, { pushes }] = await begun(all);
      const held = await lock.take(async () => {
        // It took the lock, wrote, and gave the lock back meanwhile: nothing but its journal is left of that.
        git(all.remote, 'update-ref', JOURNALS, git(all.remote, 'rev-parse', 'main').trim());
        return FIRST;
      });
      expect('refused' in held ? held : held.store?.isBegun).toBe(false);
      expect(await pushes()).toEqual(['locks']);
    }));

  test(
    'are two pushes if the lock is held, and then the end of the audit log is not read',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const [lock, { pushes }] = await begun(all);
        const gone = {
          id: 'gone',
          machine: 'two',
          since: '',
          is: 'run',
          ttl: 15,
          counter: 1,
        } as const;
        const tree = git(all.remote, 'rev-parse', 'main^{tree}').trim();
        const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
        const made = [...identity, 'commit-tree', '-m', lockMessage(gone), tree];
        git(all.remote, 'update-ref', LOCK, git(all.remote, ...made).trim());
        let isRead = false;
        const held = await lock.take(async () => {
          isRead = true;
          return FIRST;
        });
        // It may have written until its lock was over.
        expect('refused' in held ? held : held.store?.isBegun).toBe(false);
        expect(isRead).toBe(false);
        expect(await pushes()).toEqual(['locks']);
      }),
  );

  test('accept what was read before the lock, unless another run or another base came in between', () =>
    machines(async all => {
      const [lock] = await begun(all);
      const head = git(all.remote, 'rev-parse', 'main').trim();
      const take = async (meanwhile: readonly string[], first: typeof FIRST | undefined) => {
        const held = await lock.take(async () => {
          for (const ref of meanwhile) git(all.remote, 'update-ref', ref, head);
          return first;
        });
        if ('refused' in held) throw new Error(held.refused);
        await held.release();
        for (const ref of meanwhile) git(all.remote, 'update-ref', '-d', ref);
        return [held.store?.isBegun, held.store?.isUnmoved];
      };
      const BASE = 'refs/meshform-base/a1/network';
      expect(await take([], FIRST)).toEqual([true, true]);
      expect(await take([], undefined)).toEqual([false, true]);
      expect(await take([BASE], FIRST)).toEqual([true, false]);
      expect(await take([BASE], undefined)).toEqual([false, false]);
      expect(await take([JOURNALS], undefined)).toEqual([false, false]);
      expect(await take([JOURNALS], FIRST)).toEqual([false, false]);
    }));

  test(
    'are recognised as pushed if the response of the remote is lost',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const [lock] = await begun(all);
        const hook = join(all.remote, 'hooks/post-receive');
        await writeFile(hook, '#!/bin/sh\nrm "$0"\nkill -9 $PPID\n');
        const held = await lock.take(async () => FIRST);
        if ('refused' in held) throw new Error(held.refused);
        expect(held.store?.isBegun).toBe(true);
        // The run does not take its own journal for that of another one.
        expect(await held.store?.journals.all()).toEqual([]);
        await held.renew();
        expect(git(all.remote, 'ls-tree', '--name-only', JOURNALS)).toContain(FIRST.name);
        await held.release();
        expect(git(all.remote, 'ls-tree', '--name-only', JOURNALS)).toBe('');
        expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
      }),
  );
});
