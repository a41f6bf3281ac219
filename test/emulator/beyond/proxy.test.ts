// The reverse proxy, where no recording goes further than one line (docs/server-behaviour.md#reverse-proxy).
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/emulator/proxy/durations.ts';
import { type Emulated, emulated, idOf, refused } from '../emulated.ts';
import { reported } from '../events.ts';
import { connectCluster, serviceBody, settingsBody } from './beyond.ts';

const SERVICES = '/api/reverse-proxies/services';
const DOMAINS = '/api/reverse-proxies/domains';

async function start(abilities: object = {}) {
  const api = await emulated({ dialect: 'netbird' });
  await connectCluster(api, abilities);
  return { api, peer: await api.enrol('laptop') };
}

/** Another account, and its peer. */
async function another(api: Emulated) {
  const { id, token } = Object(await api.control('POST', '/emulator/accounts', {}));
  const peer = idOf(await api.control('POST', `/emulator/peers?account=${id}`, { name: 'gate' }));
  return { id, peer, as: `Token ${token}` };
}

describe('a domain', () => {
  it('a domain of a service or of an account is unique on the whole server', async () => {
    const { api, peer } = await start({ shared: true });
    const other = await another(api);
    await api.make(SERVICES, serviceBody(peer));
    const body = serviceBody(other.peer);
    expect(await api.call('POST', SERVICES, body, other.as)).toMatchObject({ status: 409 });
    const domain = { domain: 'apps.example.com', target_cluster: 'proxy.test' };
    await api.make(DOMAINS, domain);
    expect(await api.call('POST', DOMAINS, domain, other.as)).toMatchObject({ status: 500 });
  });

  it('is validated by the DNS', async () => {
    const { api } = await start();
    const domain = { domain: 'apps.example.com', target_cluster: 'proxy.test' };
    const id = await api.make(DOMAINS, domain);
    const validate = () => api.call('GET', `${DOMAINS}/${id}/validate`);
    const isValid = async () =>
      Object([await api.get(DOMAINS)].flat().find(one => Object(one).id === id)).validated;
    expect(await validate()).toMatchObject({ status: 202, text: '' });
    expect(await isValid()).toBe(false);
    const dns = { domain: 'validation.apps.example.com', texts: ['proxy.test'] };
    await api.control('PUT', '/emulator/dns', dns);
    const [event] = await reported(api, validate);
    expect(event).toMatchObject({ activity_code: 'domain.validate', target_id: id });
    expect(await isValid()).toBe(true);
  });
});

describe('a cluster', () => {
  it('a cluster of another account is not found, and a disconnected cluster accepts no service', async () => {
    const { api, peer } = await start();
    const other = await another(api);
    const clusters = '/api/reverse-proxies/clusters';
    expect(await api.get(clusters)).toHaveLength(1);
    expect((await api.call('GET', clusters, undefined, other.as)).body).toEqual([]);
    await connectCluster(api, { online: false });
    expect(await api.get(clusters)).toMatchObject([{ online: false }]);
    expect(await api.refusal('POST', SERVICES, serviceBody(peer))).toEqual(refused(412));
  });
});

