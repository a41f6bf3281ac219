// The resources of a network (docs/server-behaviour.md#network-resources).
import { describe, expect, it } from 'vitest';
import { resourceBody } from '../bodies.ts';
import { type Emulated, emulated, idOf } from '../emulated.ts';

const DIALECTS = ['spec', 'netbird'] as const;

const twoNetworks = async (api: Emulated) => {
  const paths = ['one', 'two'].map(async name => {
    const network = await api.make('/api/networks', { name });
    return `/api/networks/${network}/resources`;
  });
  const [here = '', there = ''] = await Promise.all(paths);
  return { here, there };
};

describe.each(DIALECTS)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it.each([
    ['10.0.0.5', '10.0.0.5/32', 'host'],
    ['10.0.0.5/32', '10.0.0.5/32', 'host'],
    ['10.0.0.5/24', '10.0.0.5/24', 'subnet'],
    ['2001:DB8:0:0::1', '2001:db8::1/128', 'host'],
    ['2001:db8:0:0:8::/64', '2001:db8:0:0:8::/64', 'subnet'],
    ['2001:db8::/32', '2001:db8::/32', 'host'],
    ['DB.example.com', 'DB.example.com', 'domain'],
    ['*.example.com', '*.example.com', 'domain'],
    ['_tcp.bücher.example', '_tcp.bücher.example', 'domain'],
    ['10.0.0.300', '10.0.0.300', 'domain'],
    ['fe80::1%eth0', 'fe80::1/128', 'host'],
  ])('reads the address %s as %s, a %s', async (address, canonical, type) => {
    const api = await emulated({ dialect });
    const { here } = await twoNetworks(api);
    const resource = await api.post(here, resourceBody({ address }));
    expect(resource).toMatchObject({ address: canonical, type });
    expect(await api.get(`${here}/${idOf(resource)}`)).toEqual(resource);
  });

  it.each([
    '10.0.0.0/33',
    'fe80::1%',
    '10.0.0.1%eth0',
    'example.com.',
    'a b',
    '',
    '10.0.0.0/08',
    '-a.example',
    'a-',
  ])('refuses the address %j, as a 500 under netbird', async address => {
    const api = await emulated({ dialect });
    const { here } = await twoNetworks(api);
    const [status] = await api.refusal('POST', here, resourceBody({ address }));
    expect(status).toBe(dialect === 'spec' ? 422 : 500);
    expect(await api.get(here)).toEqual(empty);
  });

  it('requires names that are unique in the whole account', async () => {
    const api = await emulated({ dialect });
    const { here, there } = await twoNetworks(api);
    await api.make(here, resourceBody({ name: 'a' }));
    const id = await api.make(there, resourceBody({ name: 'b' }));
    expect(await api.refusal('POST', there, resourceBody({ name: 'a' }))).toEqual([
      422,
      'resource with name a already exists',
    ]);
    expect(await api.refusal('PUT', `${there}/${id}`, resourceBody({ name: 'a' }))).toEqual([
      422,
      'new resource name already exists',
    ]);
    await api.put(`${there}/${id}`, resourceBody({ name: 'b' }));
  });

  it('refuses an unknown group with a 404 and saves nothing', async () => {
    const api = await emulated({ dialect });
    const { here } = await twoNetworks(api);
    const group = await api.make('/api/groups', { name: 'g' });
    const [status] = await api.refusal('POST', here, resourceBody({ groups: [group, 'none'] }));
    expect(status).toBe(404);
    expect(await api.get(here)).toEqual(empty);
    expect(await api.get(`/api/groups/${group}`)).toMatchObject({ resources_count: 0 });
  });

  it('may be a member of All', async () => {
    const api = await emulated({ dialect });
    const { here } = await twoNetworks(api);
    const [all] = [await api.get('/api/groups')].flat();
    expect(await api.post(here, resourceBody({ groups: [idOf(all)] }))).toMatchObject({
      groups: [{ name: 'All', resources_count: 1 }],
    });
  });

  it('shows its groups in short form, and none as null or an empty list', async () => {
    const api = await emulated({ dialect });
    const { here } = await twoNetworks(api);
    const group = await api.make('/api/groups', { name: 'g' });
    const short = { id: group, name: 'g', peers_count: 0, resources_count: 1 };
    const issued = dialect === 'spec' ? { issued: 'api' } : {};
    const resource = await api.post(here, resourceBody({ groups: [group] }));
    expect(resource).toMatchObject({ groups: [{ ...short, ...issued }] });
    expect(resource).not.toHaveProperty('network');
    const bare = await api.put(`${here}/${idOf(resource)}`, resourceBody({ groups: [] }));
    expect(bare).toMatchObject({ groups: empty });
  });

  it('lists nothing for an unknown network, but creates nothing in it', async () => {
    const api = await emulated({ dialect });
    const path = '/api/networks/none/resources';
    expect(await api.get(path)).toEqual(empty);
    expect(await api.refusal('POST', path, resourceBody())).toEqual([
      404,
      'network: none not found',
    ]);
  });

  it('answers 404 to an unknown id, and 500 under netbird to the wrong network', async () => {
    const api = await emulated({ dialect });
    const { here, there } = await twoNetworks(api);
    const id = await api.make(here, resourceBody());
    for (const method of ['GET', 'DELETE']) {
      expect(await api.refusal(method, `${here}/none`)).toMatchObject([
        404,
        expect.stringMatching(/none/),
      ]);
      const [status] = await api.refusal(method, `${there}/${id}`);
      expect(status).toBe(dialect === 'spec' ? 404 : 500);
    }
    expect(await api.get(`${here}/${id}`)).toMatchObject({ id });
  });
});

