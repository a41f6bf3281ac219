// What another folder has declared since a plan was made: the plan, its continuation and its undo take nothing from it.

import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectCode, groupsIn, type Teams, teams } from './teams.ts';

const MADE = ['--prune', 'removed', '--base', 'auto', '--record-base', '--allow', 'DELETES_OBJECT'];

/** Two applied folders, of which `netops` then removes the group `m`, and the saved plan of that. */
async function removalOf({ id, run, apply, commit }: Teams): Promise<void> {
  await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
  expectCode(await apply('netops'), 0);
  expectCode(await apply('appteam', ['--first']), 0);
  await commit(groupsIn('netops', id, ['n']));
  expectCode(await run(['plan', 'netops', ...MADE, '--out', 'plan.json']), 0);
}

describe.concurrent('a saved plan', () => {
  test('deletes nothing that the files of another folder declare now', () =>
    teams(async world => {
      const { id, run, commit, names } = world;
      await removalOf(world);
      await commit(groupsIn('appteam', id, ['a', 'm']));
      for (const argv of [
        ['plan', 'check', 'plan.json'],
        ['apply', 'plan.json', '--yes'],
      ]) {
        const refused = await run(argv);
        expectCode(refused, 5);
        const said = `${refused.stdout}${refused.stderr}`.replaceAll(/\s+/g, ' ');
        expect(said).toContain('group.m is declared by `appteam` now, at appteam/groups.yaml:1:23');
      }
      expect(await names('/api/groups')).toEqual(['All', 'a', 'm', 'n']);
      await commit(groupsIn('appteam', id, ['a']));
      expectCode(await run(['plan', 'check', 'plan.json']), 0);
    }));

  test('deletes nothing that the base of another folder declares now', () =>
    teams(async world => {
      const { id, run, apply, commit, names } = world;
      await removalOf(world);
      await commit(groupsIn('appteam', id, ['a', 'm']));
      expectCode(await apply('appteam'), 0);
      await commit(groupsIn('appteam', id, ['a']));
      const refused = await run(['apply', 'plan.json', '--yes']);
      expectCode(refused, 5);
      expect(refused.stdout).toContain('group.m is declared by `appteam` now, in its base');
      expect(await names('/api/groups')).toEqual(['All', 'a', 'm', 'n']);
    }));

  test('removes no member that another folder lists now', () =>
    teams(async ({ id, account, run, apply, commit }) => {
      for (const name of ['one', 'two']) await account.control('POST', '/emulator/peers', { name });
      const members = async () => {
        const groups = (await account.call('GET', '/api/groups')) as {
          name: string;
          peers: { name: string }[] | null;
        }[];
        const found = groups.find(({ name }) => name === 's')?.peers ?? [];
        return found.map(({ name }) => name).sort();
      };
      const write = (net: string, app: string) =>
        commit({
          'net/meshform.yaml': `account: ${id}\n`,
          'app/meshform.yaml': `account: ${id}\n`,
          'net/n.yaml': `groups: [{ name: s, peers: [${net}] }]\n`,
          'app/n.yaml': `groups: [{ name: s, peers: [${app}] }]\n`,
        });
      await write('one, two', '');
      expectCode(await apply('net'), 0);
      await write('one', '');
      expectCode(await run(['plan', 'net', ...MADE, '--out', 'plan.json']), 0);
      await write('one', 'two');
      const refused = await run(['apply', 'plan.json', '--yes']);
      expectCode(refused, 5);
      expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'would remove `two` from `peers` of group.s, which `app` declares now, at app/n.yaml:1:10',
      );
      expect(await members()).toEqual(['one', 'two']);
    }));

  test('renames nothing that the files of another folder declare now', () =>
    teams(async ({ id, run, apply, commit, names }) => {
      await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
      expectCode(await apply('netops'), 0);
      await commit({
        'netops/groups.yaml': 'groups: [{ name: n }, { name: mm, lifecycle: { was: m } }]\n',
      });
      expectCode(await run(['plan', 'netops', ...MADE, '--out', 'plan.json']), 0);
      await commit(groupsIn('appteam', id, ['a', 'm']));
      const refused = await run(['apply', 'plan.json', '--yes']);
      expectCode(refused, 5);
      expect(refused.stdout).toContain('group.m is declared by `appteam` now');
      expect(await names('/api/groups')).toEqual(['All', 'm', 'n']);
    }));

  test(
    'a saved plan with deletions is refused while the files of another folder cannot be read',
    { tags: 'variation' },
    () =>
      teams(async world => {
        const { run, commit, names } = world;
        await removalOf(world);
        await commit({ 'appteam/groups.yaml': 'groups: [{ nam: a }]\n' });
        const refused = await run(['apply', 'plan.json', '--yes']);
        expectCode(refused, 3);
        expect(refused.stderr).toContain('FOLDER_UNREADABLE');
        expect(await names('/api/groups')).toEqual(['All', 'a', 'm', 'n']);
      }),
  );
});

