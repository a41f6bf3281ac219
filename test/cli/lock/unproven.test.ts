// What nothing proves of an unfinished apply: its journal at the remote does not say where the audit log ended before it.
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { cutNewest } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

/** A machine that had applied the group `a`, and whose apply of `b` left the first line of its journal. */
async function lost(all: Machines): Promise<Machine> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await one.apply(), 0);
  const base = git(all.remote, 'rev-parse', all.base).trim();
  await one.declare('a', 'b');
  expectCode(await one.applyAt(60_000), 0);
  git(all.remote, 'update-ref', all.base, base);
  cutNewest(all, 'log');
  return all.machine('two');
}

const outcomes = async (machine: Machine): Promise<readonly string[]> => {
  const { stdout } = await machine.run('runs', 'network', '--format', 'json');
  return (JSON.parse(stdout).runs as { outcome: string }[]).map(({ outcome }) => outcome);
};

const DOUBT = 'nothing proves whether it created group.b, which stays if no file declares it';

test('objects that a lost machine may have created are reported, and the apply that reverts its change stays open', () =>
  machines(async all => {
    const two = await lost(all);
    await two.declare('a');
    const planned = await two.run('plan', 'network', '--prune', 'removed', '--base', 'auto');
    expectCode(planned, 0);
    expect(planned.stderr).toContain(DOUBT);
    for (const now of [120_000, 180_000]) {
      const applied = await two.applyAt(now);
      expectCode(applied, 0);
      expect(applied.stderr).toContain('it provably created nothing');
      expect(applied.stderr).toContain(DOUBT);
      expect(await all.groups()).toEqual(['a', 'b']);
      expect(await outcomes(two)).toEqual(['interrupted', 'complete']);
    }
    // Nobody has to look for it once the files have it.
    await two.declare('a', 'b');
    expectCode(await two.applyAt(240_000), 0);
    expect(await outcomes(two)).toEqual(['superseded', 'complete']);
  }));

test(
  'an unfinished run of a lost machine that created nothing is closed by an apply, which says so',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const two = await lost(all);
      const groups = (await all.account.call('GET', '/api/groups')) as {
        id: string;
        name: string;
      }[];
      const made = groups.find(({ name }) => name === 'b');
      await all.account.call('DELETE', `/api/groups/${made?.id}`);
      await two.declare('a');
      const applied = await two.applyAt(120_000);
      expectCode(applied, 0);
      expect(applied.stderr).toContain('it created nothing;');
      expect(await outcomes(two)).toEqual(['superseded', 'complete']);
    }),
);
