// How often an apply of less than a minute pushes, what goes together, and what is left if its machine is lost in between.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines, PRUNE } from './sharedMachines.ts';

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
  test('of a saved plan pushes three times, because the plan is checked on the account as it is under the lock', () =>
    machines(async all => {
      const one = await planned(all);
      const { pushes } = await counted(all);
      expectCode(await one.run(...APPLIED), 0);
      expect(await pushes()).toEqual(['locks', 'journal locks', 'base journal locks']);
      expect(await all.groups()).toEqual(['a', 'b']);
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
});

describe('a machine that is lost in its first third of the lock', () => {
  // The remote takes no push after the first write, as if the machine were gone.
  const lost = async (all: Machines): Promise<void> => {
    const one = await planned(all);
    await counted(all);
    const hook = join(all.remote, 'hooks/pre-receive');
    const log = join(all.remote, '../pushes.log');
    await writeFile(hook, `#!/bin/sh\n[ ! -s ${log} ] || [ $(wc -l < ${log}) -lt 2 ]\n`);
    await chmod(hook, 0o755);
    expect((await one.run(...APPLIED)).code).not.toBe(0);
    expect(await all.groups()).toEqual(['a', 'b']);
    await rm(hook);
    git(all.remote, 'update-ref', '-d', all.lock);
  };

  test('has proved what its saved plan created: an apply of files without it deletes that', () =>
    machines(async all => {
      await lost(all);
      const two = await all.machine('two');
      await two.declare('a');
      const applied = await two.apply();
      expectCode(applied, 0);
      expect(applied.stderr).toContain('it created group.b');
      expect(await all.groups()).toEqual(['a']);
    }));

  test('has proved what its saved plan created: another machine resumes it', () =>
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
      expect(resumed.stderr).toContain('at least 0 of 1 action are done already');
      expect(await all.groups()).toEqual(['a', 'b']);
    }));
});
