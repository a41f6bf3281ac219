// Somebody renames or deletes a declared object and gives its name to a new one, before the files drop the object or an apply creates it again.
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: staff }, { name: servers }]\n';
const POLICY = `policies:
  - name: ssh
    rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [staff], destinations: [servers] }]
`;

const NETWORK = `networks:
  - { name: office, resources: [{ name: share, address: 10.0.0.5, groups: [servers] }] }
`;
const DELETED: Readonly<Record<string, string>> = {
  groups: 'groups: [{ name: spare, lifecycle: { delete: true } }]\n',
  networks: 'networks: [{ name: office, lifecycle: { delete: true } }]\n',
  policies: POLICY.replace('name: ssh\n', 'name: ssh\n    lifecycle: { delete: true }\n'),
};

const KINDS: readonly (readonly [string, string, string])[] = [
  ['policies', 'ssh', POLICY],
  ['groups', 'spare', 'groups: [{ name: spare }]\n'],
  ['networks', 'office', NETWORK],
];

const listed = async ({ account }: Teams, path: string) =>
  (await account.call('GET', path)) as JsonObject[];

const idOf = async (story: Teams, path: string, name: string): Promise<string> =>
  String((await listed(story, path)).find(one => one.name === name)?.id);

async function policyBody(story: Teams, name: string): Promise<JsonObject> {
  const ids = async (group: string) => [await idOf(story, '/api/groups', group)];
  const rule = {
    name,
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'tcp',
    ports: ['22'],
    sources: await ids('staff'),
    destinations: await ids('servers'),
  };
  return { name, enabled: true, rules: [rule] };
}

/** Renames the object `name`, and creates another one of this name; returns the ids of both. */
async function replaced(story: Teams, kind: string, name: string): Promise<[string, string]> {
  const path = `/api/${kind}`;
  const bodyOf = async (called: string): Promise<JsonObject> =>
    kind === 'policies' ? policyBody(story, called) : { name: called };
  const ours = await idOf(story, path, name);
  await story.account.call('PUT', `${path}/${ours}`, await bodyOf('renamed'));
  const made = (await story.account.call('POST', path, await bodyOf(name))) as JsonObject;
  return [ours, String(made.id)];
}

describe.each(
  someOf(
    [
      ['is removed from the files', false],
      ['is marked for deletion', true],
    ],
    1,
  ),
)('an object that somebody renamed, while another got its name, and that %s', (_, isMarked) => {
  test.each(KINDS)('%s: is the object that is deleted', (kind, name, text) =>
    teams(async story => {
      const { apply, commit, id } = story;
      const files = { 'net/meshform.yaml': `account: ${id}\n`, 'net/a.yaml': GROUPS };
      await commit({ ...files, 'net/b.yaml': text });
      expectCode(await apply('net'), 0);
      const [ours, theirs] = await replaced(story, kind, name);
      await commit({ 'net/b.yaml': isMarked ? (DELETED[kind] ?? '') : null });
      const asked = await apply('net');
      expectCode(asked, 6);
      expect(asked.stderr).toContain('CONFLICT');
      expect(asked.stderr).not.toContain('LOSES_MEMBERS');
      const deleted = await apply('net', ['--allow', 'CONFLICT']);
      expectCode(deleted, 0);
      const ids = (await listed(story, `/api/${kind}`)).map(one => one.id);
      expect(ids).toContain(theirs);
      expect(ids).not.toContain(ours);
    }, 'netbird'),
  );
});

test('a resource that somebody created in another network is not mistaken for the deleted resource of its name', () =>
  teams(async story => {
    const { account, apply, commit, id, run } = story;
    const files = { 'net/meshform.yaml': `account: ${id}\n`, 'net/a.yaml': GROUPS };
    await commit({ ...files, 'net/b.yaml': NETWORK });
    expectCode(await apply('net'), 0);
    const office = `/api/networks/${await idOf(story, '/api/networks', 'office')}/resources`;
    await account.call('DELETE', `${office}/${await idOf(story, office, 'share')}`);
    const lab = (await account.call('POST', '/api/networks', { name: 'lab' })) as JsonObject;
    const resources = `/api/networks/${lab.id}/resources`;
    const foreign = { name: 'share', address: '10.9.0.1/32', enabled: true, groups: [] };
    await account.call('POST', resources, foreign);
    const before = await listed(story, resources);
    // Names of resources are unique in the account.
    for (const base of ['auto', 'HEAD']) {
      const planned = await run(['plan', 'net', '--base', base]);
      expectCode(planned, 3);
      expect(planned.stderr).toContain('OBJECT_IN_THE_WAY');
    }
    expectCode(await apply('net'), 3);
    expect(await listed(story, resources)).toEqual(before);
  }, 'netbird'));
