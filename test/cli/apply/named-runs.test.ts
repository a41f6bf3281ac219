// With the lock in a file, the journals are on this machine: `runs` lists them, and `--undo` and `--resume` take a run by its id.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

interface Listed {
  readonly run: string;
  readonly folder: string;
}

/** Applies a folder twice, with the lock in a file; resolves to the runs as `runs` lists them, newest first. */
async function applied({ commit, id, run }: Teams, env = {}): Promise<readonly string[]> {
  for (const names of [['a'], ['a', 'b']]) {
    await commit(groupsIn('net', id, names));
    expectCode(await run(['apply', 'net', '--lock', 'file', '--yes'], env), 0);
  }
  const listed = await run(['runs', 'net'], env);
  expectCode(listed, 0);
  return [...listed.stdout.matchAll(/^([0-9a-f]{8}) /gm)].map(([, run = '']) => run);
}

const UNDO = ['--lock', 'file', '--yes', '--allow', 'DELETES_OBJECT'];

test('an apply can be undone by the id that `runs` shows', () =>
  teams(async all => {
    const runs = await applied(all);
    expect(runs).toHaveLength(2);
    const undone = await all.run(['apply', 'net', '--undo', runs[1] ?? '', ...UNDO]);
    expectCode(undone, 0);
    expect(await all.names('/api/groups')).toEqual(['All', 'b']);
    const other = await all.run(['apply', 'net', '--undo', '01234567', ...UNDO]);
    expectCode(other, 64);
    expect(other.stderr).toContain('have no run `01234567`');
  }));

test('a complete apply is not resumed by its id', () =>
  teams(async all => {
    const [last = ''] = await applied(all);
    const resumed = await all.run(['apply', 'net', '--resume', last, '--lock', 'file', '--yes']);
    expectCode(resumed, 0);
    expect(resumed.stderr).toContain('nothing to resume');
  }));

test('a run of another folder is not undone by its id', () =>
  teams(async all => {
    const { commit, id, run } = all;
    const [last = ''] = await applied(all);
    await commit(groupsIn('other', id, ['c']));
    const refused = await run(['apply', 'other', '--undo', last, ...UNDO]);
    expect(refused.code).not.toBe(0);
    expect(await all.names('/api/groups')).toEqual(['All', 'a', 'b']);
  }));

test('`runs` lists the applies of a folder that was moved meanwhile, and those of the other folders of the account', () =>
  teams(async all => {
    const { commit, cwd, id, run } = all;
    const env = { MESHFORM_JOURNALS: join(cwd, '.journals') };
    const runs = await applied(all, env);
    git(cwd, 'mv', 'net', 'moved');
    await commit(groupsIn('other', id, ['c']));
    for (const folder of ['moved', 'other']) {
      const listed = await run(['runs', folder, '--format', 'json'], env);
      expectCode(listed, 0);
      const found: readonly Listed[] = JSON.parse(listed.stdout).runs;
      expect(found.map(one => one.run.slice(0, 8)).toSorted()).toEqual(runs.toSorted());
      expect(found.map(one => one.folder)).toEqual(['net', 'net']);
      expectCode(await run(['runs', 'show', runs[0] ?? '', folder], env), 0);
    }
    await commit(groupsIn('foreign', 'another-account', ['a']));
    const foreign = await run(['runs', 'foreign', '--format', 'json'], env);
    expect(JSON.parse(foreign.stdout).runs).toEqual([]);
  }));

test.each(['undo', 'resume'])('a folder after --%s is named as the folder of the apply', verb =>
  teams(async all => {
    await applied(all);
    const refused = await all.run(['apply', `--${verb}`, 'net', '--lock', 'file', '--yes']);
    expectCode(refused, 64);
    expect(refused.stderr).toContain(`\`meshform apply net --${verb}\``);
  }),
);
