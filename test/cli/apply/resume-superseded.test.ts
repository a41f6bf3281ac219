// A complete apply that has nothing to write supersedes the unfinished runs of its files too: nobody resumes them any more.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Machine, type Machines, machines } from '../lock/sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

const FILE = ['--lock', 'file', '--yes'] as const;
const GIT = ['--lock', 'git', '--yes'] as const;
const ALLOW = ['--allow', 'DELETES_OBJECT'] as const;
const at = (minute: number): number => minute * 60_000;

/** Refuses each write of this kind once. */
const refuse = (all: Machines, method: string, path: string) =>
  all.account.fault({ method, path, effect: 'status', status: 400, times: 1 });

const runsOf = async (one: Machine): Promise<{ run: string }[]> =>
  JSON.parse((await one.run('runs', 'network', '--format', 'json')).stdout).runs;

// The group `b` could not be created, and the files were reverted since.
async function reverted(all: Machines, lock: readonly string[]): Promise<Machine> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await one.runAt(at(1), 'apply', 'network', ...lock), 0);
  await one.declare('a', 'b');
  await refuse(all, 'POST', '/api/groups');
  expectCode(await one.runAt(at(2), 'apply', 'network', ...lock), 4);
  await one.declare('a');
  return one;
}

test.each(
  someOf(
    [
      ['a file', FILE],
      ['the Git remote', GIT],
    ] as const,
    1,
  ),
)('a run is not resumed after an apply without changes, with the lock in %s', (_, lock) =>
  machines(async all => {
    const one = await reverted(all, lock);
    const [{ run } = { run: '' }] = await runsOf(one);
    const later = await one.runAt(at(3), 'apply', 'network', ...lock);
    expectCode(later, 0);
    expect(later.stdout).toContain('No changes');
    const [by, replaced] = await runsOf(one);
    expect(replaced).toMatchObject({ run, outcome: 'superseded', closed_by: by?.run });
    for (const named of [[], [run.slice(0, 8)]]) {
      const resumed = await one.runAt(at(4), 'apply', 'network', '--resume', ...named, ...lock);
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain('of the same files is complete');
    }
    expect(await all.groups()).toEqual(['a']);
  }),
);

test('other machines know that a run was superseded if the lock is in the Git remote', () =>
  machines(async all => {
    const one = await reverted(all, GIT);
    expectCode(await one.runAt(at(3), 'apply', 'network', ...GIT), 0);
    const two = await all.machine('two');
    const resumed = await two.runAt(at(4), 'apply', 'network', '--resume', ...GIT);
    expectCode(resumed, 6);
    expect(resumed.stderr).toContain('of the same files is complete');
    expect(await all.groups()).toEqual(['a']);
  }));

test(
  'an apply without changes is recorded once, and not at all without an unfinished run',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.runAt(at(1), 'apply', 'network', ...FILE), 0);
      expectCode(await one.runAt(at(2), 'apply', 'network', ...FILE), 0);
      expect(await runsOf(one)).toHaveLength(1);
      await one.declare('a', 'b');
      await refuse(all, 'POST', '/api/groups');
      expectCode(await one.runAt(at(3), 'apply', 'network', ...FILE), 4);
      await one.declare('a');
      for (const minute of [4, 5, 6])
        expectCode(await one.runAt(at(minute), 'apply', 'network', ...FILE), 0);
      expect(await runsOf(one)).toHaveLength(3);
    }),
);

/** What the files without the unmerged commit do after it was applied: the groups that they then declare. */
const LATER: Readonly<Record<string, (one: Machine, all: Machines) => Promise<readonly string[]>>> =
  {
    'without changes': async () => ['a'],
    'with changes': async one => {
      await one.declare('a', 'c');
      return ['a', 'c'];
    },
    'without changes, which leaves a journal because of another run': async (one, all) => {
      await one.declare('a', 'd');
      await refuse(all, 'POST', '/api/groups');
      expectCode(await one.runAt(at(2), 'apply', 'network', '--lock', 'file', '--yes'), 4);
      await one.declare('a');
      return ['a'];
    },
  };

