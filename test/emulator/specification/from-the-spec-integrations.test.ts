// Drives the emulator by nothing but the specification: integrations with other systems, ingress, and the audit log.
import { describe, expect, it } from 'vitest';
import { client, ERROR, SUCCESS } from './spec-client.ts';

const SCOPE = { group_prefixes: ['eng'], user_group_prefixes: ['staff'], connector_id: 'c' };

describe('identity providers', () => {
  it('never return their secret', async () => {
    const call = await client();
    const path = '/api/identity-providers';
    const shown = { type: 'oidc', name: 'i', issuer: 'https://login.example.com', client_id: 'c' };
    const created = await call('POST', path, { ...shown, client_secret: 'HUSH' });
    expect(created).toMatchObject({ status: SUCCESS, body: shown });
    const item = `${path}/${created.body.id}`;
    const changed = await call('PUT', item, { ...shown, name: 'j', client_secret: 'HUSH' });
    expect(changed).toMatchObject({ status: SUCCESS, body: { ...shown, name: 'j' } });
    const answers = [created, changed, await call('GET', item), await call('GET', path)];
    expect(JSON.stringify(answers)).not.toContain('HUSH');
    expect(await call('DELETE', item)).toMatchObject({ status: SUCCESS });
    expect((await call('GET', path)).body).toEqual([]);
  });
});

describe('MSP tenants', () => {
  it('are created with groups and roles, and everything but their domain can change', async () => {
    const call = await client();
    const path = '/api/integrations/msp/tenants';
    const { id } = (await call('POST', '/api/groups', { name: 'support' })).body;
    const tenant = { name: 't', domain: 'tenant.example', groups: [{ id, role: 'admin' }] };
    const created = await call('POST', path, tenant);
    expect(created).toMatchObject({
      status: SUCCESS,
      body: { ...tenant, dns_challenge: expect.any(String), status: expect.any(String) },
    });
    const changed = await call('PUT', `${path}/${created.body.id}`, { name: 'u', groups: [] });
    expect(changed).toMatchObject({ status: SUCCESS, body: { name: 'u', groups: [] } });
    expect((await call('GET', path)).body).toMatchObject([{ name: 'u', domain: 'tenant.example' }]);
  });
});

const EDR = { groups: [], last_synced_interval: 24 };
const PROVIDERS = {
  a: {
    body: { ...EDR, api_url: 'https://edr.example', match_attributes: { infected: false } },
    secrets: { api_token: 'HUSH' },
    wrong: { last_synced_interval: 23 },
  },
  b: {
    body: { ...EDR, client_id: 'c', tenant_id: 't' },
    secrets: { secret: 'HUSH' },
    wrong: { last_synced_interval: 23 },
  },
  c: {
    body: { ...EDR, match_attributes: { firewall_status: 'Isolated' } },
    secrets: { api_key: 'HUSH', api_secret: 'HUSH' },
    wrong: { match_attributes: { firewall_status: 'Burning' } },
  },
  d: {
    body: { groups: [], cloud_id: 'eu-1', zta_score_threshold: 100 },
    secrets: { client_id: 'HUSH', secret: 'HUSH' },
    wrong: { zta_score_threshold: 101 },
  },
};

describe.each(Object.entries(PROVIDERS))(
  'endpoint-detection provider %s',
  (letter, { body, secrets, wrong }) => {
    it('exists once per account, without its secrets, with its groups expanded', async () => {
      const call = await client();
      const path = `/api/integrations/edr/edr-provider-${letter}`;
      expect(await call('GET', path)).toMatchObject({ status: ERROR });
      const created = await call('POST', path, { ...body, ...secrets });
      expect(created).toMatchObject({
        status: SUCCESS,
        body: { ...body, id: expect.any(Number), account_id: expect.any(String), enabled: true },
      });
      const { id: group } = (await call('POST', '/api/groups', { name: 'g' })).body;
      const change = { ...body, ...secrets, groups: [group], enabled: false };
      const changed = await call('PUT', path, change);
      expect(changed).toMatchObject({
        status: SUCCESS,
        body: { enabled: false, groups: [{ id: group, peers: [], resources: [] }] },
      });
      expect((await call('GET', path)).body).toEqual(changed.body);
      expect(JSON.stringify([created, changed])).not.toContain('HUSH');
      expect(await call('PUT', path, { ...change, ...wrong })).toMatchObject({ status: ERROR });
      expect(await call('DELETE', path)).toEqual({ status: SUCCESS, body: {} });
      expect(await call('GET', path)).toMatchObject({ status: ERROR });
    });
  },
);

const DIRECTORIES = {
  'scim-idp': { body: { prefix: 'p', provider: 'generic' }, secrets: {}, change: { prefix: 'q' } },
  'idp-sync-a': {
    body: { client_id: 'c', tenant_id: 't', host: 'directory.example', sync_interval: 300 },
    secrets: { client_secret: 'SFVTSA==' },
    change: { tenant_id: 'u', sync_interval: 600 },
  },
  'idp-sync-b': {
    body: { customer_id: 'c', sync_interval: 300 },
    secrets: { service_account_key: 'SFVTSA==' },
    change: { customer_id: 'd', sync_interval: 600 },
  },
};