describe('a service', () => {
  it('a service without auth is open, and keeps no lock that an update omits', async () => {
    const { api, peer } = await start();
    const password_auth = { enabled: true, password: 'secret' };
    const made = await reported(api, async () =>
      api.post(SERVICES, serviceBody(peer, { auth: { password_auth } })),
    );
    const id = String(made[0]?.target_id);
    expect(made).toMatchObject([{ activity_code: 'service.create', meta: { auth: 'true' } }]);
    const left = await reported(api, () => api.put(`${SERVICES}/${id}`, serviceBody(peer)));
    expect(left).toMatchObject([{ activity_code: 'service.update', meta: { auth: 'false' } }]);
    expect(await api.get(`${SERVICES}/${id}`)).toMatchObject({ auth: {} });
    expect(JSON.stringify(await api.control('GET', '/emulator/snapshot'))).not.toContain('secret');
  });

  it('shows the present address of its machine, and the word `unknown` once the machine is deleted', async () => {
    const { api } = await start();
    const { id: user } = Object(await api.control('POST', '/emulator/users', { email: 'a@b.c' }));
    const peer = await api.enrol('own', { user_id: user });
    const id = await api.make(SERVICES, serviceBody(peer));
    const host = async () => Object(await api.get(`${SERVICES}/${id}`)).targets[0].host;
    const { ip } = Object(await api.get(`/api/peers/${peer}`));
    expect(await host()).toBe(ip);
    const [account] = [await api.get('/api/accounts')].flat();
    const range = settingsBody({ network_range: '100.77.0.0/16' });
    await api.put(`/api/accounts/${idOf(account)}`, range);
    expect(await host()).toMatch(/^100\.77\./);
    expect(await api.refusal('DELETE', `/api/peers/${peer}`)).toEqual([
      412,
      `peer ${peer} is in use by proxy ${id}`,
    ]);
    // A user takes their machines along, whoever uses them.
    await api.remove(`/api/users/${user}`);
    expect(await host()).toBe('unknown');
  });

  it('a service of a machine is like any other, except in the log', async () => {
    const { api, peer } = await start();
    const path = `/emulator/peers/${peer}/services`;
    const body = { domain: 'laptop.proxy.test', port: 3000 };
    const as = `Token ${api.controlsToken}`;
    expect(await api.call('POST', path, body, as)).toMatchObject({ status: 412 });
    const [account] = [await api.get('/api/accounts')].flat();
    const group = await api.make('/api/groups', { name: 'g', peers: [peer] });
    const expose = settingsBody({ peer_expose_enabled: true, peer_expose_groups: [group] });
    await api.put(`/api/accounts/${idOf(account)}`, expose);
    const [event] = (await reported(api, () => api.control('POST', path, body))).slice(-1);
    expect(event).toMatchObject({
      activity_code: 'service.peer.expose',
      initiator_id: peer,
      meta: { domain: 'laptop.proxy.test', source: 'ephemeral' },
    });
    const { source: _, ...listed } = Object([await api.get(SERVICES)].flat()[0]);
    expect(Object.keys(listed).toSorted()).toEqual(
      Object.keys(Object(await api.post(SERVICES, serviceBody(peer)))).toSorted(),
    );
  });
});

describe('a token', () => {
  it('authorises no operation of the API, and may expire at any time', async () => {
    const { api } = await start();
    const path = '/api/reverse-proxies/proxy-tokens';
    for (const expires_in of [1, 9_223_372_036, 99_999_999_999, Number.MAX_SAFE_INTEGER]) {
      const { plain_token, expires_at } = Object(await api.post(path, { name: 't', expires_in }));
      expect(plain_token).toMatch(/^nbx_[0-9A-Za-z]{36}$/);
      expect(Number.isNaN(Date.parse(expires_at))).toBe(false);
      const as = `Token ${plain_token}`;
      expect(await api.call('GET', '/api/groups', undefined, as)).toMatchObject({ status: 401 });
    }
  });
});

describe('durations', () => {
  it.each([
    ['90s', '1m30s'],
    ['1h', '1h0m0s'],
    ['1500ms', '1.5s'],
    ['1.5h', '1h30m0s'],
    ['100us', '100µs'],
    ['1.25ms', '1.25ms'],
    ['7ns', '7ns'],
    ['1h0.5s', '1h0m0.5s'],
    ['1000h', '1000h0m0s'],
    ['.5s', '500ms'],
  ])('%s is %s', (written, canonical) => {
    expect(formatDuration(parseDuration(written) ?? 0n)).toBe(canonical);
  });

  it.each(['', '30', 's', '1 s', '1d', '-', 'soon', '1s ', '1e3s'])(
    '%j is not a duration',
    text => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('may be negative, or zero without a unit', () => {
    expect([parseDuration('-1s'), parseDuration('0'), parseDuration('+0s')]).toEqual([
      -1_000_000_000n,
      0n,
      0n,
    ]);
  });
});