test.each(
  someOf(
    Object.keys(LATER).flatMap(later => [
      [later, 'a file', ['--lock', 'file']] as const,
      [later, 'the Git remote', []] as const,
    ]),
    2,
  ),
)(
  'a run whose revision was not merged is not superseded by an apply %s, with the lock in %s',
  (later, _, lock) =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(...lock), 0);
      const merged = git(one.folder, 'rev-parse', 'HEAD').trim();
      await writeFile(`${one.folder}/network/groups.yaml`, 'groups: [{ name: a }, { name: b }]\n');
      git(one.folder, 'commit', '--quiet', '--all', '--message=not pushed');
      await refuse(all, 'POST', '/api/groups');
      const how = ['--base', 'auto', '--record-base', '--prune', 'removed', '--yes', ...lock];
      expectCode(await one.runAt(at(1), 'apply', 'network', ...how), 4);
      const [{ run } = { run: '' }] = await runsOf(one);
      git(one.folder, 'branch', 'unmerged');
      git(one.folder, 'reset', '--quiet', '--hard', merged);
      const declared = await LATER[later]?.(one, all);
      expectCode(await one.runAt(at(3), 'apply', 'network', ...how), 0);
      expect(await all.groups()).toEqual(declared);
      const shown = (await runsOf(one)).find(other => other.run === run);
      expect(shown).toMatchObject({ outcome: 'incomplete' });
      git(one.folder, 'merge', '--quiet', '--strategy-option=theirs', '--no-edit', 'unmerged');
      const both = [...(declared ?? []), 'b'].sort();
      const resume = ['--resume', run.slice(0, 8), '--yes', ...lock];
      const resumed = await one.runAt(at(4), 'apply', 'network', ...resume);
      if (later === 'without changes') {
        expectCode(resumed, 0);
        expect(await all.groups()).toEqual(both);
        return;
      }
      // The run was compared with an older base: the merged files do what is left of it.
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain(`an apply recorded ${all.base}`);
      if (both.includes('c')) await one.declare(...both);
      expectCode(await one.runAt(at(5), 'apply', 'network', ...how), 0);
      expect(await all.groups()).toEqual(both);
      const closed = (await runsOf(one)).find(other => other.run === run);
      expect(closed).toMatchObject({ outcome: 'superseded' });
    }),
);

test('an apply of some of the objects without changes supersedes no run', () =>
  machines(async all => {
    const one = await reverted(all, FILE);
    await one.declare('a', 'd');
    const only = ['--only', 'group/a'];
    expectCode(await one.runAt(at(3), 'apply', 'network', ...only, ...FILE), 0);
    expectCode(await one.runAt(at(4), 'apply', 'network', '--resume', ...FILE), 0);
    expect(await all.groups()).toEqual(['a', 'b']);
  }));

test.each([
  ['a file', ['--lock', 'file']],
  ['the Git remote', []],
] as const)(
  'an apply of some of the objects that changes neither them nor their base leaves a run to be resumed, with the lock in %s',
  { tags: 'variation' },
  (_, lock) =>
    machines(async all => {
      const how = ['--base', 'auto', '--record-base', '--prune', 'removed', '--yes', ...lock];
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.runAt(at(1), 'apply', 'network', ...how), 0);
      await one.declare('a', 'b');
      await refuse(all, 'POST', '/api/groups');
      expectCode(await one.runAt(at(2), 'apply', 'network', ...how), 4);
      await one.declare('a', 'b', 'c');
      const only = await one.runAt(at(3), 'apply', 'network', ...how, '--only', 'group/a');
      expectCode(only, 0);
      expect(only.stdout).toContain('No changes');
      expectCode(await one.runAt(at(4), 'apply', 'network', '--resume', '--yes', ...lock), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
      expectCode(await one.runAt(at(5), 'apply', 'network', ...how), 0);
      expect(await all.groups()).toEqual(['a', 'b', 'c']);
    }),
);

test.each([
  ['without a base', FILE],
  ['with a base', ['--base', 'auto', '--record-base', '--prune', 'removed', '--yes']],
] as const)(
  'an interrupted undo is not resumed after an apply without changes, %s',
  { tags: 'variation' },
  (_, how) =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.runAt(at(1), 'apply', 'network', ...how), 0);
      await one.declare('a', 'b');
      expectCode(await one.runAt(at(2), 'apply', 'network', ...how), 0);
      await refuse(all, 'DELETE', '/api/groups/*');
      const undo = ['apply', 'network', '--undo', '--yes', ...ALLOW];
      expectCode(await one.runAt(at(3), ...undo), 4);
      const later = await one.runAt(at(4), 'apply', 'network', ...how);
      expectCode(later, 0);
      expect(later.stdout).toContain('No changes');
      const resume = ['apply', 'network', '--resume', '--yes', ...ALLOW];
      const resumed = await one.runAt(at(5), ...resume);
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain('of the same files is complete');
      expect(await all.groups()).toEqual(['a', 'b']);
    }),
);