describe('a PUT through another network', () => {
  it('is refused with 404 under spec, because the resource is not in the network that the path names', async () => {
    const api = await emulated({ dialect: 'spec' });
    const { here, there } = await twoNetworks(api);
    const id = await api.make(here, resourceBody());
    expect(await api.refusal('PUT', `${there}/${id}`, resourceBody())).toMatchObject([
      404,
      expect.any(String),
    ]);
  });

  it('moves the resource under netbird', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const { here, there } = await twoNetworks(api);
    const id = await api.make(here, resourceBody());
    expect(await api.put(`${there}/${id}`, resourceBody())).toMatchObject({ id });
    expect(await api.get(here)).toBeNull();
    expect(await api.get(there)).toMatchObject([{ id }]);
    const [status] = await api.refusal('PUT', `/api/networks/none/resources/${id}`, resourceBody());
    expect(status).toBe(404);
  });
});

describe('the membership of a resource in a group', () => {
  it.each(DIALECTS)('is the same from either side, dialect %s', async dialect => {
    const api = await emulated({ dialect });
    const { here } = await twoNetworks(api);
    const a = await api.make('/api/groups', { name: 'a' });
    const b = await api.make('/api/groups', { name: 'b' });
    const id = await api.make(here, resourceBody({ groups: [a] }));
    await api.put(`/api/groups/${b}`, { name: 'b', resources: [{ id, type: 'host' }] });
    expect(await api.get(`${here}/${id}`)).toMatchObject({
      groups: expect.arrayContaining([
        expect.objectContaining({ id: a }),
        expect.objectContaining({ id: b }),
      ]),
    });
    await api.put(`/api/groups/${a}`, { name: 'a' });
    expect(await api.get(`${here}/${id}`)).toMatchObject({ groups: [{ id: b }] });
    await api.put(`${here}/${id}`, resourceBody({ groups: [a] }));
    expect(await api.get(`/api/groups/${a}`)).toMatchObject({ resources: [{ id }] });
    expect(await api.get(`/api/groups/${b}`)).toMatchObject({ resources_count: 0 });
  });

  it('keeps its type from its creation when the address changes', async () => {
    const api = await emulated();
    const { here } = await twoNetworks(api);
    const a = await api.make('/api/groups', { name: 'a' });
    const b = await api.make('/api/groups', { name: 'b' });
    const id = await api.make(here, resourceBody({ groups: [a] }));
    const moved = resourceBody({ address: 'db.example.com', groups: [a, b] });
    expect(await api.put(`${here}/${id}`, moved)).toMatchObject({ type: 'domain' });
    expect(await api.get(`/api/groups/${a}`)).toMatchObject({ resources: [{ id, type: 'host' }] });
    expect(await api.get(`/api/groups/${b}`)).toMatchObject({
      resources: [{ id, type: 'domain' }],
    });
  });

  it('ends if a PUT under netbird omits groups', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const { here } = await twoNetworks(api);
    const group = await api.make('/api/groups', { name: 'g' });
    const id = await api.make(here, resourceBody({ groups: [group] }));
    await api.put(`${here}/${id}`, resourceBody({ groups: undefined }));
    expect(await api.get(`/api/groups/${group}`)).toMatchObject({ resources: null });
  });
});

describe('the list of all resources', () => {
  it('exists under netbird, without the network', async () => {
    const api = await emulated({ dialect: 'netbird' });
    expect(await api.get('/api/networks/resources')).toEqual([]);
    const { here, there } = await twoNetworks(api);
    await api.make(here, resourceBody({ name: 'a' }));
    await api.make(there, resourceBody({ name: 'b' }));
    expect(await api.get('/api/networks/resources')).toHaveLength(2);
  });

  it('does not exist under spec: its path is that of a network', async () => {
    const api = await emulated({ dialect: 'spec' });
    expect(await api.refusal('GET', '/api/networks/resources')).toEqual([
      404,
      'network: resources not found',
    ]);
  });
});
