// Drives the emulator as somebody would who has read nothing but the specification: its fields, its legends, its words.
import { describe, expect, it } from 'vitest';
import { client, ERROR, SUCCESS, setOf } from './spec-client.ts';

const RULE = { name: 'r', enabled: true, action: 'accept', bidirectional: true, protocol: 'tcp' };

describe('groups', () => {
  it('are created, found by their exact name, replaced and deleted', async () => {
    const call = await client();
    const peer = await call.control('POST', '/emulator/peers', { name: 'laptop' });
    const created = await call('POST', '/api/groups', { name: 'engineers', peers: [peer.body.id] });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: {
        id: expect.any(String),
        name: 'engineers',
        peers_count: 1,
        resources_count: 0,
        issued: 'api',
        peers: [{ id: peer.body.id, name: 'laptop' }],
        resources: [],
      },
    });
    expect((await call('GET', '/api/groups?name=engineers')).body).toEqual([created.body]);
    expect((await call('GET', '/api/groups?name=engineer')).body).toEqual([]);
    const path = `/api/groups/${created.body.id}`;
    expect((await call('PUT', path, { name: 'staff' })).body).toMatchObject({
      id: created.body.id,
      name: 'staff',
      peers: [],
    });
    expect(await call('DELETE', path)).toMatchObject({ status: SUCCESS });
    expect(await call('GET', path)).toMatchObject({ status: ERROR });
  });
});

describe('networks', () => {
  it('hold resources and routers, and list their ids', async () => {
    const call = await client();
    const network = await call('POST', '/api/networks', { name: 'production' });
    expect(network.body).toMatchObject({
      name: 'production',
      resources: [],
      routers: [],
      policies: [],
    });
    const group = await call('POST', '/api/groups', { name: 'databases' });
    const base = `/api/networks/${network.body.id}`;
    const resource = await call('POST', `${base}/resources`, {
      name: 'orders-db',
      address: '10.20.0.5',
      enabled: true,
      groups: [group.body.id],
    });
    expect(resource).toMatchObject({
      status: SUCCESS,
      body: {
        type: 'host',
        name: 'orders-db',
        enabled: true,
        groups: [{ id: group.body.id, issued: 'api' }],
      },
    });
    const peer = await call.control('POST', '/emulator/peers', { name: 'gateway' });
    const router = await call('POST', `${base}/routers`, {
      peer: peer.body.id,
      metric: 9999,
      masquerade: true,
      enabled: false,
    });
    expect(router).toMatchObject({ status: SUCCESS, body: { metric: 9999, enabled: false } });
    expect((await call('GET', base)).body).toMatchObject({
      resources: [resource.body.id],
      routers: [router.body.id],
      routing_peers_count: 1,
    });
    expect((await call('GET', `${base}/resources`)).body).toEqual([resource.body]);
    expect((await call('GET', `${base}/routers`)).body).toEqual([router.body]);
    expect((await call('GET', `/api/groups/${group.body.id}`)).body).toMatchObject({
      resources: [{ id: resource.body.id, type: 'host' }],
    });
    const renamed = await call('PUT', base, { name: 'live', description: 'what customers use' });
    expect(renamed.body).toMatchObject({ name: 'live', description: 'what customers use' });
    expect(await call('DELETE', base)).toMatchObject({ status: SUCCESS });
    expect(await call('GET', base)).toMatchObject({ status: ERROR });
  });

  it('refuse a router with both peer and peer_groups, and a metric out of range', async () => {
    const call = await client();
    const { body } = await call('POST', '/api/networks', { name: 'n' });
    const path = `/api/networks/${body.id}/routers`;
    const router = { peer: 'p', metric: 1, masquerade: true, enabled: true };
    expect(await call('POST', path, { ...router, peer_groups: ['g'] })).toMatchObject({
      status: ERROR,
    });
    for (const metric of [0, 10_000])
      expect(await call('POST', path, { ...router, metric })).toMatchObject({ status: ERROR });
    expect((await call('GET', path)).body).toEqual([]);
  });
});

describe('routes', () => {
  const route = (groups: unknown[]) => ({
    description: 'office',
    network_id: 'office',
    enabled: true,
    metric: 1,
    masquerade: false,
    groups,
    keep_route: true,
  });

  it('lead to a network through a peer, or to domains through groups', async () => {
    const call = await client();
    const { id: peer } = (await call.control('POST', '/emulator/peers', { name: 'p' })).body;
    const { id: group } = (await call('POST', '/api/groups', { name: 'g' })).body;
    const byNetwork = await call('POST', '/api/routes', {
      ...route([group]),
      peer,
      network: '10.0.0.0/8',
    });
    expect(byNetwork).toMatchObject({
      status: SUCCESS,
      body: { ...route([group]), peer, network: '10.0.0.0/8', network_type: 'IPv4' },
    });
    const domains = ['a.example', 'b.example'];
    const byDomains = await call('POST', '/api/routes', {
      ...route([group]),
      peer_groups: [group],
      domains,
    });
    expect(byDomains).toMatchObject({
      status: SUCCESS,
      body: { ...route([group]), peer_groups: [group], domains: setOf(...domains) },
    });
    expect((await call('GET', '/api/routes')).body).toHaveLength(2);
  });

  it('refuse fields that exclude each other, too many domains and a long network_id', async () => {
    const call = await client();
    const { id: peer } = (await call.control('POST', '/emulator/peers', { name: 'p' })).body;
    const { id: group } = (await call('POST', '/api/groups', { name: 'g' })).body;
    const good = { ...route([group]), peer, network: '10.0.0.0/8' };
    const domains = Array.from({ length: 33 }, (_, n) => `d${n}.example`);
    for (const wrong of [
      { peer_groups: [group] },
      { domains: ['a.example'] },
      { network: undefined, domains },
      { network_id: 'x'.repeat(41) },
      { network_id: '' },
      { metric: 10_000 },
    ])
      expect(await call('POST', '/api/routes', { ...good, ...wrong })).toMatchObject({
        status: ERROR,
      });
    expect((await call('GET', '/api/routes')).body).toEqual([]);
  });
});

