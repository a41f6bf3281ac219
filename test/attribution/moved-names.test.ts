// An object is as it was written, and differs because a name means another object now: the cause is who moved the name.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { expectCode, groupsIn, type Teams, teams } from '../cli/bases/teams.ts';

const FILES = `groups:
  - { name: servers, peers: [press] }
  - { name: staff }
policies:
  - name: staff reach servers
    rules: [{ name: r, protocol: all, sources: [staff], destinations: [servers] }]
setup_keys:
  - { name: racks, type: reusable, expires_in: 86400, auto_groups: [staff] }
`;

async function applied(tell: (story: Teams) => Promise<void>): Promise<void> {
  await teams(async story => {
    const { account, apply, commit, id } = story;
    await account.enrol('press');
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': FILES });
    expectCode(await apply('net', ['--secrets-to', 'file:keys.jsonl']), 0);
    await tell(story);
  });
}

async function idOf({ account }: Teams, path: string, name: string): Promise<string> {
  const listed = (await account.call('GET', path)) as JsonObject[];
  return String(listed.find(one => one.name === name)?.id);
}

/** An enrolment with the key, whose event names the key and no person. */
async function enrolWithKey({ account, cwd }: Teams, name: string): Promise<void> {
  const kept = JSON.parse(await readFile(join(cwd, 'keys.jsonl'), 'utf8')) as JsonObject;
  await account.enrol(name, [], { setup_key: String(kept.value) });
}

/** The cause of each difference, by address. */
async function causes({ run }: Teams, ...flags: string[]): Promise<Record<string, string>> {
  const { stdout } = await run(['drift', 'net', ...flags]);
  const found = stdout.matchAll(/# (\S+(?: \S+)*?) (?:has changed|is missing)[\s\S]*?cause: (.*)/g);
  return Object.fromEntries([...found].map(([, address = '', cause = '']) => [address, cause]));
}

test.each([[[]], [['--base', 'auto']]])(
  'a machine that enrolled again: its deletion is the cause, with %j',
  flags =>
    applied(async story => {
      await story.account.call('DELETE', `/api/peers/${await idOf(story, '/api/peers', 'press')}`);
      await enrolWithKey(story, 'press');
      expect(await causes(story, ...flags)).toMatchObject({
        [flags.length === 0 ? 'group.servers' : 'peer.press']: expect.stringMatching(
          /^(exact|window, among "setup key racks" at .*), owner@example\.com at .* \(user\.peer\.delete\)/,
        ),
      });
    }),
);

test('two groups that swapped names: the renames are the cause for the objects that refer to them', () =>
  applied(async story => {
    const servers = await idOf(story, '/api/groups', 'servers');
    const staff = await idOf(story, '/api/groups', 'staff');
    const rename = async (id: string, name: string) => {
      const { peers } = (await story.account.call('GET', `/api/groups/${id}`)) as JsonObject;
      const ids = (peers as JsonObject[]).map(peer => peer.id ?? null);
      await story.account.call('PUT', `/api/groups/${id}`, { name, peers: ids });
    };
    await rename(servers, 'aside');
    await rename(staff, 'servers');
    await rename(servers, 'staff');
    const found = await causes(story);
    const exact = expect.stringMatching(/^exact, owner@example\.com at .* \(group\.update\)/);
    expect(found['policy["staff reach servers"]']).toEqual(exact);
    expect(found['setup_key.racks']).toEqual(exact);
    for (const cause of Object.values(found)) expect(cause).not.toMatch(/^none/);
  }));

test('a renamed group whose name another group took: both authors are the cause for the objects that refer to it', () =>
  applied(async story => {
    const staff = await idOf(story, '/api/groups', 'staff');
    await story.account.call('PUT', `/api/groups/${staff}`, { name: 'people' });
    await story.account.call('POST', '/api/groups', { name: 'staff' });
    const found = await causes(story, '--base', 'auto');
    const exact = expect.stringMatching(/^exact, owner@example\.com at .* \(group\.(update|add)\)/);
    expect(found['policy["staff reach servers"]']).toEqual(exact);
    expect(found['setup_key.racks']).toEqual(exact);
  }));

test('two machines that swapped names: the renames are the cause', () =>
  applied(async story => {
    await story.account.enrol('plotter');
    await story.commit({
      'net/groups.yaml': FILES.replace('{ name: staff }', '{ name: staff, peers: [plotter] }'),
    });
    expectCode(await story.apply('net'), 0);
    const press = await idOf(story, '/api/peers', 'press');
    const plotter = await idOf(story, '/api/peers', 'plotter');
    const rename = (id: string, name: string) =>
      story.account.call('PUT', `/api/peers/${id}`, {
        name,
        ssh_enabled: false,
        login_expiration_enabled: false,
        inactivity_expiration_enabled: false,
      });
    await rename(press, 'aside');
    await rename(plotter, 'press');
    await rename(press, 'plotter');
    const found = await causes(story, '--base', 'auto');
    const exact = expect.stringMatching(/^exact, owner@example\.com at .* \(peer\.rename\)/);
    expect(found).toMatchObject({ 'peer.press': exact, 'peer.plotter': exact });
  }));

test('a group that somebody removed from a key and deleted: that user is the cause', () =>
  applied(async story => {
    const key = await idOf(story, '/api/setup-keys', 'racks');
    await story.account.call('PUT', `/api/setup-keys/${key}`, { auto_groups: [], revoked: false });
    const policy = await idOf(story, '/api/policies', 'staff reach servers');
    await story.account.call('DELETE', `/api/policies/${policy}`);
    await story.account.call('DELETE', `/api/groups/${await idOf(story, '/api/groups', 'staff')}`);
    expect((await causes(story))['setup_key.racks']).toMatch(
      /^exact, owner@example\.com at .* \(setupkey\.group\.delete\)/,
    );
  }));
