// What only the public server does, where no recording goes further than one line.
import { describe, expect, it } from 'vitest';
import { peerBody } from '../bodies.ts';
import { type Emulated, emulated } from '../emulated.ts';
import { events } from '../events.ts';
import { owner, person } from '../people/people.ts';

const start = () => emulated({ dialect: 'netbird' });

const GROUPS = '/api/groups';

describe('an integer', () => {
  it.each(['1.0', '1e1', '1.5', '"1"', 'true'])('is refused as %s', async spelled => {
    const api = await start();
    const network = await api.make('/api/networks', {});
    const body = `{"peer": "p", "metric": ${spelled}}`;
    const path = `/api/networks/${network}/routers`;
    expect(await api.refusal('POST', path, body)).toEqual([400, "couldn't parse JSON request"]);
  });

  it('is read in decimal digits', async () => {
    const api = await start();
    const network = await api.make('/api/networks', {});
    const path = `/api/networks/${network}/routers`;
    for (const metric of [0, -1, 99_999_999_999])
      expect(await api.post(path, { peer: 'p', metric })).toMatchObject({ metric });
  });
});

describe('a group with an empty reference', () => {
  const dropped = (call: Promise<unknown>) => expect(call).rejects.toThrow();

  it.each([{}, null, { a: 1 }])('is stored as %j, although no response shows it', async pointer => {
    const api = await start();
    const peer = await api.enrol('laptop');
    const body = { name: 'broken', peers: [peer], resources: [pointer] };
    await dropped(api.call('POST', GROUPS, body));
    const { groups } = Object(await api.get(`/api/peers/${peer}`));
    const [, broken] = [groups].flat().toSorted((one, other) => (one.name < other.name ? -1 : 1));
    expect(broken).toMatchObject({ name: 'broken', peers_count: 1, resources_count: 1 });
    await dropped(api.call('GET', GROUPS));
    await dropped(api.call('GET', `${GROUPS}/${broken.id}`));
    await api.put(`${GROUPS}/${broken.id}`, { name: 'mended' });
    expect(await api.get(GROUPS)).toHaveLength(2);
  });

  it.each([{ id: 'x' }, { type: 'host' }])('is shown as %j', async pointer => {
    const api = await start();
    expect(await api.post(GROUPS, { name: 'g', resources: [pointer] })).toMatchObject({
      resources: [{ id: '', type: '', ...pointer }],
    });
  });
});

describe('users', () => {
  it('have long ids of the provider; service users have UUIDs, objects short ids', async () => {
    const api = await start();
    const ada = Object(
      await api.post('/api/users', { name: 'Ada', email: 'a@example.com', role: 'user' }),
    );
    expect(ada.id).toMatch(/^Ci[QR][A-Za-z0-9+/]{57}$/);
    const parts = Buffer.from(ada.id, 'base64').toString('latin1').slice(2);
    expect(parts.slice(0, 36)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(parts.slice(38)).toBe('local');
    const robot = { name: 'ci', role: 'user', is_service_user: true };
    expect(Object(await api.post('/api/users', robot)).id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await api.make(GROUPS, { name: 'g' })).toMatch(/^[0-9a-v]{20}$/);
  });

  it('show their permissions on every module only to themselves', async () => {
    const api = await start();
    const [listed] = [await api.get('/api/users')].flat();
    expect(listed).not.toHaveProperty('permissions');
    const { permissions } = Object(await api.get('/api/users/current'));
    expect(Object.keys(permissions.modules)).toHaveLength(24);
    const own = { read: true, create: true, update: true, delete: true };
    expect(permissions.modules).toMatchObject({ accounts: own, nameservers: own, networks: own });
    const admin = await person(api, 'admin');
    const { body } = await api.call('GET', '/api/users/current', undefined, admin.as);
    const reads = { read: true, create: false, update: false, delete: false };
    expect(Object(body).permissions.modules).toMatchObject({ accounts: reads, settings: own });
  });
});

describe('a peer', () => {
  it('has an IPv6 address, which can be changed to a different address of the same network', async () => {
    const api = await start();
    const one = await api.enrol('one');
    const other = await api.enrol('other');
    const ipv6 = async (id: string) => String(Object(await api.get(`/api/peers/${id}`)).ipv6);
    const first = await ipv6(one);
    const second = await ipv6(other);
    expect(first).toMatch(/^fd[0-9a-f:]+$/);
    expect(second).not.toBe(first);
    const put = (ipv6: string) => api.call('PUT', `/api/peers/${one}`, peerBody({ ipv6 }));
    const free = `${first.split(':').slice(0, 4).join(':')}::1`;
    expect(await put(free)).toMatchObject({ status: 200, body: { ipv6: free } });
    for (const wrong of [second, '2001:db8::1', '100.64.0.1', 'nonsense'])
      expect(await put(wrong)).toMatchObject({ status: 422 });
    expect(await ipv6(one)).toBe(free);
  });

  it('a peer of a blocked user waits until the user signs in again', async () => {
    const api = await start();
    const ada = await person(api, 'user');
    const id = await api.enrol('laptop', { user_id: ada.id });
    const put = (is_blocked: boolean) =>
      api.put(`/api/users/${ada.id}`, { role: 'user', auto_groups: [], is_blocked });
    const isExpired = async () => Object(await api.get(`/api/peers/${id}`)).login_expired;
    await put(true);
    const expired = (await events(api)).filter(one => one.activity_code === 'peer.login.expire');
    expect(expired).toMatchObject([
      {
        target_id: id,
        initiator_id: ada.id,
        meta: { reason: 'blocked owner account' },
      },
    ]);
    await put(false);
    await api.control('POST', `/emulator/peers/${id}/connect`);
    expect(await isExpired()).toBe(true);
    await api.control('POST', `/emulator/peers/${id}/connect`, { login: true });
    expect(await isExpired()).toBe(false);
  });
});

it('the log begins with the account and the first token of its owner', async () => {
  const api = await start();
  const { id } = await owner(api);
  const log = await events(api);
  expect(log.map(one => [one.activity_code, one.initiator_id])).toEqual([
    ['account.create', id],
    ['personal.access.token.create', id],
  ]);
});

it('the log has two events for an effect of a group that happens twice', async () => {
  const api: Emulated = await start();
  const peer = await api.enrol('laptop');
  await api.make(GROUPS, { name: 'g', peers: [peer, peer] });
  const codes = (await events(api)).map(one => one.activity_code);
  expect(codes.filter(code => code === 'peer.group.add')).toHaveLength(2);
});
