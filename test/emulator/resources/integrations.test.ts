// Integrations with other systems: docs/server-behaviour.md#edr-integrations, docs/server-behaviour.md#scim-and-directory-sync,
// docs/server-behaviour.md#msp-tenants, docs/server-behaviour.md#event-streams.
import { describe, expect, it } from 'vitest';
import { newSecretToken } from '../../../src/emulator/ids/secret-tokens.ts';
import { seededRandom } from '../../../src/emulator/index.ts';
import {
  directoryABody,
  directoryBBody,
  EDR_BODIES,
  scimBody,
  streamBody,
  tenantBody,
} from '../bodies.ts';
import { emulated, refused } from '../emulated.ts';

const INTEGRATIONS = '/api/integrations';
const NEVER = '0001-01-01T00:00:00Z';

describe.each(Object.entries(EDR_BODIES))('endpoint detection, provider %s', (letter, body) => {
  const segment = `edr-provider-${letter.toLowerCase()}`;
  const path = `${INTEGRATIONS}/edr/${segment}`;

  it('exists once per account, and its groups are expanded', async () => {
    const api = await emulated();
    const group = await api.make('/api/groups', { name: 'g' });
    expect(await api.refusal('GET', path)).toEqual(refused(404));
    const made = await api.post(path, { ...body, groups: [group] });
    expect(made).toMatchObject({
      id: 1,
      enabled: true,
      last_synced_at: NEVER,
      created_by: expect.any(String),
      groups: [{ id: group, name: 'g', peers: [], resources: [] }],
    });
    expect(await api.refusal('POST', path, body)).toEqual(refused(409));
    expect(await api.get(path)).toEqual(made);
    await api.remove(path);
    expect(await api.refusal('PUT', path, body)).toEqual(refused(404));
  });

  it('is refused with unknown groups, and keeps its groups from deletion', async () => {
    const api = await emulated();
    expect(await api.refusal('POST', path, { ...body, groups: ['none'] })).toEqual(refused(422));
    const group = await api.make('/api/groups', { name: 'g' });
    await api.post(path, { ...body, groups: [group] });
    const answer = await api.refusal('DELETE', `/api/groups/${group}`);
    expect(answer).toEqual([400, 'group has been linked to integrated validator: g']);
    await api.put(path, body);
    await api.remove(`/api/groups/${group}`);
  });

  it('is disabled only explicitly, in every update', async () => {
    const api = await emulated();
    expect(await api.post(path, { ...body, enabled: false })).toMatchObject({ enabled: false });
    expect(await api.put(path, body)).toMatchObject({ enabled: true });
  });

  it('requires its secrets again with every update', async () => {
    const api = await emulated();
    await api.post(path, body);
    const secrets = Object.keys(body).filter(name => /token|secret|key/.test(name));
    expect(secrets).not.toEqual([]);
    for (const name of secrets)
      expect(await api.refusal('PUT', path, { ...body, [name]: undefined })).toEqual(refused(422));
  });

  it('has the path of its vendor’s name under dialect netbird', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const vendor = { A: 'sentinelone', B: 'intune', C: 'huntress', D: 'falcon' }[letter];
    await api.post(`${INTEGRATIONS}/edr/${vendor}`, body);
    expect(await api.call('GET', path)).toMatchObject({ status: 404, text: expect.any(String) });
    const gone = await api.call('DELETE', `${INTEGRATIONS}/edr/${vendor}`);
    expect(gone).toMatchObject(letter === 'D' ? { status: 202, text: '' } : { status: 200 });
  });
});

it('endpoint detection providers exist side by side', async () => {
  const api = await emulated();
  const ids: unknown[] = [];
  for (const [letter, body] of Object.entries(EDR_BODIES)) {
    const path = `${INTEGRATIONS}/edr/edr-provider-${letter.toLowerCase()}`;
    ids.push(Object(await api.post(path, body)).id);
  }
  expect(new Set(ids).size).toBe(4);
});

const DIRECTORIES = [
  ['scim-idp', scimBody, { prefix: 'new' }],
  ['idp-sync-a', directoryABody, { client_id: 'new' }],
  ['idp-sync-b', directoryBBody, { customer_id: 'new' }],
] as const;

describe.each(DIRECTORIES)('%s', (segment, body, change) => {
  const path = `${INTEGRATIONS}/${segment}`;
  const scope = { group_prefixes: ['eng-'], user_group_prefixes: ['eng-'], connector_id: 'c' };

  it('is enabled, unscoped and never synchronised by default', async () => {
    const api = await emulated();
    expect(await api.post(path, body())).toMatchObject({
      id: 1,
      enabled: true,
      last_synced_at: NEVER,
      group_prefixes: [],
      user_group_prefixes: [],
      connector_id: '',
    });
  });

  it('is the only resource in which an update changes only what it sends', async () => {
    const api = await emulated();
    const made = Object(await api.post(path, body(scope)));
    const { auth_token: _, ...kept } = made;
    expect(await api.put(`${path}/${made.id}`, {})).toMatchObject(kept);
    expect(await api.put(`${path}/${made.id}`, change)).toMatchObject({ ...kept, ...change });
    const off = { enabled: false, group_prefixes: [] };
    expect(await api.put(`${path}/${made.id}`, off)).toMatchObject({ ...change, ...off });
  });

  it('reuses no id, whatever is deleted', async () => {
    const api = await emulated();
    await api.remove(`${path}/${await api.make(path, body())}`);
    expect(await api.make(path, body())).toBe('2');
  });
});

