// What directories bring into an account, when, and what is noted of it (docs/server-behaviour.md#scim-and-directory-sync).
import { describe, expect, it } from 'vitest';
import { directoryABody, directoryBBody, scimBody } from '../bodies.ts';
import { asSet, type Emulated, emulated, refused } from '../emulated.ts';

const ADA = { email: 'ada@example.com', name: 'Ada' };
const BOB = { email: 'bob@example.com', name: 'Bob' };
const CONTENT = {
  users: [ADA, BOB],
  groups: [
    { name: 'eng-all', members: [ADA.email] },
    { name: 'sales', members: [BOB.email] },
  ],
};

const SEGMENTS = {
  'scim-idp': scimBody,
  'idp-sync-a': directoryABody,
  'idp-sync-b': directoryBBody,
} as const;
type Segment = keyof typeof SEGMENTS;

async function directory(api: Emulated, segment: Segment, more: object = {}) {
  const collection = `/api/integrations/${segment}`;
  const id = await api.make(collection, SEGMENTS[segment](more));
  const path = `${collection}/${id}`;
  return {
    path,
    fill: (content: object) =>
      api.control('PUT', `/emulator/directories/${segment}/${id}`, content),
    run: () => api.post(`${path}/sync`, {}),
  };
}

/** Fills a directory, and has it brought over. */
async function brought(api: Emulated, segment: Segment, content: object, more: object = {}) {
  const own = await directory(api, segment, more);
  const bring = async (next: object) => {
    await own.fill(next);
    if (segment !== 'scim-idp') expect(await own.run()).toEqual({ result: 'ok' });
  };
  await bring(content);
  return { ...own, bring };
}

const synced = async (api: Emulated) =>
  [await api.get('/api/users')]
    .flat()
    .map(user => Object(user))
    .filter(({ issued }) => issued === 'integration');

/** The names of the groups that each synchronised person has. */
async function membership(api: Emulated) {
  const groups = [await api.get('/api/groups')].flat().map(group => Object(group));
  const name = (id: string) => groups.find(group => group.id === id)?.name;
  return Object.fromEntries(
    (await synced(api)).map(user => [user.name, user.auto_groups.map(name).toSorted()]),
  );
}

