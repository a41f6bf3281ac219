// The undo of a run whose machine is lost: the copy of its journal at the remote lacks what the run did last.
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { cutNewest } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

/** Leaves of the newest journal what was pushed before the first write, and no base after it. */
function cutBeforeWrites(all: Machines): string {
  git(all.remote, 'update-ref', '-d', all.base);
  return cutNewest(all, 'send');
}

const undo = (machine: Machine, run: string) =>
  machine.runAt(120_000, 'apply', 'network', '--undo', run, '--yes', '--allow', 'DELETES_OBJECT');

test('an undo of an apply without its journal reverts the creates, updates and deletions in the audit log', () =>
  machines(async all => {
    const one = await all.machine('one');
    const check = (least: string) =>
      `posture_checks: [{ name: c, checks: { nb_version_check: { min_version: ${least} } } }]\n`;
    await one.write('c.yaml', check('0.50.0'));
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    await one.write('c.yaml', check('0.60.0'));
    await one.declare('a', 'd');
    expectCode(await one.applyAt(60_000), 0);
    const run = cutBeforeWrites(all);
    const undone = await undo(await all.machine('two'), run);
    expectCode(undone, 0);
    expect(await all.groups()).toEqual(['a', 'b']);
    const [live] = (await all.account.call('GET', '/api/posture-checks')) as { checks: object }[];
    expect(live?.checks).toMatchObject({ nb_version_check: { min_version: '0.50.0' } });
  }));

test('an undo of an apply without its journal keeps and lists changes without proof, and its exit code says so', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const run = cutBeforeWrites(all);
    await all.account.fault({
      method: 'GET',
      path: '/api/events/audit',
      effect: 'status',
      status: 403,
    });
    const undone = await undo(await all.machine('two'), run);
    expectCode(undone, 4);
    expect(undone.stderr).toContain('UNDO_UNPROVEN');
    expect(undone.stderr).toContain('group.a may have been created');
    expect(await all.groups()).toEqual(['a']);
  }));
