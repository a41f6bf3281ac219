// How often an apply of less than a minute pushes, what goes together, and what is left if its machine is lost in between.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AccountLock } from '../../../src/apply/lock/accountLock.ts';
import { gitAccountLock } from '../../../src/apply/lock/gitAccountLock.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import type { RefCommits } from '../../../src/read/remote/remoteRefs.ts';
import { git } from '../../support/git.ts';
import {
  expectCode,
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

describe('an apply of less than a minute', () => {
  test('of a saved plan pushes twice: the lock with the journal, and then the end of both with the base', () =>
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

  test('of files pushes three times, because its plan is made on the account as it is under the lock', () =>
    machines(async all => {
      const one = await planned(all);
      const { pushes } = await counted(all);
      expectCode(await one.apply(), 0);
      expect(await pushes()).toEqual(['locks', 'journal locks', 'base journal locks']);
    }));

  test('that finds nothing to do pushes twice, and leaves no journal', () =>
    machines(async all => {
      const one = await planned(all);
      expectCode(await one.apply(), 0);
      const { pushes } = await counted(all);
      expectCode(await one.apply(), 0);
      expectCode(await one.run(...SAVED), 0);
      expectCode(await one.run(...APPLIED), 0);
      expect(await pushes()).toEqual(['locks', 'locks', 'locks', 'locks']);
    }));

  test('of a saved plan whose remote moves refs only forward pushes twice, too', () =>
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
    }));
});

describe('a saved plan whose journal came with the lock', () => {
  test('leaves no journal if the apply is refused under the lock', () =>
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
    }));

  test('is found by another machine, which goes on, if its machine is lost before the first write', () =>
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
      expect(JSON.parse(before.stdout).runs[0]).toMatchObject({ outcome: 'running' });
      git(all.remote, 'update-ref', '-d', all.lock);
      expectCode(await two.run('apply', 'network', '--resume', '--record-base', '--yes'), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
      const runs = await two.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs[0]).toMatchObject({ outcome: 'complete' });
    }));

  test('is not pushed before a person has said yes', () =>
    machines(async all => {
      const one = await planned(all);
      const { pushes } = await counted(all);
      const unasked = APPLIED.filter(word => word !== '--yes');
      expect((await one.run(...unasked)).code).not.toBe(0);
      expect(await pushes()).toEqual([]);
    }));
});

describe('the lock and a journal in one push', () => {
  const FIRST = { name: '2026-01-02T03-04-05.000Z_00000000-0000-4000-8000-000000000001.jsonl' };

  const lockAt = async ({ folder }: Machine, before: RefCommits): Promise<AccountLock> => {
    const place = { folder, host: { env: process.env } };
    const objects = await separateObjects(place, { state: `${folder}-state`, now: 0 });
    return gitAccountLock(
      { objects, name: 'origin', patience: 30_000 },
      {
        account: 'a1',
        now: () => 0,
        before,
        holder: { id: '00000000-0000-4000-8000-000000000001', machine: 'one', since: '' },
        ttl: 180,
        wait: 0,
        clocks: { monotonic: () => 0, wall: () => 0 },
        sleep: async () => {},
      },
    );
  };
  const begins = () => ({ ...FIRST, plan: 'sha256:1', text: '{}\n' });

  test('are two if somebody has moved the journals since they were read: the lock is taken alone', () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const { pushes } = await counted(all);
      const commit = git(all.remote, 'rev-parse', 'main').trim();
      git(all.remote, 'update-ref', 'refs/meshform-journal/a1', commit);
      const held = await (await lockAt(one, new Map())).take(begins);
      expect('refused' in held ? held : held.store?.isBegun).toBe(false);
      expect(await pushes()).toEqual(['locks']);
    }));

  test('are known to be there if the answer of the remote is lost', () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      await counted(all);
      const hook = join(all.remote, 'hooks/post-receive');
      await writeFile(hook, '#!/bin/sh\nrm "$0"\nkill -9 $PPID\n');
      const held = await (await lockAt(one, new Map())).take(begins);
      if ('refused' in held) throw new Error(held.refused);
      expect(held.store?.isBegun).toBe(true);
      // The run does not take its own journal for that of another one.
      expect(await held.store?.journals.all()).toEqual([]);
      await held.renew();
      expect(git(all.remote, 'ls-tree', '--name-only', 'refs/meshform-journal/a1')).toContain(
        FIRST.name,
      );
      await held.release();
      expect(git(all.remote, 'ls-tree', '--name-only', 'refs/meshform-journal/a1')).toBe('');
      expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
    }));
});
