// What no real server offers: the controls, each by what it does to the API.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROLS } from '../../../src/emulator/controls/index.ts';
import { memoryStore } from '../../../src/emulator/index.ts';
import { setupKeyBody } from '../bodies.ts';
import { type Emulated, emulated, refused } from '../emulated.ts';
import { statusFor } from '../people/people.ts';

const refusalOf = async (api: Emulated, method: string, path: string, body?: object) =>
  (await api.call(method, path, body, `Token ${api.controlsToken}`)).status;

const GUIDE = new URL('../../../docs/emulator.md', import.meta.url);

const LINES = Object.keys(CONTROLS).map(line => line.split(' ') as [string, string]);

it('the guide lists every control, and no other', () => {
  const rows = readFileSync(GUIDE, 'utf8').matchAll(/^\| `((?:GET|POST|PUT|DELETE) \/\S+)` \|/gm);
  expect(Array.from(rows, ([, line]) => line)).toEqual(Object.keys(CONTROLS));
});

describe('the controls', () => {
  it.each(LINES)('%s %s exists, only for its own token', async (method, path) => {
    const api = await emulated();
    const call = (authorization: string) =>
      api.call(method, path, method === 'GET' ? undefined : {}, authorization);
    expect(await call(`Token ${api.token}`)).toMatchObject({ status: 401 });
    expect(await call('')).toMatchObject({ status: 401 });
    expect((await call(`Token ${api.controlsToken}`)).status).not.toBe(401);
  });

  it.each(LINES)('%s %s does not exist unless the controls are enabled', async (method, path) => {
    const api = await emulated({ controls: false });
    const body = method === 'GET' ? undefined : {};
    const answer = await api.call(method, path, body, `Token ${api.controlsToken}`);
    expect(answer).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  it('do not authorise requests to the API, and know their methods', async () => {
    const api = await emulated();
    expect(await statusFor(api, { as: `Token ${api.controlsToken}` }, 'GET', '/api/groups')).toBe(
      404,
    );
    expect(await refusalOf(api, 'PUT', '/emulator/clock', {})).toBe(405);
    expect(await refusalOf(api, 'GET', '/emulator/nothing')).toBe(404);
  });
});

describe('enrolment', () => {
  it.each([
    ['no name', {}],
    ['an unknown group', { groups: ['none'] }],
    ['an unknown user', { user_id: 'none' }],
    ['an unknown key', { setup_key: 'none' }],
  ])('is refused with %s', async (what, more) => {
    const api = await emulated();
    const body = what === 'no name' ? more : { name: 'laptop', ...more };
    expect(await refusalOf(api, 'POST', '/emulator/peers', body)).toBe(422);
  });

  it('is refused with both a user and a key', async () => {
    const api = await emulated();
    const { key } = Object(await api.post('/api/setup-keys', setupKeyBody()));
    const [user] = [await api.get('/api/users')].flat();
    const body = { name: 'laptop', setup_key: key, user_id: Object(user).id };
    expect(await refusalOf(api, 'POST', '/emulator/peers', body)).toBe(422);
  });

  it('connects by default; a machine can disconnect and connect again', async () => {
    let now = Date.UTC(2026, 0, 1);
    const api = await emulated({ clock: () => new Date(now) });
    const id = await api.enrol('laptop', { connected: false });
    const path = `/api/peers/${id}`;
    expect(await api.get(path)).toMatchObject({ connected: false });
    now += 60_000;
    await api.control('POST', `/emulator/peers/${id}/connect`);
    expect(await api.get(path)).toMatchObject({
      connected: true,
      last_seen: '2026-01-01T00:01:00.000Z',
    });
    await api.control('POST', `/emulator/peers/${id}/disconnect`);
    expect(await api.get(path)).toMatchObject({ connected: false });
    expect(await refusalOf(api, 'POST', '/emulator/peers/none/connect', {})).toBe(404);
  });
});

describe('the clock', () => {
  it('can be advanced, and keeps its time after a restart', async () => {
    const store = memoryStore();
    const clock = () => new Date('2026-01-01T00:00:00Z');
    const api = await emulated({ store, clock });
    expect(await api.control('GET', '/emulator/clock')).toEqual({
      now: '2026-01-01T00:00:00.000Z',
    });
    await api.control('POST', '/emulator/clock', { advance: 86_400 });
    const later = { now: '2026-01-02T00:00:00.000Z' };
    expect(await api.control('GET', '/emulator/clock')).toEqual(later);
    const next = await emulated({ store, clock });
    expect(await next.control('GET', '/emulator/clock')).toEqual(later);
  });

  it('never runs backwards, and can be advanced only by a given duration', async () => {
    const api = await emulated();
    expect(await refusalOf(api, 'POST', '/emulator/clock', { advance: -1 })).toBe(422);
    expect(await refusalOf(api, 'POST', '/emulator/clock', { seconds: 1 })).toBe(422);
  });

  it('makes a user sign in again on their machine', async () => {
    const api = await emulated();
    const [user] = [await api.get('/api/users')].flat();
    const id = await api.enrol('laptop', { user_id: Object(user).id });
    const path = `/api/peers/${id}`;
    expect(await api.get(path)).toMatchObject({ login_expired: false });
    await api.control('POST', '/emulator/clock', { advance: 86_400 });
    expect(await api.get(path)).toMatchObject({ login_expired: true });
  });
});

describe('accounts', () => {
  it('are created with their own owner, and do not see each other', async () => {
    const api = await emulated();
    const made = Object(
      await api.control('POST', '/emulator/accounts', { email: 'b@example.com' }),
    );
    await api.make('/api/groups', { name: 'mine' });
    const { body } = await api.call('GET', '/api/groups', undefined, `Token ${made.token}`);
    expect(body).toMatchObject([{ name: 'All' }]);
    const all = Object(await api.control('GET', '/emulator/accounts'));
    expect(all).toContainEqual({ id: made.id, owner: made.owner });
    expect(all).toHaveLength(2);
  });

  it('are selected by `account` in the query, and the first one by default', async () => {
    const api = await emulated();
    const { id, token } = Object(await api.control('POST', '/emulator/accounts', {}));
    await api.control('POST', `/emulator/peers?account=${id}`, { name: 'laptop' });
    expect(await api.get('/api/peers')).toEqual([]);
    const { body } = await api.call('GET', '/api/peers', undefined, `Token ${token}`);
    expect(body).toMatchObject([{ name: 'laptop' }]);
    expect(await refusalOf(api, 'POST', '/emulator/peers?account=none', {})).toBe(404);
  });

  it('are reset to their initial state; the owner and the tokens of the owner stay', async () => {
    const api = await emulated();
    const [user] = [await api.get('/api/users')].flat();
    const path = `/api/users/${Object(user).id}/tokens`;
    const { plain_token } = Object(await api.post(path, { name: 't', expires_in: 1 }));
    const gone = Object(await api.control('POST', '/emulator/users', { email: 'a@example.com' }));
    const theirs = Object(await api.control('POST', '/emulator/tokens', { user_id: gone.id }));
    const first = await api.make('/api/setup-keys', setupKeyBody());
    await api.control('POST', '/emulator/reset');
    expect(await api.get('/api/setup-keys')).toEqual([]);
    expect(await api.get('/api/users')).toEqual([user]);
    expect(await api.get('/api/events/audit')).toEqual([]);
    expect(await statusFor(api, { as: `Token ${plain_token.token}` }, 'GET', '/api/groups')).toBe(
      200,
    );
    expect(await statusFor(api, { as: `Token ${theirs.token}` }, 'GET', '/api/groups')).toBe(404);
    expect(Number(await api.make('/api/setup-keys', setupKeyBody()))).toBeGreaterThan(
      Number(first),
    );
  });
});

describe('a snapshot', () => {
  it('is restored whole, accounts and tokens included, in another emulator too', async () => {
    const api = await emulated({ shuffle: false });
    await api.make('/api/groups', { name: 'kept' });
    const { token } = Object(await api.control('POST', '/emulator/accounts', {}));
    const snapshot = await api.control('GET', '/emulator/snapshot');
    const groups = await api.get('/api/groups');
    await api.make('/api/groups', { name: 'gone' });
    await api.control('PUT', '/emulator/snapshot', Object(snapshot));
    expect(await api.get('/api/groups')).toEqual(groups);
    const other = await emulated({ shuffle: false });
    await other.control('PUT', '/emulator/snapshot', Object(snapshot));
    expect(await other.get('/api/groups')).toEqual(groups);
    expect(await statusFor(other, { as: `Token ${token}` }, 'GET', '/api/groups')).toBe(200);
  });

  it('is identical each time, although the API answers in any order', async () => {
    const api = await emulated({ shuffle: true, accounts: 5, clock: () => new Date(0) });
    const take = () => api.control('GET', '/emulator/snapshot');
    const snapshot = await take();
    for (let n = 0; n < 5; n += 1) expect(await take()).toEqual(snapshot);
  });

  it('a snapshot of an unknown format is refused, and changes nothing', async () => {
    const api = await emulated();
    const id = await api.make('/api/groups', { name: 'kept' });
    expect(await refusalOf(api, 'PUT', '/emulator/snapshot', { form: 99, rows: [] })).toBe(422);
    expect(await api.get(`/api/groups/${id}`)).toMatchObject({ name: 'kept' });
  });
});

describe('a load', () => {
  it('posts the given objects, with names in place of ids', async () => {
    const api = await emulated();
    const { ids } = Object(
      await api.control('POST', '/emulator/load', {
        '/emulator/peers': [{ id: 'p', name: 'laptop' }],
        '/api/groups': [{ id: 'g', name: 'staff', peers: ['p'] }],
        '/api/networks': [{ id: 'n', name: 'office' }],
        '/api/networks/n/routers': [
          { peer_groups: ['g'], metric: 1, masquerade: true, enabled: true },
        ],
      }),
    );
    expect(await api.get(`/api/groups/${ids.g}`)).toMatchObject({ peers: [{ id: ids.p }] });
    expect(await api.get(`/api/networks/${ids.n}/routers`)).toMatchObject([
      { peer_groups: [ids.g] },
    ]);
  });

  it('is undone whole if one of them is refused, and says which', async () => {
    const api = await emulated();
    const groups = [{ name: 'a' }, { name: 'a' }];
    const answer = await api.call(
      'POST',
      '/emulator/load',
      { '/api/groups': groups },
      `Token ${api.controlsToken}`,
    );
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('body 2 is refused with 409') },
    });
    expect(await api.get('/api/groups')).toHaveLength(1);
  });
});