test(
  'an interrupted undo is not resumed once another machine, with its own lock, has recorded a base',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      const how = ['--base', 'auto', '--record-base', '--prune', 'removed', '--yes'];
      await one.declare('a', 'b');
      expectCode(await one.runAt(at(1), 'apply', 'network', ...how), 0);
      await refuse(all, 'DELETE', '/api/groups/*');
      const undo = ['apply', 'network', '--undo', '--lock', 'file', '--yes', ...ALLOW];
      expectCode(await one.runAt(at(2), ...undo), 4);
      const two = await all.machine('two');
      await two.declare('a', 'b', 'c');
      expectCode(await two.runAt(at(3), 'apply', 'network', ...how), 0);
      const fetch = ['+refs/meshform-base/*:refs/meshform-base/*'];
      git(one.folder, 'fetch', '--quiet', 'origin', ...fetch);
      const resume = ['apply', 'network', '--resume', '--lock', 'file', '--yes', ...ALLOW];
      const resumed = await one.runAt(at(4), ...resume);
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain(`a later apply recorded ${all.base}`);
      expect(await all.groups()).toEqual(['a', 'b', 'c']);
    }),
);

test(
  'an undo that has nothing to take back keeps its run from being resumed',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await reverted(all, FILE);
      const [{ run } = { run: '' }] = await runsOf(one);
      expectCode(await one.runAt(at(3), 'apply', 'network', '--undo', run, ...FILE), 0);
      const resumed = await one.runAt(at(4), 'apply', 'network', '--resume', run, ...FILE);
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain('it was undone by the run');
      expect(await all.groups()).toEqual(['a']);
    }),
);

test(
  'an undo without a name undoes the last apply that wrote to the account',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      await all.account.fault({
        method: 'POST',
        path: '/api/groups',
        effect: 'status',
        status: 400,
        nth: 2,
      });
      const apply = ['apply', 'network', ...FILE, '--concurrency', '1'];
      expectCode(await one.runAt(at(1), ...apply), 4);
      const [{ run } = { run: '' }] = await runsOf(one);
      await one.declare('a');
      expectCode(await one.runAt(at(2), ...apply), 0);
      const undone = await one.runAt(at(3), 'apply', 'network', '--undo', ...FILE, ...ALLOW);
      expectCode(undone, 0);
      expect(undone.stderr).toContain(`undoing the last apply of network: ${run.slice(0, 8)}`);
      expect(await all.groups()).toEqual([]);
    }),
);

test.each(
  someOf(
    [
      ['a file', FILE],
      ['the Git remote', GIT],
    ] as const,
    1,
  ),
)('a saved plan whose unfinished run was undone is stale, with the lock in %s', (_, lock) =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    expectCode(await one.runAt(at(1), 'plan', 'network', '--out', 'plan.json'), 0);
    await all.account.fault({
      method: 'POST',
      path: '/api/groups',
      effect: 'status',
      status: 400,
      nth: 2,
    });
    const apply = ['apply', 'plan.json', ...lock, '--concurrency', '1'];
    expectCode(await one.runAt(at(2), ...apply), 4);
    const undo = ['apply', 'network', '--undo', ...lock, ...ALLOW];
    expectCode(await one.runAt(at(3), ...undo), 0);
    for (const again of [apply, ['plan', 'check', 'plan.json']]) {
      const refused = await one.runAt(at(4), ...again);
      expectCode(refused, 5);
      expect(refused.stderr).toContain('has undone it');
    }
    if (lock === GIT) {
      const two = await all.machine('two');
      git(two.folder, 'pull', '--quiet');
      await writeFile(`${two.folder}/plan.json`, await readFile(`${one.folder}/plan.json`));
      expectCode(await two.runAt(at(5), ...apply), 5);
    }
    expect(await all.groups()).toEqual([]);
  }),
);

test('a run whose undo was undone names the run to undo', { tags: 'variation' }, () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.runAt(at(1), 'apply', 'network', ...FILE), 0);
    const newest = async () => ((await runsOf(one))[0]?.run ?? '').slice(0, 8);
    const undo = async (minute: number, run: string) =>
      one.runAt(at(minute), 'apply', 'network', '--undo', run, ...FILE, ...ALLOW);
    const first = await newest();
    expectCode(await undo(2, first), 0);
    expectCode(await undo(3, await newest()), 0);
    const again = await newest();
    const refused = await undo(4, first);
    expectCode(refused, 6);
    expect(refused.stderr).toContain(`\`meshform apply network --undo ${again}\``);
    expect(await all.groups()).toEqual(['a']);
    expectCode(await undo(5, again), 0);
    expect(await all.groups()).toEqual([]);
  }),
);