it('SCIM shows its token once, and cannot change its provider', async () => {
  const api = await emulated();
  const path = `${INTEGRATIONS}/scim-idp`;
  const { id, auth_token } = Object(await api.post(path, scimBody()));
  expect(auth_token).toMatch(/^nbs_[0-9A-Za-z]{36}$/);
  expect(auth_token).toHaveLength(newSecretToken('scim', seededRandom(1)).length);
  expect(await api.put(`${path}/${id}`, { provider: 'entra' })).toMatchObject({
    provider: 'generic',
    auth_token: `${auth_token.slice(0, 5)}****`,
  });
});

it('directory A cannot change its host', async () => {
  const api = await emulated();
  const path = `${INTEGRATIONS}/idp-sync-a`;
  const { id, host } = Object(await api.post(path, directoryABody()));
  expect(await api.put(`${path}/${id}`, { host: 'other' })).toMatchObject({ host });
});

it.each(['a', 'b'])('directory %s is synchronised every 300 seconds by default', async letter => {
  const api = await emulated();
  const body = { a: directoryABody, b: directoryBBody }[letter] ?? directoryABody;
  expect(await api.post(`${INTEGRATIONS}/idp-sync-${letter}`, body())).toMatchObject({
    sync_interval: 300,
  });
});

describe('MSP tenants', () => {
  const path = `${INTEGRATIONS}/msp/tenants`;

  it('begin pending, with a challenge, and have no activation or invitation time', async () => {
    const api = await emulated();
    const group = await api.make('/api/groups', { name: 'g' });
    const groups = [{ id: group, role: 'admin' }];
    const made = await api.post(path, tenantBody({ groups }));
    expect(made).toMatchObject({
      status: 'pending',
      activated_at: NEVER,
      invited_at: NEVER,
      groups,
      dns_challenge: expect.stringMatching(/./),
    });
    expect(await api.get(path)).toEqual([made]);
  });

  it.each([
    ['an empty name', { name: '' }, 422],
    ['no domain', { domain: 'localhost' }, 422],
    ['an unknown group', { groups: [{ id: 'none', role: 'admin' }] }, 422],
    ['a domain that is taken', {}, 409],
  ])('are refused with %s', async (_, more, status) => {
    const api = await emulated();
    await api.post(path, tenantBody());
    expect(await api.refusal('POST', path, tenantBody(more))).toEqual(refused(status));
  });

  it('are refused with an unknown role', async () => {
    const api = await emulated();
    const groups = [{ id: await api.make('/api/groups', { name: 'g' }), role: 'king' }];
    expect(await api.refusal('POST', path, tenantBody({ groups }))).toEqual(refused(422));
  });

  it('keep their domain, and show when they changed', async () => {
    let now = 0;
    const api = await emulated({ clock: () => new Date(now) });
    const { id, created_at } = Object(await api.post(path, tenantBody()));
    now += 60_000;
    const body = { name: 'renamed', groups: [], domain: 'other.example.com' };
    const after = Object(await api.put(`${path}/${id}`, body));
    expect(after).toMatchObject({ name: 'renamed', domain: tenantBody().domain, created_at });
    expect(Date.parse(after.updated_at) - Date.parse(created_at)).toBe(60_000);
  });
});

describe('event streams', () => {
  const path = '/api/event-streaming';
  const PLATFORMS = {
    datadog: { api_key: 'SECRET', api_url: 'https://logs.example.com' },
    s3: { access_key: 'SECRET', secret_key: 'SECRET', bucket_name: 'b', region: 'eu-1' },
    firehose: { access_key: 'SECRET', secret_key: 'SECRET', stream_name: 's', region: 'eu-1' },
    generic_http: { url: 'https://example.com', headers: '{"X-Key":"SECRET"}' },
  };

  it.each(Object.entries(PLATFORMS))(
    'mask the secrets of %s and show the rest',
    async (platform, config) => {
      const api = await emulated();
      const { id } = Object(await api.post(path, streamBody({ platform, config })));
      const shown = Object.entries(config).map(([key, value]) => [
        key,
        value.includes('SECRET') ? '****' : value,
      ]);
      expect(await api.get(`${path}/${id}`)).toMatchObject({
        platform,
        enabled: true,
        account_id: expect.any(String),
        config: Object.fromEntries(shown),
      });
    },
  );

  it('are enabled at creation, whatever is requested, and disabled by an update', async () => {
    const api = await emulated();
    const body = streamBody({ enabled: false });
    const { id, enabled } = Object(await api.post(path, body));
    expect(enabled).toBe(true);
    expect(await api.put(`${path}/${id}`, body)).toMatchObject({ enabled: false });
  });

  it('keep their platform, and fields that an update omits or sends back masked', async () => {
    const api = await emulated();
    const id = await api.make(path, streamBody());
    const config = { api_key: '****', api_url: 'https://eu.example.com', site: 'eu' };
    const after = await api.put(`${path}/${id}`, streamBody({ platform: 's3', config }));
    expect(after).toMatchObject({
      platform: 'datadog',
      config: { api_key: '****', api_url: 'https://eu.example.com', site: 'eu' },
    });
    const other = await api.put(`${path}/${id}`, streamBody({ config: { site: 'us' } }));
    expect(other).toMatchObject({ config: { api_key: '****', site: 'us' } });
  });

  it('are refused for an unknown platform', async () => {
    const api = await emulated();
    const body = streamBody({ platform: 'pigeon' });
    expect(await api.refusal('POST', path, body)).toEqual(refused(422));
  });
});
