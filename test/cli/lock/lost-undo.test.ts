// The undo of a run whose machine is lost: the copy of its journal at the remote lacks what the run did last.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

const input = (folder: string, text: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { input: text, encoding: 'utf8' }).trim();

/** Leaves of the newest journal at the remote only what was pushed before the first write. */
function cutNewest({ remote, id, base }: Machines): string {
  const ref = `refs/meshform-journal/${id}`;
  const names = git(remote, 'ls-tree', '--name-only', ref).trim().split('\n').sort();
  const newest = names.at(-1) ?? '';
  const entries = names.map(name => {
    const lines = git(remote, 'cat-file', 'blob', `${ref}:${name}`).split('\n');
    const end = lines.findIndex(line => line.includes('"type":"send"'));
    const kept = name === newest ? `${lines.slice(0, end).join('\n')}\n` : lines.join('\n');
    return `100644 blob ${input(remote, kept, 'hash-object', '-w', '--stdin')}\t${name}\n`;
  });
  const tree = input(remote, entries.join(''), 'mktree');
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  const commit = input(remote, '', ...identity, 'commit-tree', tree, '-m', 'cut');
  git(remote, 'update-ref', ref, commit);
  git(remote, 'update-ref', '-d', base);
  return newest.slice(newest.lastIndexOf('_') + 1, newest.lastIndexOf('_') + 9);
}

const undo = (machine: Machine, run: string) =>
  machine.runAt(120_000, 'apply', 'network', '--undo', run, '--yes', '--allow', 'DELETES_OBJECT');

test('everything that the audit log proves is undone: creates, updates and deletions', () =>
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
    const run = cutNewest(all);
    const undone = await undo(await all.machine('two'), run);
    expectCode(undone, 0);
    expect(await all.groups()).toEqual(['a', 'b']);
    const [live] = (await all.account.call('GET', '/api/posture-checks')) as { checks: object }[];
    expect(live?.checks).toMatchObject({ nb_version_check: { min_version: '0.50.0' } });
  }));

test('changes without proof stay, are named, and set the exit code', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const run = cutNewest(all);
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
