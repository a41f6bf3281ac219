// `apply --undo` without a run takes the last apply of the files, which may be one of another person.
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const UNDO = ['apply', 'network', '--undo', '--allow', 'DELETES_OBJECT', '--yes'];

const identify = ({ folder }: Machine, name: string): void => {
  git(folder, 'config', 'user.name', name);
  git(folder, 'config', 'user.email', `${name}@example.com`);
};

/** Two people, each with an apply of their own; the one of the second is the last. */
async function twoPeople(all: Machines): Promise<{ readonly one: Machine; readonly two: Machine }> {
  const one = await all.machine('one');
  identify(one, 'First');
  await one.declare('a');
  expectCode(await one.apply(), 0);
  const two = await all.machine('two');
  identify(two, 'Second');
  await two.declare('a', 'b');
  expectCode(await two.applyAt(60_000), 0);
  git(one.folder, 'pull', '--quiet', 'origin', 'main');
  return { one, two };
}

test('--undo without a run undoes the apply of this person on this machine, and says which apply it is', () =>
  machines(async all => {
    const { two } = await twoPeople(all);
    const revision = git(two.folder, 'rev-parse', '--short=12', 'HEAD').trim();
    const undone = await two.run(...UNDO);
    expectCode(undone, 0);
    expect(undone.stderr).toMatch(
      new RegExp(
        `undoing the last apply of network: [0-9a-f]{8} of \\S+ by .*Second .* on test, of the revision ${revision}`,
      ),
    );
    expect(await all.groups()).toEqual(['a']);
  }));

test(
  '--undo of somebody else’s apply needs its name without a terminal, and asks at a terminal',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one } = await twoPeople(all);
      const refused = await one.run(...UNDO);
      expectCode(refused, 6);
      const [, run = ''] =
        /it is ([0-9a-f]{8}) of \S+ by .*Second .* on test/.exec(refused.stderr) ?? [];
      expect(refused.stderr).toContain(
        'the last apply of network was not made by this user on this machine',
      );
      expect(refused.stderr).toContain(`\`meshform apply network --undo ${run}\``);
      expectCode(await one.runAnswering('no', ...UNDO), 6);
      expect(await all.groups()).toEqual(['a', 'b']);
      const named = ['apply', 'network', '--undo', run, '--allow', 'DELETES_OBJECT', '--yes'];
      expectCode(await one.run(...named), 0);
      expect(await all.groups()).toEqual(['a']);
    }),
);

test('answering yes at a terminal undoes somebody else’s apply', () =>
  machines(async all => {
    const { one } = await twoPeople(all);
    expectCode(await one.runAnswering('yes', ...UNDO), 0);
    expect(await all.groups()).toEqual(['a']);
  }));