describe.concurrent('a saved plan without its repository', () => {
  test('deletes what it lists, and notes that other folders are unknown', () =>
    teams(async ({ id, cwd, run, apply, commit, names }) => {
      await commit(groupsIn('netops', id, ['n', 'm']));
      expectCode(await apply('netops'), 0);
      await commit(groupsIn('netops', id, ['n']));
      const flags = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT', '--out', 'plan.json'];
      expectCode(await run(['plan', 'netops', ...flags]), 0);
      await mkdir(join(cwd, 'away'));
      await rename(join(cwd, '.git'), join(cwd, 'away', 'repository'));
      const applied = await run(['apply', 'plan.json', '--yes']);
      expectCode(applied, 0);
      expect(applied.stderr).toContain('FOLDERS_NOT_READ');
      expect(await names('/api/groups')).toEqual(['All', 'n']);
    }));
});

describe.concurrent('a resumed apply', () => {
  test('does not touch objects that another folder declares now, says so, and does the rest', () =>
    teams(async ({ id, account, run, apply, commit, names }) => {
      await commit({
        ...groupsIn('netops', id, ['n', 'm', 'k']),
        ...groupsIn('appteam', id, ['a']),
      });
      expectCode(await apply('netops'), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      await commit(groupsIn('netops', id, ['n', 'new']));
      await account.control('POST', '/emulator/faults', {
        method: 'DELETE',
        path: '/api/groups/*',
        effect: 'status',
        status: 400,
        times: 2,
      });
      expectCode(await apply('netops', ['--journal', 'run.jsonl']), 4);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'k', 'm', 'n', 'new']);
      await commit(groupsIn('appteam', id, ['a', 'm']));
      const resume = ['apply', '--resume', 'run.jsonl', '--allow', 'DELETES_OBJECT', '--yes'];
      const resumed = await run(resume);
      expectCode(resumed, 4);
      expect(resumed.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'group.m is declared by `appteam` now',
      );
      expect(await names('/api/groups')).toEqual(['All', 'a', 'm', 'n', 'new']);
    }));
});

describe.concurrent('an undo', () => {
  test('does not touch what another folder declares now, and lists it', () =>
    teams(async ({ id, account, run, apply, commit, names }) => {
      for (const name of ['one', 'two']) await account.control('POST', '/emulator/peers', { name });
      await commit({
        'netops/meshform.yaml': `account: ${id}\n`,
        'netops/n.yaml': 'groups: [{ name: s, peers: [one] }]\n',
        ...groupsIn('appteam', id, ['a']),
      });
      expectCode(await apply('netops'), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      await commit({
        'netops/n.yaml':
          'groups: [{ name: s, peers: [one, two] }, { name: x }, { name: y }, { name: xx, lifecycle: { was: z } }]\n',
      });
      expectCode(await apply('netops', ['--journal', 'run.jsonl']), 0);
      await commit({
        'netops/n.yaml': 'groups: [{ name: s, peers: [one] }]\n',
        'appteam/groups.yaml': 'groups: [{ name: a }, { name: x }, { name: s, peers: [two] }]\n',
      });
      const undo = ['apply', '--undo', 'run.jsonl', '--allow', 'DELETES_OBJECT', '--yes'];
      const undone = await run(undo);
      expectCode(undone, 0);
      const said = `${undone.stdout}${undone.stderr}`.replaceAll(/\s+/g, ' ');
      expect(said).toContain(
        'group.x stays: `appteam` declares it now, at appteam/groups.yaml:1:23',
      );
      expect(said).toContain('`two` stays in `peers` of group.s: `appteam` declares it now');
      expect(await names('/api/groups')).toEqual(['All', 'a', 's', 'x']);
      const groups = (await account.call('GET', '/api/groups')) as {
        name: string;
        peers: { name: string }[] | null;
      }[];
      const members = groups.find(({ name }) => name === 's')?.peers ?? [];
      expect(members.map(({ name }) => name).sort()).toEqual(['one', 'two']);
    }));
});
