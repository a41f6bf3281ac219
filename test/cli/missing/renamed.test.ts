// Somebody renames an object in the dashboard: what the base declared under the old name is the same object.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

const FILES = `groups:
  - { name: servers }
  - { name: staff }
networks:
  - { name: office, resources: [{ name: printer, address: 10.0.0.5, groups: [servers] }] }
policies:
  - name: staff reach servers
    rules: [{ name: r, protocol: all, sources: [staff], destinations: [servers] }]
  - name: staff print
    rules: [{ name: r, protocol: all, sources: [staff], destinationResource: { network_resource: office/printer } }]
`;

async function recorded(tell: (story: Teams) => Promise<void>): Promise<void> {
  await teams(async story => {
    const { apply, commit, id } = story;
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': FILES });
    expectCode(await apply('net'), 0);
    await tell(story);
  });
}

/** Renames the object called `name` in the list at `path`, as the dashboard does; returns its id. */
async function rename({ account }: Teams, path: string, name: string, to: string): Promise<string> {
  const listed = (await account.call('GET', path)) as JsonObject[];
  const found = listed.find(one => one.name === name);
  const { peers, resources } = (found ?? {}) as { peers?: JsonObject[]; resources?: JsonObject[] };
  await account.call('PUT', `${path}/${found?.id}`, {
    name: to,
    description: '',
    ...(peers && { peers: peers.map(({ id }) => String(id)) }),
    ...(resources && path.endsWith('groups') && { resources }),
  });
  return String(found?.id);
}

test.each([
  ['network', '/api/networks', 'office', 'bureau'],
  ['group', '/api/groups', 'servers', 'machines'],
])(
  'a renamed %s is renamed back, and what depends on it stays as it is',
  (kind, path, name, other) =>
    recorded(async story => {
      const { account, apply, run } = story;
      const id = await rename(story, path, name, other);
      const drifted = await run(['drift', 'net', '--base', 'auto']);
      expectCode(drifted, 2);
      expect(drifted.stdout).toContain(`# ${kind}.${name} has changed in the account`);
      expect(drifted.stdout).toMatch(/cause: exact, owner@example\.com/);
      expect(drifted.stdout).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
      const applied = await apply('net');
      expectCode(applied, 0);
      expect(applied.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
      const listed = (await account.call('GET', path)) as JsonObject[];
      expect(listed.find(one => one.name === name)?.id).toBe(id);
      expect(listed.some(one => one.name === other)).toBe(false);
    }),
);

test('without a base nothing is renamed, and the hint leads to the renamed network', () =>
  recorded(async story => {
    await rename(story, '/api/networks', 'office', 'bureau');
    const planned = await story.run(['plan', 'net']);
    expectCode(planned, 3);
    expect(planned.stderr).toContain('error OBJECT_IN_THE_WAY');
    expect(planned.stderr).toContain('if the network `office` was renamed to `bureau`');
    expect(planned.stderr).toContain('`lifecycle: { was: bureau }` at the network');
  }));

test('a token that may not read the log renames nothing', () =>
  recorded(async story => {
    await rename(story, '/api/groups', 'servers', 'machines');
    await story.account.fault({
      method: 'GET',
      path: '/api/events/audit',
      effect: 'status',
      status: 403,
      times: 9,
    });
    const planned = await story.run(['plan', 'net', '--base', 'auto']);
    expectCode(planned, 0);
    expect(planned.stdout).toContain('renamed? add `was: machines`');
  }));

test('an object that another folder declares under its new name belongs to that folder', () =>
  recorded(async story => {
    const { apply, commit, id, run } = story;
    await rename(story, '/api/groups', 'servers', 'machines');
    await commit(groupsIn('app', id, ['machines']));
    expectCode(await apply('app', ['--first']), 0);
    const planned = await run(['plan', 'net', '--base', 'auto']);
    expect(planned.stdout).toContain('# group.servers will be created');
  }));
