// Unfinished applies that no apply of their own folder finds any more: the folder is gone, or the journal.
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { removeJournal } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines, PRUNE } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const LATE =
  'posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };
const LIMITED = ['--only', 'group/d'];

/** An apply that created the group `c` and was not finished. Resolves to the machine and the beginning of its id. */
async function unfinished(all: Machines): Promise<[Machine, string]> {
  const one = await all.machine('one');
  await one.declare('a', 'b');
  expectCode(await one.apply(), 0);
  await one.write('x.yaml', `groups: [{ name: c }]\n${LATE}`);
  await all.account.fault({ ...REFUSED, times: 1 });
  expectCode(await one.apply('--concurrency', '1'), 4);
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  const { runs } = JSON.parse(stdout) as { runs: { run: string; outcome: string }[] };
  const open = runs.find(({ outcome }) => outcome === 'incomplete');
  return [one, String(open?.run).slice(0, 8)];
}

function move({ folder }: Machine, from: string, to: string): void {
  git(folder, 'rm', '--quiet', `${from}/x.yaml`);
  git(folder, 'mv', from, to);
  git(folder, 'commit', '--quiet', '--message=moved');
  git(folder, 'push', '--quiet', 'origin', 'HEAD:main');
  git(folder, 'fetch', '--quiet', 'origin');
}

const plan = (folder: string) => ['plan', folder, ...PRUNE.slice(0, 2), '--base', 'auto'];
const drift = (folder: string) => ['drift', folder, '--base', 'auto'];
const apply = (folder: string) => [
  'apply',
  folder,
  ...PRUNE,
  '--base',
  'auto',
  '--record-base',
  '--yes',
];

test(
  'an unfinished apply named by the base is reported after its journal was removed, until a person closes it',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const [, run] = await unfinished(all);
      const two = await all.machine('two');
      await two.write('x.yaml', 'groups: [{ name: d }]\n');
      expectCode(await two.apply(...LIMITED), 0);
      removeJournal(all, run);
      const told = `the apply ${run} was unfinished when the base of`;
      expect((await two.run(...plan('network'))).stderr).toContain(told);
      expect((await two.run(...drift('network'))).stderr).toContain(told);
      for (const group of ['e', 'f']) {
        await two.write('y.yaml', `groups: [{ name: ${group} }]\n`);
        const applied = await two.apply();
        expectCode(applied, 0);
        expect(applied.stderr).toContain(told);
        expect(applied.stderr).toContain(`meshform apply --abandon ${run}`);
      }
      const forgotten = await two.run('base', 'forget', 'network', 'network', '--yes');
      expectCode(forgotten, 6);
      expectCode(await two.run('apply', 'network', '--abandon', run, '--yes'), 0);
      const next = await two.run(...plan('network'));
      expectCode(next, 0);
      expect(next.stderr).not.toContain(run);
      await two.write('y.yaml', 'groups: [{ name: e }]\n');
      const last = await two.apply();
      expectCode(last, 0);
      expect(last.stderr).not.toContain(run);
      expect(await all.groups()).toEqual(['a', 'b', 'c', 'd', 'e']);
    }, 'netbird'),
);

test('an unfinished apply of a deleted folder is reported by the other folders of the account, and undone there', () =>
  machines(async all => {
    const [one, run] = await unfinished(all);
    move(one, 'network', 'overlay');
    const told = `of the folder \`network\`, which has no files in this checkout, was not finished: it created group.c`;
    const planned = await one.run(...plan('overlay'), '--first');
    expect(planned.stderr).toContain(told);
    expect(planned.stderr).toContain(`meshform apply --undo ${run}`);
    expect(planned.stderr).toContain('warning LEFT_BY_RUN group.c was created');
    // No apply of other files removes it.
    expect(planned.stderr).not.toContain('--prune removed');
    const applied = await one.run(...apply('overlay'), '--first');
    expectCode(applied, 0);
    expect(applied.stderr).toContain(told);
    expect((await one.run(...drift('overlay'))).stderr).toContain(told);
    const forgotten = await one.run('base', 'forget', 'network', 'overlay', '--yes');
    expectCode(forgotten, 6);
    expect(forgotten.stderr).toContain(`the apply ${run} of`);
    expectCode(await one.run('apply', 'overlay', '--undo', run, '--yes', ...PRUNE.slice(2)), 0);
    expect(await all.groups()).toEqual(['a', 'b']);
    expect((await one.run(...plan('overlay'))).stderr).not.toContain(run);
    expectCode(await one.run('base', 'forget', 'network', 'overlay', '--yes'), 0);
  }, 'netbird'));

test(
  'changes left by an abandoned apply are reported after its folder was moved and its base taken over',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const [one, run] = await unfinished(all);
      expectCode(await one.run('apply', 'network', '--abandon', run, '--yes'), 0);
      move(one, 'network', 'overlay');
      expectCode(await one.run('base', 'adopt', 'network', 'overlay', '--yes'), 0);
      const told = `warning LEFT_BY_RUN group.c was created by the apply ${run}, which was not finished; its folder \`network\` has no files any more`;
      for (const argv of [apply('overlay'), plan('overlay'), drift('overlay')])
        expect((await one.run(...argv)).stderr).toContain(told);
    }, 'netbird'),
);
