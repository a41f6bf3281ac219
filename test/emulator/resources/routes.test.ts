// Routes (docs/server-behaviour.md#routes).
import { describe, expect, it } from 'vitest';
import { routeBody } from '../bodies.ts';
import { asSet, type Emulated, emulated, idOf } from '../emulated.ts';

const PATH = '/api/routes';

const fixture = async (api: Emulated) => {
  const one = await api.enrol('one');
  const two = await api.enrol('two');
  const peers = await api.make('/api/groups', { name: 'routing', peers: [one] });
  const groups = [await api.make('/api/groups', { name: 'clients' })];
  const route = (more: object) => routeBody({ groups, network: '10.0.0.0/8', peer: one, ...more });
  const byGroup = (more: object = {}) => route({ peer: undefined, peer_groups: [peers], ...more });
  return { one, two, peers, groups, route, byGroup };
};

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it('shows a route with a single peer and a range', async () => {
    const api = await emulated({ dialect });
    const { route, one, groups } = await fixture(api);
    const made = await api.post(PATH, route({}));
    expect(made).toEqual({
      ...routeBody(),
      id: idOf(made),
      network_type: 'IPv4',
      network: '10.0.0.0/8',
      domains: empty,
      peer: one,
      groups,
      skip_auto_apply: false,
    });
    expect(await api.get(`${PATH}/${idOf(made)}`)).toEqual(made);
    expect(await api.get(PATH)).toEqual([made]);
  });

  it('shows an empty peer if groups route, and the optional groups only if there are any', async () => {
    const api = await emulated({ dialect });
    const { byGroup, peers, groups } = await fixture(api);
    const made = await api.post(
      PATH,
      byGroup({ access_control_groups: groups, skip_auto_apply: true }),
    );
    expect(made).toMatchObject({
      peer: '',
      peer_groups: [peers],
      access_control_groups: groups,
      skip_auto_apply: true,
    });
    const bare = await api.put(`${PATH}/${idOf(made)}`, byGroup({ access_control_groups: [] }));
    expect(bare).not.toHaveProperty('access_control_groups');
  });

  it('shows a placeholder network if domains route', async () => {
    const api = await emulated({ dialect });
    const { route } = await fixture(api);
    const body = route({ network: undefined, domains: ['example.com'] });
    expect(await api.post(PATH, body)).toMatchObject({
      network: '192.0.2.0/32',
      network_type: 'Domain',
      domains: ['example.com'],
    });
  });

  it('cannot be sent back as it is read', async () => {
    const api = await emulated({ dialect });
    const { route, byGroup } = await fixture(api);
    for (const body of [byGroup(), route({ network: undefined, domains: ['example.com'] })]) {
      const made = await api.post(PATH, body);
      expect(await api.refusal('PUT', `${PATH}/${idOf(made)}`, made)).toMatchObject([
        422,
        expect.any(String),
      ]);
      await api.remove(`${PATH}/${idOf(made)}`);
    }
  });

  it.each([
    ['10.1.2.3/16', '10.1.0.0/16', 'IPv4'],
    ['0.0.0.0/0', '0.0.0.0/0', 'IPv4'],
    ['2001:DB8:1::5/48', '2001:db8:1::/48', 'IPv6'],
  ])('masks the network %s to %s', async (network, masked, network_type) => {
    const api = await emulated({ dialect });
    const { route } = await fixture(api);
    expect(await api.post(PATH, route({ network }))).toMatchObject({
      network: masked,
      network_type,
    });
  });

  it('shows domains in lower case and Unicode', async () => {
    const api = await emulated({ dialect });
    const { route } = await fixture(api);
    const domains = ['XN--Bcher-Kva.Example', '*.Example.com', 'BÜRO.example'];
    const made = await api.post(PATH, route({ network: undefined, domains }));
    expect(asSet(Object(made).domains)).toEqual(
      asSet(['bücher.example', '*.example.com', 'büro.example']),
    );
  });

  it.each([
    ['a bare address', { network: '10.0.0.1' }],
    ['a network that is none', { network: 'office' }],
    ['neither network nor domains', { network: undefined }],
    ['both network and domains', { domains: ['example.com'] }],
    ['both, though one is empty', { domains: [] }],
    ['no domain', { network: undefined, domains: [] }],
    ['a domain that is none', { network: undefined, domains: ['exa mple'] }],
    [
      '33 domains',
      { network: undefined, domains: Array.from({ length: 33 }, (_, n) => `d${n}.example`) },
    ],
    ['neither peer nor peer_groups', { peer: undefined }],
    ['both peer and peer_groups', { peer_groups: [] }],
    ['an empty network_id', { network_id: '' }],
    ['a network_id of 41 characters', { network_id: '🛣'.repeat(41) }],
    ['a metric of 0', { metric: 0 }],
    ['a metric of 10000', { metric: 10_000 }],
    ['no groups', { groups: [] }],
    ['unknown groups', { groups: ['none'] }],
    ['an unknown access control group', { access_control_groups: ['none'] }],
    ['an unknown peer', { peer: 'none' }],
    ['an unknown peer group', { peer: undefined, peer_groups: ['none'] }],
  ])('refuses %s with a 422', async (_, wrong) => {
    const api = await emulated({ dialect });
    const { route } = await fixture(api);
    const [status] = await api.refusal('POST', PATH, route(wrong));
    expect(status).toBe(422);
    const id = await api.make(PATH, route({}));
    const [again] = await api.refusal('PUT', `${PATH}/${id}`, route(wrong));
    expect(again).toBe(422);
  });

  it('accepts a network_id of 40 characters, and only one of an empty peer and an empty list', async () => {
    const api = await emulated({ dialect });
    const { route } = await fixture(api);
    await api.make(PATH, route({ network_id: '🛣'.repeat(40), network: '10.1.0.0/16' }));
    await api.make(PATH, route({ peer: '', network: '10.2.0.0/16' }));
    await api.make(PATH, route({ peer: undefined, peer_groups: [], network: '10.3.0.0/16' }));
  });

  it('answers 404 to an unknown id', async () => {
    const api = await emulated({ dialect });
    const { route } = await fixture(api);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        await api.refusal(method, `${PATH}/none`, method === 'PUT' ? route({}) : undefined),
      ).toEqual([404, 'route: none not found']);
  });

  describe('two routes to one network', () => {
    it('may not share a peer group (409)', async () => {
      const api = await emulated({ dialect });
      const { byGroup } = await fixture(api);
      await api.make(PATH, byGroup());
      const [status] = await api.refusal(
        'POST',
        PATH,
        byGroup({ network: '10.9.9.9/8', network_id: 'other' }),
      );
      expect(status).toBe(409);
    });

    it('may not share a peer through groups (409)', async () => {
      const api = await emulated({ dialect });
      const { byGroup, route, one, two } = await fixture(api);
      await api.make(PATH, byGroup());
      const twin = await api.make('/api/groups', { name: 'twin', peers: [one] });
      const other = await api.make('/api/groups', { name: 'other', peers: [two] });
      expect(await api.refusal('POST', PATH, byGroup({ peer_groups: [twin] }))).toMatchObject([
        409,
        expect.any(String),
      ]);
      expect(await api.refusal('POST', PATH, route({ peer: one }))).toMatchObject([
        409,
        expect.any(String),
      ]);
      await api.make(PATH, byGroup({ peer_groups: [other] }));
    });

    it('may not share a peer group, even an empty one (409)', async () => {
      const api = await emulated({ dialect });
      const { byGroup } = await fixture(api);
      const peer_groups = [await api.make('/api/groups', { name: 'empty' })];
      await api.make(PATH, byGroup({ peer_groups }));
      expect(await api.refusal('POST', PATH, byGroup({ peer_groups }))).toMatchObject([
        409,
        expect.any(String),
      ]);
    });

    it('may share a single peer, which the server forgets', async () => {
      const api = await emulated({ dialect });
      const { route, byGroup } = await fixture(api);
      await api.make(PATH, route({}));
      await api.make(PATH, route({}));
      await api.make(PATH, byGroup());
    });

    it('may be the same route, updated', async () => {
      const api = await emulated({ dialect });
      const { byGroup } = await fixture(api);
      const id = await api.make(PATH, byGroup());
      await api.put(`${PATH}/${id}`, byGroup({ metric: 1 }));
    });

    it('are distinguished by their domains, in their order', async () => {
      const api = await emulated({ dialect });
      const { byGroup } = await fixture(api);
      const domains = (...list: string[]) => byGroup({ network: undefined, domains: list });
      await api.make(PATH, domains('a.example', 'b.example'));
      await api.make(PATH, domains('b.example', 'a.example'));
      expect(await api.refusal('POST', PATH, domains('A.example', 'b.example'))).toMatchObject([
        409,
        expect.any(String),
      ]);
    });
  });
});