describe.each(Object.entries(DIRECTORIES))('directory %s', (segment, { body, secrets, change }) => {
  it('is created, changed in part, listed without secrets, and deleted', async () => {
    const call = await client();
    const path = `/api/integrations/${segment}`;
    const created = await call('POST', path, { ...body, ...SCOPE, ...secrets });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: { ...body, ...SCOPE, id: expect.any(Number), enabled: true },
    });
    const item = `${path}/${created.body.id}`;
    const changed = await call('PUT', item, { ...change, enabled: false });
    expect(changed).toMatchObject({
      status: SUCCESS,
      body: { ...body, ...SCOPE, ...change, enabled: false },
    });
    expect((await call('GET', item)).body).toEqual(changed.body);
    expect((await call('GET', path)).body).toEqual([changed.body]);
    expect(JSON.stringify([created, changed])).not.toContain('SFVTSA');
    expect(await call('DELETE', item)).toEqual({ status: SUCCESS, body: {} });
    expect(await call('GET', item)).toMatchObject({ status: ERROR });
  });
});

it('the token of a SCIM integration is shown in full only on creation', async () => {
  const call = await client();
  const path = '/api/integrations/scim-idp';
  const { id, auth_token } = (await call('POST', path, { prefix: 'p', provider: 'generic' })).body;
  const read = (await call('GET', `${path}/${id}`)).body.auth_token;
  expect(read).not.toBe(auth_token);
  expect(read).toEqual(expect.stringMatching(/\*/));
});

describe('event streaming', () => {
  it('masks secrets, keeps its platform, and changes the sent fields', async () => {
    const call = await client();
    const path = '/api/event-streaming';
    const config = { api_key: 'HUSH', api_url: 'https://logs.example' };
    const created = await call('POST', path, { platform: 'datadog', config, enabled: true });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: { id: expect.any(Number), platform: 'datadog', config: { api_url: config.api_url } },
    });
    const item = `${path}/${created.body.id}`;
    const more = { platform: 's3', config: { api_url: 'https://eu.example' }, enabled: false };
    const changed = await call('PUT', item, more);
    expect(changed).toMatchObject({
      status: SUCCESS,
      body: { platform: 'datadog', config: { api_url: 'https://eu.example' }, enabled: false },
    });
    expect((await call('GET', path)).body).toEqual([changed.body]);
    expect(JSON.stringify([created, changed])).not.toContain('HUSH');
    expect(await call('DELETE', item)).toEqual({ status: SUCCESS, body: {} });
  });
});

describe('ingress', () => {
  it('forwards traffic through a peer, on ports that it chooses', async () => {
    const call = await client();
    const enrol = async (name: string) =>
      (await call.control('POST', '/emulator/peers', { name })).body.id;
    const gate = await call('POST', '/api/ingress/peers', {
      peer_id: await enrol('gate'),
      enabled: true,
      fallback: true,
    });
    expect(gate).toMatchObject({
      status: SUCCESS,
      body: { connected: true, available_ports: { tcp: expect.any(Number) } },
    });
    const path = `/api/peers/${await enrol('web')}/ingress/ports`;
    const port_ranges = [{ start: 443, end: 444, protocol: 'tcp' }];
    const created = await call('POST', path, { name: 'web', enabled: true, port_ranges });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: {
        name: 'web',
        ingress_peer_id: gate.body.id,
        ingress_ip: gate.body.ingress_ip,
        port_range_mappings: [{ translated_start: 443, translated_end: 444, protocol: 'tcp' }],
      },
    });
    expect((await call('GET', `${path}?name=web`)).body).toEqual([created.body]);
    const item = `${path}/${created.body.id}`;
    const direct_port = { count: 2, protocol: 'udp' };
    const changed = await call('PUT', item, { name: 'dns', enabled: false, direct_port });
    expect(changed).toMatchObject({ status: SUCCESS, body: { name: 'dns', enabled: false } });
    expect(await call('DELETE', item)).toMatchObject({ status: SUCCESS });
    const gatePath = `/api/ingress/peers/${gate.body.id}`;
    const off = await call('PUT', gatePath, { enabled: false, fallback: false });
    expect(off).toMatchObject({ status: SUCCESS, body: { enabled: false, fallback: false } });
    expect(await call('DELETE', gatePath)).toMatchObject({ status: SUCCESS });
  });
});

describe('the audit log', () => {
  it('records that a route was created, by whom, and with what', async () => {
    const call = await client();
    const { id: user } = (await call('GET', '/api/users/current')).body;
    const { id: peer } = (await call.control('POST', '/emulator/peers', { name: 'p' })).body;
    const { id: group } = (await call('POST', '/api/groups', { name: 'g' })).body;
    const route = await call('POST', '/api/routes', {
      description: '',
      network_id: 'office',
      enabled: true,
      peer,
      network: '10.0.0.0/8',
      metric: 1,
      masquerade: true,
      groups: [group],
      keep_route: false,
    });
    const { body } = await call('GET', '/api/events/audit');
    expect([body].flat().find(event => Object(event).activity_code === 'route.add')).toMatchObject({
      id: expect.any(Number),
      activity: 'Route created',
      initiator_id: user,
      target_id: route.body.id,
      timestamp: expect.any(String),
      meta: { name: 'office', network_range: '10.0.0.0/8', peer_id: peer },
    });
  });
});
