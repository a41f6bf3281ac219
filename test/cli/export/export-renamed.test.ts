// Somebody renames an object in the dashboard, and an export takes the new name over into the files: in the declaration and in references.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';
import { OFFICE } from './officeFiles.ts';

async function applied(
  flags: 'with a base' | 'without a base',
  tell: (story: Teams) => Promise<void>,
): Promise<void> {
  await teams(async story => {
    const { apply, run, commit, id } = story;
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': OFFICE });
    expectCode(await (flags === 'with a base' ? apply('net') : run(['apply', 'net', '--yes'])), 0);
    await tell(story);
  });
}

/** Renames the object called `name` in the list at `path`, as the dashboard does; returns its id. */
async function rename({ account }: Teams, path: string, name: string, to: string): Promise<string> {
  const listed = (await account.call('GET', path)) as JsonObject[];
  const id = String(listed.find(one => one.name === name)?.id);
  const { peers, resources } = (await account.call('GET', `${path}/${id}`)) as JsonObject;
  const isGroup = path.endsWith('groups');
  await account.call('PUT', `${path}/${id}`, {
    name: to,
    description: '',
    ...(isGroup && { peers: ((peers ?? []) as JsonObject[]).map(peer => String(peer.id)) }),
    ...(isGroup && { resources: resources ?? [] }),
  });
  return id;
}

const filesOf = ({ cwd }: Teams) => readFile(join(cwd, 'net/groups.yaml'), 'utf8');

/** Makes the audit log unreadable for what follows. */
const closeLog = ({ account }: Teams) =>
  account.fault({
    method: 'GET',
    path: '/api/events/audit',
    effect: 'status',
    status: 403,
    times: 99,
  });

test.each(
  someOf(
    [
      ['the base, and no log', 'with a base'],
      ['the audit log', 'without a base'],
    ] as const,
    1,
  ),
)('a renamed group has its new name in place of the old one, recognised by %s', (by, how) =>
  applied(how, async story => {
    const id = await rename(story, '/api/groups', 'servers', 'machines');
    if (by !== 'the audit log') await closeLog(story);
    const { commit, names, run } = story;
    const checked = await run(['export', '--check', 'net']);
    expectCode(checked, 2);
    expect(checked.stdout).toContain('1 changed, 0 missing from the account');
    const exported = await run(['export', '--out', 'net']);
    expectCode(exported, 0);
    expect(exported.stderr).not.toMatch(/OBJECT_NOT_THERE|OBJECT_STUCK/);
    expect(await filesOf(story)).toContain(
      OFFICE.replaceAll('[servers]', '[machines]').replace('name: servers', 'name: machines'),
    );
    await commit({});
    expectCode(await run(['plan', 'net', '--detailed-exitcode']), 0);
    expectCode(await story.apply('net', how === 'with a base' ? [] : ['--first']), 0);
    expect(await names('/api/groups')).toEqual(['All', 'machines', 'staff']);
    const listed = (await story.account.call('GET', '/api/groups')) as JsonObject[];
    expect(listed.find(({ name }) => name === 'machines')?.id).toBe(id);
    expectCode(await run(['export', '--check', 'net', '--except', 'policy/Default']), 0);
  }),
);

test('a renamed network has its new name in the references to its children', () =>
  applied('without a base', async story => {
    await rename(story, '/api/networks', 'office', 'bureau');
    expectCode(await story.run(['export', '--out', 'net']), 0);
    const text = await filesOf(story);
    expect(text).toContain('name: bureau');
    expect(text).toContain('network_resource: bureau/printer');
    expect(text).not.toContain('office');
    expectCode(await story.run(['plan', 'net', '--detailed-exitcode']), 0);
  }));

test('an object that the files declare by its id is renamed in the references too', () =>
  applied('without a base', async story => {
    const id = await rename(story, '/api/groups', 'servers', 'machines');
    await closeLog(story);
    const bound = OFFICE.replace('peers: []', `peers: [], lifecycle: { id: ${id} }`);
    await story.commit({ 'net/groups.yaml': bound });
    expectCode(await story.run(['export', '--out', 'net']), 0);
    const text = await filesOf(story);
    expect(text).toContain('name: machines');
    expect(text).not.toContain('[servers]');
    expectCode(await story.run(['plan', 'net', '--detailed-exitcode']), 0);
  }));

test('an export lists the places that keep the old name', () =>
  applied('without a base', async story => {
    const { commit, id, run } = story;
    await commit({
      'net/meshform.yaml': `account: ${id}\nprotect: [group/servers]\nguarded: [group/servers]\n`,
      'net/tests.yaml':
        'access_tests: [{ name: t, from: group/staff, allow: ["group/servers:tcp/22"] }]\n',
    });
    await rename(story, '/api/groups', 'servers', 'machines');
    const all = await run(['export', '--out', 'net', '--kinds', 'groups']);
    expectCode(all, 2);
    const places = [
      ...all.stderr.matchAll(
        /(\S+):(\d+):\d+ warning OBJECT_STUCK this names group.servers, which somebody renamed to `machines`; the file is not changed/g,
      ),
    ];
    expect(places.map(([, file, line]) => `${file}:${line}`)).toEqual([
      'net/groups.yaml:5',
      'net/groups.yaml:8',
      'net/tests.yaml:1',
      'net/meshform.yaml:3',
      'net/meshform.yaml:2',
    ]);
    expect(await filesOf(story)).toContain('name: machines');
  }));

test('an object excluded from the export keeps its name everywhere', () =>
  applied('without a base', async story => {
    await rename(story, '/api/groups', 'servers', 'machines');
    expectCode(await story.run(['export', '--out', 'net', '--except', 'group/machines']), 2);
    expect(await filesOf(story)).toContain(OFFICE);
  }));

test('a machine that somebody renamed has its new name', () =>
  teams(async story => {
    const { account, commit, id, run } = story;
    await account.enrol('press');
    await commit({
      ...groupsIn('net', id, []),
      'net/groups.yaml': 'groups: [{ name: servers, peers: [press] }]\n',
    });
    expectCode(await run(['apply', 'net', '--yes']), 0);
    const [press] = (await account.call('GET', '/api/peers')) as JsonObject[];
    await account.call('PUT', `/api/peers/${press?.id}`, {
      name: 'new-press',
      ssh_enabled: false,
      login_expiration_enabled: false,
      inactivity_expiration_enabled: false,
    });
    const exported = await run(['export', '--out', 'net', '--kinds', 'groups']);
    expectCode(exported, 0);
    expect(await filesOf(story)).toContain('peers: [new-press]');
  }));

test('a declaration stays unchanged if another declaration has the new name of its object', () =>
  applied('without a base', async story => {
    await rename(story, '/api/groups', 'servers', 'machines');
    const both = OFFICE.replace('- { name: staff }', '- { name: staff }\n  - { name: machines }');
    await story.commit({ 'net/groups.yaml': both });
    const exported = await story.run(['export', '--out', 'net']);
    expect(exported.stderr).toContain('group.servers is declared, but does not exist');
    expect(await filesOf(story)).toContain('name: servers');
  }));

test('an export writes the new names of two groups that swapped names, and the next plan swaps nothing', () =>
  applied('with a base', async story => {
    const { commit, run } = story;
    await rename(story, '/api/groups', 'servers', 'aside');
    await rename(story, '/api/groups', 'staff', 'servers');
    await rename(story, '/api/groups', 'aside', 'staff');
    expectCode(await run(['export', '--out', 'net']), 0);
    await commit({});
    const planned = await run(['plan', 'net', '--base', 'auto', '--detailed-exitcode']);
    expectCode(planned, 0);
  }));