describe('policies', () => {
  it('hold several rules, are returned with groups expanded, and are replaced whole', async () => {
    const call = await client();
    const { id: sources } = (await call('POST', '/api/groups', { name: 'engineers' })).body;
    const { id: destinations } = (await call('POST', '/api/groups', { name: 'databases' })).body;
    const sides = { sources: [sources], destinations: [destinations] };
    const rules = [
      { ...RULE, ...sides, name: 'postgres', ports: ['5432'] },
      { ...RULE, ...sides, name: 'high', port_ranges: [{ start: 8000, end: 9000 }] },
    ];
    const created = await call('POST', '/api/policies', { name: 'p', enabled: true, rules });
    expect(created).toMatchObject({ status: SUCCESS, body: { name: 'p', enabled: true } });
    const read = (await call('GET', `/api/policies/${created.body.id}`)).body;
    const found = [read.rules].flat().find(rule => Object(rule).name === 'postgres');
    expect(read.rules).toHaveLength(2);
    expect(found).toMatchObject({
      ...RULE,
      id: expect.any(String),
      name: 'postgres',
      ports: ['5432'],
      sources: [{ id: sources, name: 'engineers', issued: 'api' }],
      destinations: [{ id: destinations, name: 'databases' }],
    });
    const { id } = Object(found);
    const after = await call('PUT', `/api/policies/${created.body.id}`, {
      name: 'p',
      enabled: false,
      rules: [{ ...RULE, ...sides, id, name: 'postgres' }],
    });
    expect(after).toMatchObject({ status: SUCCESS, body: { enabled: false } });
    const once = (await call('GET', `/api/policies/${created.body.id}`)).body;
    expect(once).toMatchObject({ enabled: false, rules: [{ id, name: 'postgres' }] });
    expect(await call('DELETE', `/api/policies/${created.body.id}`)).toMatchObject({
      status: SUCCESS,
    });
  });
});

describe('posture checks', () => {
  it('hold any of the five checks', async () => {
    const call = await client();
    const checks = {
      nb_version_check: { min_version: '0.30.0' },
      os_version_check: { darwin: { min_version: '14' }, windows: { min_kernel_version: '10.0' } },
      geo_location_check: { locations: [{ country_code: 'DE' }], action: 'allow' },
      peer_network_range_check: { ranges: ['192.168.0.0/16'], action: 'deny' },
      process_check: { processes: [{ linux_path: '/usr/bin/guard' }] },
    };
    const created = await call('POST', '/api/posture-checks', {
      name: 'c',
      description: 'd',
      checks,
    });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: { name: 'c', description: 'd', checks },
    });
    const bare = await call('POST', '/api/posture-checks', { name: 'bare', description: '' });
    expect(bare).toMatchObject({ status: SUCCESS });
    expect(await call('DELETE', `/api/posture-checks/${created.body.id}`)).toMatchObject({
      status: SUCCESS,
    });
    expect((await call('GET', '/api/posture-checks')).body).toEqual([bare.body]);
  });
});

describe('notification channels', () => {
  it('use codes of the types endpoint, and deliver to addresses or a webhook', async () => {
    const call = await client();
    const types = (await call('GET', '/api/integrations/notifications/types')).body;
    for (const code of ['user.join', 'peer.user.add', 'peer.login.expire'])
      expect(types).toHaveProperty([code], expect.any(String));
    const path = '/api/integrations/notifications/channels';
    const email = {
      type: 'email',
      target: { emails: ['a@example.com'] },
      event_types: ['user.join'],
      enabled: true,
    };
    const created = await call('POST', path, email);
    expect(created).toMatchObject({ status: SUCCESS, body: email });
    const webhook = {
      ...email,
      type: 'webhook',
      target: { url: 'https://example.com', headers: {} },
    };
    const changed = await call('PUT', `${path}/${created.body.id}`, webhook);
    expect(changed).toMatchObject({ status: SUCCESS, body: webhook });
    expect(await call('POST', path, { ...email, event_types: ['no.such.code'] })).toMatchObject({
      status: ERROR,
    });
    expect(await call('DELETE', `${path}/${created.body.id}`)).toEqual({
      status: SUCCESS,
      body: {},
    });
  });
});

describe('peers', () => {
  it('are listed, filtered, changed and deleted, but never created', async () => {
    const call = await client();
    const { id, ip } = (await call.control('POST', '/emulator/peers', { name: 'laptop' })).body;
    await call.control('POST', '/emulator/peers', { name: 'server' });
    expect((await call('GET', '/api/peers')).body).toHaveLength(2);
    expect((await call('GET', '/api/peers?name=laptop')).body).toMatchObject([{ id, ip }]);
    const body = {
      name: 'desk',
      ssh_enabled: true,
      login_expiration_enabled: false,
      inactivity_expiration_enabled: false,
    };
    expect((await call('PUT', `/api/peers/${id}`, body)).body).toMatchObject({ id, ...body });
    expect(await call('DELETE', `/api/peers/${id}`)).toMatchObject({ status: SUCCESS });
    expect(await call('GET', `/api/peers/${id}`)).toMatchObject({ status: ERROR });
  });
});
