// A rename that the files declare with `lifecycle.was` and that nobody has applied: an export does not take it back.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';
import { OFFICE } from './officeFiles.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const RENAMED = OFFICE.replace('name: servers', 'name: machines, lifecycle: { was: servers }')
  .replaceAll('[servers]', '[machines]')
  .replace('name: office', 'name: bureau, lifecycle: { was: office }')
  .replace('office/printer', 'bureau/printer');

const filesOf = ({ cwd }: Teams) => readFile(join(cwd, 'net/groups.yaml'), 'utf8');

const renaming = (tell: (story: Teams) => Promise<void>) =>
  teams(async story => {
    const { apply, commit, id } = story;
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': OFFICE });
    expectCode(await apply('net'), 0);
    await commit({ 'net/groups.yaml': RENAMED });
    await tell(story);
  });

test('an export does not change a rename in the files that was not applied yet, nor references to it', () =>
  renaming(async story => {
    const { run, apply, names } = story;
    const checked = await run(['export', '--check', 'net', '--except', 'policy/Default']);
    expect(checked.stdout + checked.stderr).not.toContain('renamed');
    expectCode(checked, 2);
    const exported = await run(['export', '--out', 'net', '--except', 'policy/Default']);
    // The files still differ from the account: the next apply renames.
    expectCode(exported, 2);
    expect(exported.stderr).toContain('group.machines still differs from the account: `name`');
    expect(exported.stderr).not.toContain('renamed');
    expect(await filesOf(story)).toBe(RENAMED);
    expectCode(await apply('net'), 0);
    expect(await names('/api/groups')).toEqual(['All', 'machines', 'staff']);
  }));

test('an export writes changes of an object under the name of its pending rename', () =>
  renaming(async story => {
    const { run, account, commit, apply } = story;
    await account.enrol('press');
    const [press] = (await account.call('GET', '/api/peers')) as JsonObject[];
    const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
    const idOf = (name: string) => String(groups.find(one => one.name === name)?.id);
    const { resources } = (await account.call(
      'GET',
      `/api/groups/${idOf('servers')}`,
    )) as JsonObject;
    await account.call('PUT', `/api/groups/${idOf('servers')}`, {
      name: 'servers',
      peers: [String(press?.id)],
      resources: resources ?? [],
    });
    const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
    const policy = policies.find(({ name }) => name === 'staff reach servers');
    const rule = {
      name: 'r',
      enabled: true,
      action: 'accept',
      bidirectional: false,
      protocol: 'all',
      sources: [idOf('staff')],
      destinations: [idOf('servers'), idOf('staff')],
    };
    await account.call('PUT', `/api/policies/${policy?.id}`, {
      name: 'staff reach servers',
      enabled: true,
      rules: [rule],
    });
    expectCode(await run(['export', '--out', 'net', '--except', 'policy/Default']), 2);
    const text = await filesOf(story);
    expect(text).toContain('name: machines, lifecycle: { was: servers }');
    expect(text).toContain('press');
    expect(text).toMatch(/destinations: \[(machines, staff|staff, machines)\]/);
    expect(text).not.toMatch(/\[servers/);
    await commit({});
    expectCode(await apply('net'), 0);
  }));
