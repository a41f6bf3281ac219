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
  'a renamed %s is renamed back, and its dependents stay as they are',
  { tags: 'variation' },
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

test('a renamed network keeps its router, whether or not the run may delete', () =>
  recorded(async story => {
    const { account, run, commit } = story;
    const routers = 'routers: [{ peer_groups: [servers], metric: 100, masquerade: true }]';
    await commit({ 'net/groups.yaml': FILES.replace('resources:', `${routers}, resources:`) });
    expectCode(await story.apply('net'), 0);
    await rename(story, '/api/networks', 'office', 'bureau');
    const drifted = await run(['drift', 'net', '--base', 'auto']);
    expectCode(drifted, 2);
    expect(drifted.stdout).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
    const kept = ['--base', 'auto', '--record-base', '--yes', '--prune', 'none'];
    const applied = await run(['apply', 'net', ...kept]);
    expectCode(applied, 0);
    expect(applied.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    const [network] = (await account.call('GET', '/api/networks')) as JsonObject[];
    expect(network).toMatchObject({ name: 'office', routers: [expect.any(String)] });
  }));

test('nothing is renamed without a base, and the hint names the renamed network', () =>
  recorded(async story => {
    await rename(story, '/api/networks', 'office', 'bureau');
    const planned = await story.run(['plan', 'net']);
    expectCode(planned, 3);
    expect(planned.stderr).toContain('error OBJECT_IN_THE_WAY');
    expect(planned.stderr).toContain('if the network `office` was renamed to `bureau`');
    expect(planned.stderr).toContain('`lifecycle: { was: bureau }` at the network');
  }));

const closeLog = ({ account }: Teams) =>
  account.fault({
    method: 'GET',
    path: '/api/events/audit',
    effect: 'status',
    status: 403,
    times: 9,
  });

test('objects with an id in the recorded base are renamed back with a token that may not read the log', () =>
  recorded(async story => {
    const id = await rename(story, '/api/groups', 'servers', 'machines');
    await closeLog(story);
    expectCode(await story.apply('net'), 0);
    expect(await idsByName(story)).toMatchObject({ servers: id });
  }));

test('nothing is renamed without the log and with a revision as the base, and the plan asks', () =>
  recorded(async story => {
    await rename(story, '/api/groups', 'servers', 'machines');
    await closeLog(story);
    const planned = await story.run(['plan', 'net', '--base', 'HEAD']);
    expectCode(planned, 0);
    expect(planned.stdout).toContain('renamed? add `was: machines`');
  }));

async function idsByName({ account }: Teams): Promise<Readonly<Record<string, string>>> {
  const listed = (await account.call('GET', '/api/groups')) as JsonObject[];
  return Object.fromEntries(listed.map(({ name, id }) => [String(name), String(id)]));
}

async function rulesOf({ account }: Teams): Promise<string> {
  const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
  const ids = (of: unknown) => ((of ?? []) as JsonObject[]).map(({ id }) => id);
  const texts = policies.map(({ name, rules }) =>
    JSON.stringify([
      name,
      (rules as JsonObject[]).map(rule => [ids(rule.sources), ids(rule.destinations)]),
    ]),
  );
  return texts.sort().join('\n');
}

test.each([['with the log'], ['without the log']])(
  'two groups that swapped names get their own names back, and every rule keeps its group: %s',
  log =>
    recorded(async story => {
      const before = { ids: await idsByName(story), rules: await rulesOf(story) };
      await rename(story, '/api/groups', 'servers', 'aside');
      await rename(story, '/api/groups', 'staff', 'servers');
      await rename(story, '/api/groups', 'aside', 'staff');
      if (log === 'without the log') await closeLog(story);
      const drifted = await story.run(['drift', 'net', '--base', 'auto']);
      expectCode(drifted, 2);
      expect(drifted.stdout).toContain('Drift: 2 changed, 0 missing');
      expect(drifted.stderr).not.toContain('OBJECT_NAMESAKE');
      if (log === 'with the log')
        expect(drifted.stdout.match(/cause: exact, owner@example\.com/g)).toHaveLength(2);
      const applied = await story.apply('net');
      expectCode(applied, 0);
      expect(applied.stdout).not.toContain('# policy');
      expect({ ids: await idsByName(story), rules: await rulesOf(story) }).toEqual(before);
    }),
);

test('a group that took the name of a deleted group gets its own name back, and the deleted one is created again', () =>
  recorded(async story => {
    const { staff = '', servers = '' } = await idsByName(story);
    await story.account.call(
      'PUT',
      `/api/policies/${await policyOf(story, 'staff reach servers')}`,
      {
        name: 'staff reach servers',
        enabled: true,
        rules: [
          {
            name: 'r',
            enabled: true,
            action: 'accept',
            protocol: 'all',
            bidirectional: false,
            sources: [servers],
            destinations: [servers],
          },
        ],
      },
    );
    await story.account.call('DELETE', `/api/policies/${await policyOf(story, 'staff print')}`);
    await story.account.call('DELETE', `/api/groups/${staff}`);
    await rename(story, '/api/groups', 'servers', 'staff');
    expectCode(await story.apply('net'), 0);
    const after = await idsByName(story);
    expect(after.servers).toBe(servers);
    expect([staff, servers]).not.toContain(after.staff);
  }));

test('a name in the files means the group that somebody created again after its deletion', () =>
  recorded(async story => {
    await story.commit({ 'net/more.yaml': 'groups: [{ name: spare }]\n' });
    expectCode(await story.apply('net'), 0);
    const { spare } = await idsByName(story);
    await story.account.call('DELETE', `/api/groups/${spare}`);
    await story.account.call('POST', '/api/groups', { name: 'spare' });
    const again = await story.run(['plan', 'net', '--base', 'auto', '--detailed-exitcode']);
    expectCode(again, 0);
  }));

test('a rename in the files is not mistaken for a rename in the account, even if its apply recorded no base', () =>
  recorded(async story => {
    const { servers, staff } = await idsByName(story);
    const files = FILES.replace(
      '{ name: servers }',
      '{ name: machines, lifecycle: { was: servers } }',
    )
      .replace('{ name: staff }', '{ name: servers, lifecycle: { was: staff } }')
      .replaceAll('[servers]', '[machines]')
      .replaceAll('[staff]', '[servers]');
    await story.account.call('PUT', `/api/groups/${servers}`, { name: 'machines' });
    await story.account.call('PUT', `/api/groups/${staff}`, { name: 'servers' });
    await story.commit({ 'net/groups.yaml': files });
    const planned = await story.run(['plan', 'net', '--base', 'auto']);
    expectCode(planned, 0);
    expect(planned.stdout).not.toContain('# group.');
  }));

const WITHOUT_PRINTING = FILES.slice(0, FILES.indexOf('  - name: staff print'));

test.each([['with the log'], ['without the log']])(
  'a policy that somebody renamed, and that the files no longer declare, is removed: %s',
  log =>
    recorded(async story => {
      await renamePolicy(story, 'staff print', 'people print');
      if (log === 'without the log') await closeLog(story);
      await story.commit({ 'net/groups.yaml': WITHOUT_PRINTING });
      const refused = await story.run(['plan', 'net', '--base', 'auto', '--record-base']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('REMOVAL_NOT_PRUNED');
      const asked = await story.apply('net');
      expectCode(asked, 6);
      expect(asked.stderr).toContain('CONFLICT');
      const applied = await story.apply('net', ['--resolve', 'desired']);
      expectCode(applied, 0);
      expect(applied.stdout).toContain('# policy["people print"] will be destroyed');
      expect(await story.names('/api/policies')).toEqual(['Default', 'staff reach servers']);
    }),
);

test(
  'a group and a network that somebody renamed, and that the files no longer declare, are removed',
  { tags: 'variation' },
  () =>
    recorded(async story => {
      const more = `groups: [{ name: spare }]
networks: [{ name: depot, resources: [{ name: scanner, address: 10.0.0.6, groups: [servers] }] }]
`;
      await story.commit({ 'net/more.yaml': more });
      expectCode(await story.apply('net'), 0);
      await rename(story, '/api/groups', 'spare', 'kept');
      await rename(story, '/api/networks', 'depot', 'kept');
      await story.commit({ 'net/more.yaml': null });
      expectCode(await story.apply('net', ['--resolve', 'desired']), 0);
      expect(await story.names('/api/groups')).toEqual(['All', 'servers', 'staff']);
      expect(await story.names('/api/networks')).toEqual(['office']);
    }),
);

test('a policy that somebody renamed, and that the files rename, is the same policy', () =>
  recorded(async story => {
    const id = await policyOf(story, 'staff print');
    await renamePolicy(story, 'staff print', 'people print');
    const files = FILES.replace(
      'name: staff print',
      'name: printing\n    lifecycle: { was: staff print }',
    );
    await story.commit({ 'net/groups.yaml': files });
    const planned = await story.run(['plan', 'net', '--base', 'auto']);
    expect(planned.stdout).toContain('# policy.printing will be updated in-place');
    await story.apply('net', ['--allow', 'CONFLICT']);
    expect(await policyOf(story, 'printing')).toBe(id);
  }));

async function renamePolicy(story: Teams, from: string, to: string): Promise<void> {
  const { account } = story;
  const id = await policyOf(story, from);
  const { rules, ...policy } = (await account.call('GET', `/api/policies/${id}`)) as JsonObject;
  const ids = (of: unknown) => ((of ?? []) as JsonObject[]).map(one => String(one.id));
  await account.call('PUT', `/api/policies/${id}`, {
    ...policy,
    name: to,
    rules: (rules as JsonObject[]).map(rule => ({ ...rule, sources: ids(rule.sources) })),
  });
}

async function policyOf({ account }: Teams, called: string): Promise<string> {
  const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
  return String(policies.find(({ name }) => name === called)?.id);
}

test('an object that another folder declares under its new name is not created a second time', () =>
  recorded(async story => {
    const { apply, commit, id, run } = story;
    await rename(story, '/api/groups', 'servers', 'machines');
    await commit(groupsIn('app', id, ['machines']));
    expectCode(await apply('app', ['--first']), 0);
    const planned = await run(['plan', 'net', '--base', 'auto']);
    expectCode(planned, 3);
    expect(planned.stderr).toContain('OBJECT_DUPLICATE');
    expect(planned.stderr).toContain(
      'group.servers is called `machines` in the account, and `app` declares it as group.machines',
    );
  }));