it('desired state needs a loader, which gets the path of the state', async () => {
  const without = await emulated();
  expect(await refusalOf(without, 'POST', '/emulator/desired-state', {})).toBe(412);
  const seen: string[] = [];
  const api = await emulated({
    loadDesiredState: async (yaml, account) => {
      const as = { authorization: `Token ${account.token}` };
      account.enrol('web-1');
      account.enrol('web-1');
      const { status } = await fetch(`${account.url}/api/groups`, { headers: as });
      seen.push(yaml, account.url, String(status), as.authorization);
      if (yaml.includes('bad')) throw new Error('it is bad');
    },
  });
  const load = (yaml: string) =>
    api.call('POST', '/emulator/desired-state', yaml, `Token ${api.controlsToken}`);
  expect(await load('groups: []')).toMatchObject({ status: 200, body: {} });
  expect(seen).toEqual(['groups: []', api.url, '200', expect.any(String)]);
  expect(await api.get('/api/peers')).toMatchObject([{ name: 'web-1' }]);
  // What let it in lets nobody in afterwards.
  expect(await statusFor(api, { as: String(seen[3]) }, 'GET', '/api/groups')).toBe(404);
  expect(await load('bad')).toMatchObject({ status: 422, body: { message: 'it is bad' } });
});

it('groups of an integration are created by a control, and only service users may change them', async () => {
  const api = await emulated();
  const made = Object(await api.control('POST', '/emulator/groups', { name: 'synced' }));
  expect(made).toMatchObject({ issued: 'integration' });
  expect(await api.refusal('DELETE', `/api/groups/${made.id}`)).toEqual(refused(400));
});
