// A run that is named with the path of another folder than its own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

async function declareIn(
  folder: string,
  { folder: clone }: Machine,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): Promise<void> {
  await mkdir(join(clone, folder), { recursive: true });
  await writeFile(join(clone, folder, 'meshform.yaml'), `account: ${id}\n`);
  const groups = names.map(name => `{ name: ${name} }`).join(', ');
  await writeFile(join(clone, folder, 'groups.yaml'), `groups: [${groups}]\n`);
  git(clone, 'add', '--all', '.');
  git(clone, 'commit', '--quiet', '--message=a change');
}

const RECORDS = ['--base', 'auto', '--record-base', '--first', '--yes'];

/** The first characters of the run that is incomplete. */
async function incompleteRun(one: Machine): Promise<string> {
  const { stdout } = await one.run('runs', 'app', '--format', 'json');
  const runs = JSON.parse(stdout).runs as { run: string; outcome: string }[];
  return runs.find(({ outcome }) => outcome === 'incomplete')?.run.slice(0, 8) ?? '';
}

const story = (use: (all: Machines, one: Machine, run: string) => Promise<void>): Promise<void> =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await declareIn('app', one, { id: all.id, names: ['app1', 'app2'] });
    const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 400, times: 1 };
    await all.account.fault(fault);
    expectCode(await one.run('apply', 'app', ...RECORDS), 4);
    await use(all, one, await incompleteRun(one));
  });

const ALLOW = ['--allow', 'DELETES_OBJECT', '--yes'];

test('a run of another folder is not undone, resumed or abandoned, and the command that would do it is printed', () =>
  story(async (all, one, run) => {
    const before = await all.groups();
    for (const [verb, ...more] of [['undo', ...ALLOW], ['resume', '--yes'], ['abandon']]) {
      const refused = await one.run('apply', 'network', `--${verb}`, run, ...more);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(
        `the run \`${run}\` belongs to the folder app, not to network`,
      );
      expect(refused.stderr).toContain(`\`meshform apply app --${verb} ${run}\``);
    }
    expect(await all.groups()).toEqual(before);
    // Without a path it is the folder of the run, wherever that is below.
    expectCode(await one.run('apply', '--resume', run, '--yes'), 0);
    expect(await all.groups()).toEqual(['a', 'app1', 'app2']);
    const refused = await one.run('apply', 'network', '--undo', run, ...ALLOW);
    expectCode(refused, 6);
    expectCode(await one.run('apply', 'app', '--undo', run, ...ALLOW), 0);
    expect(await all.groups()).toEqual(['a']);
  }));

test('a run of a renamed folder can be closed from the folder under its new name', () =>
  story(async (_, one, run) => {
    git(one.folder, 'mv', 'app', 'apps');
    git(one.folder, 'commit', '--quiet', '--message=another name');
    const closed = await one.run('apply', 'apps', '--abandon', run);
    expectCode(closed, 0);
    expect(closed.stderr).toContain('is closed');
  }));
