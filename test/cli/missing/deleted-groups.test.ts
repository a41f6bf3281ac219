// Somebody deletes a declared object in the dashboard that the next apply creates again: the plan says who deleted it and when, and
// who was in it without being declared.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

const FILES = `groups:
  - { name: servers }
  - { name: staff, peers: [declared] }
setup_keys:
  - { name: racks, type: reusable, expires_in: 86400, auto_groups: [servers, staff] }
`;

async function applied(
  how: 'with a base' | 'without a base',
  tell: (story: Teams) => Promise<void>,
) {
  await teams(async story => {
    const { account, apply, commit, id, run } = story;
    await account.enrol('declared');
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': FILES });
    const secrets = ['--secrets-to', 'file:keys.jsonl'];
    expectCode(
      await (how === 'with a base'
        ? apply('net', secrets)
        : run(['apply', 'net', '--yes', ...secrets])),
      0,
    );
    await tell(story);
  });
}

async function find({ account }: Teams, path: string, name: string): Promise<JsonObject> {
  const listed = (await account.call('GET', path)) as JsonObject[];
  return listed.find(one => one.name === name) ?? {};
}

/** Enrols a machine with the key, and deletes the group, as the dashboard allows it. */
async function enrolAndDelete(story: Teams, group: string): Promise<void> {
  const { account } = story;
  const key = await find(story, '/api/setup-keys', 'racks');
  const { id } = await find(story, '/api/groups', group);
  const auto = (key.auto_groups as string[]).filter(one => one !== id);
  const kept = JSON.parse(await readFile(join(story.cwd, 'keys.jsonl'), 'utf8')) as JsonObject;
  await account.enrol('rack-1', [], { setup_key: String(kept.value) });
  await account.call('PUT', `/api/setup-keys/${key.id}`, { auto_groups: auto, revoked: false });
  await account.call('DELETE', `/api/groups/${id}`);
}

const MEMBERS =
  'group.servers is created again without `rack-1`: this member was lost with the deletion, and no file declares it';

test.each(['with a base', 'without a base'] as const)(
  'a deleted group is created again, and the plan says who deleted it and who its members were: %s',
  how =>
    applied(how, async story => {
      await enrolAndDelete(story, 'servers');
      const flags = how === 'with a base' ? ['--base', 'auto'] : [];
      const planned = await story.run(['plan', 'net', ...flags]);
      expectCode(planned, 0);
      expect(planned.stderr).toContain(
        'note OBJECT_DELETED group.servers is no longer in the account: it was deleted by owner@example.com at 2026-01-02T03:04:05.000Z; it is created again',
      );
      expect(planned.stderr).toContain(`warning MEMBERS_NOT_RESTORED ${MEMBERS}`);
      const drifted = await story.run(['drift', 'net', ...flags]);
      expectCode(drifted, 2);
      expect(drifted.stdout).toMatch(/cause: exact, owner@example\.com at .*\(group\.delete\)/);
      const applied = await story.run(['apply', 'net', '--yes', ...flags]);
      expectCode(applied, 0);
      expect(applied.stderr).toContain(MEMBERS);
    }),
);

test('a declared member of a deleted group is not reported as missing', () =>
  applied('with a base', async story => {
    await enrolAndDelete(story, 'staff');
    const planned = await story.run(['plan', 'net', '--base', 'auto']);
    expect(planned.stderr).toContain('group.staff is created again without `rack-1`');
    expect(planned.stderr).not.toContain('`declared`');
  }));

test('a deleted key is created again with the groups of its declaration', () =>
  applied('with a base', async story => {
    const { account, run } = story;
    const key = await find(story, '/api/setup-keys', 'racks');
    const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
    // An event of its own for each group of the key.
    for (const auto of [[], groups.filter(({ name }) => name !== 'All').map(({ id }) => id ?? '')])
      await account.call('PUT', `/api/setup-keys/${key.id}`, { auto_groups: auto, revoked: false });
    await account.call('DELETE', `/api/setup-keys/${key.id}`);
    const planned = await run(['plan', 'net', '--base', 'auto']);
    expectCode(planned, 0);
    expect(planned.stderr).toContain('OBJECT_DELETED setup_key.racks');
    expect(planned.stderr).not.toContain('MEMBERS_NOT_RESTORED');
  }));

test('a group that nobody deleted is created without a finding', () =>
  applied('without a base', async story => {
    await story.commit({ 'net/more.yaml': 'groups: [{ name: new }]\n' });
    const planned = await story.run(['plan', 'net']);
    expect(planned.stdout).toContain('# group.new will be created');
    expect(planned.stderr).not.toMatch(/OBJECT_DELETED|MEMBERS_NOT_RESTORED/);
  }));