describe.each(Object.keys(SEGMENTS) as Segment[])('%s', segment => {
  it('creates users and groups, which belong to the directory', async () => {
    const api = await emulated();
    const { path } = await brought(api, segment, CONTENT);
    expect(await membership(api)).toEqual({ Ada: ['eng-all'], Bob: ['sales'] });
    for (const user of await synced(api))
      expect(user).toMatchObject({ role: 'user', status: 'active', is_service_user: false });
    expect(await api.get('/api/groups?name=sales')).toMatchObject([{ issued: 'integration' }]);
    expect(await api.get(path)).toMatchObject({
      last_synced_at: expect.not.stringMatching(/^0001/),
    });
  });

  it('creates only groups, and only users of groups, with the configured prefixes', async () => {
    const api = await emulated();
    const scope = { group_prefixes: ['eng', 'ops'], user_group_prefixes: ['eng'] };
    await brought(api, segment, CONTENT, scope);
    expect(await membership(api)).toEqual({ Ada: ['eng-all'] });
    expect(await api.get('/api/groups?name=sales')).toEqual([]);
  });

  it('is followed: users are renamed, deleted and move between groups', async () => {
    const api = await emulated();
    const { bring } = await brought(api, segment, CONTENT);
    const [ada] = (await synced(api)).filter(({ name }) => name === 'Ada');
    await bring({
      users: [{ ...ADA, name: 'Ada L.' }],
      groups: [{ name: 'sales', members: [ADA.email] }],
    });
    expect(await membership(api)).toEqual({ 'Ada L.': ['sales'] });
    expect(await synced(api)).toMatchObject([{ id: ada.id }]);
    // A group that nobody is in any more stays.
    expect(await api.get('/api/groups?name=eng-all')).toHaveLength(1);
  });

  it('does not change users created by hand, and groups assigned by hand', async () => {
    const api = await emulated();
    const own = { email: BOB.email.toUpperCase(), name: 'B', role: 'admin', auto_groups: [] };
    await api.make('/api/users', { ...own, is_service_user: false });
    const group = await api.make('/api/groups', { name: 'by-hand' });
    const { bring } = await brought(api, segment, CONTENT);
    const [ada] = await synced(api);
    const [sync] = ada.auto_groups;
    await api.put(`/api/users/${ada.id}`, {
      role: 'auditor',
      is_blocked: false,
      auto_groups: [group, sync],
    });
    await bring(CONTENT);
    expect(await membership(api)).toEqual({ Ada: ['by-hand', 'eng-all'] });
    expect(await synced(api)).toMatchObject([{ role: 'auditor' }]);
  });

  it('makes the peers of users follow their groups', async () => {
    const api = await emulated();
    const { bring } = await brought(api, segment, { ...CONTENT, groups: [] });
    const [ada] = (await synced(api)).filter(({ name }) => name === 'Ada');
    const laptop = await api.enrol('laptop', { user_id: ada.id });
    await bring(CONTENT);
    expect(await api.get('/api/groups?name=eng-all')).toMatchObject([{ peers: [{ id: laptop }] }]);
  });

  it('logs what it did, newest first, and deletes the log with itself', async () => {
    const api = await emulated();
    const { path, bring } = await brought(api, segment, CONTENT);
    await bring({ users: [ADA], groups: [] });
    expect(await api.get(`${path}/logs`)).toMatchObject([
      { id: 2, level: 'info', message: 'synchronised 0 groups and 1 users' },
      { id: 1, level: 'info', message: 'synchronised 2 groups and 2 users' },
    ]);
    const other = await directory(api, segment);
    expect(await api.get(`${other.path}/logs`)).toEqual([]);
    await api.remove(path);
    expect(await api.refusal('GET', `${path}/logs`)).toEqual(refused(404));
  });

  it('does nothing while it is disabled', async () => {
    const api = await emulated();
    const { path, fill } = await directory(api, segment);
    await api.put(path, { enabled: false });
    await fill(CONTENT);
    if (segment !== 'scim-idp')
      expect(await api.refusal('POST', `${path}/sync`)).toEqual(refused(412));
    await api.control('POST', '/emulator/clock', { advance: 86_400 });
    expect(await synced(api)).toEqual([]);
  });
});

describe.each(['idp-sync-a', 'idp-sync-b'] as const)('%s', segment => {
  it('is read on its interval, again and again', async () => {
    const api = await emulated();
    const { path, fill } = await directory(api, segment, { sync_interval: 600 });
    const wait = async (advance: number) => {
      await api.control('POST', '/emulator/clock', { advance });
      return [await api.get(`${path}/logs`)].flat().length;
    };
    await fill(CONTENT);
    expect(await wait(590)).toBe(0);
    expect(await wait(10)).toBe(1);
    expect(await synced(api)).toHaveLength(2);
    expect(await wait(590)).toBe(1);
    expect(await wait(10)).toBe(2);
  });

  it('creates nothing if it is empty', async () => {
    const api = await emulated();
    const { path, run } = await directory(api, segment);
    await run();
    expect(await api.get(`${path}/logs`)).toMatchObject([
      { message: 'synchronised 0 groups and 0 users' },
    ]);
  });
});

it('SCIM authenticates by its newest token, which is shown once', async () => {
  const api = await emulated();
  const path = '/api/integrations/scim-idp';
  const { id, auth_token: before } = Object(await api.post(path, scimBody()));
  const answer = Object(await api.post(`${path}/${id}/token`, {}));
  expect(Object.keys(answer)).toEqual(['auth_token']);
  expect(answer.auth_token).toMatch(/^nbs_[0-9A-Za-z]{36}$/);
  expect(answer.auth_token).not.toBe(before);
  expect(await api.get(`${path}/${id}`)).toMatchObject({
    auth_token: `${answer.auth_token.slice(0, 5)}****`,
  });
});

it('two directories do not affect each other', async () => {
  const api = await emulated();
  await brought(api, 'idp-sync-a', { users: [ADA], groups: [] });
  const b = await brought(api, 'idp-sync-b', { users: [ADA, BOB], groups: [] });
  expect(asSet((await synced(api)).map(({ name }) => name))).toEqual(asSet(['Ada', 'Bob']));
  await b.bring({ users: [], groups: [] });
  expect((await synced(api)).map(({ name }) => name)).toEqual(['Ada']);
});
