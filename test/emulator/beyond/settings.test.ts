// Account settings, and what a change of them does to machines and people (docs/server-behaviour.md#account-settings).
import { describe, expect, it } from 'vitest';
import { userUpdate } from '../bodies.ts';
import { type Emulated, emulated, idOf, refused } from '../emulated.ts';
import { codes, reported } from '../events.ts';
import { person } from '../people/people.ts';
import { settingsBody, zoneBody } from './beyond.ts';

const start = () => emulated({ dialect: 'netbird' });

const accountOf = async (api: Emulated) => Object([await api.get('/api/accounts')].flat()[0]);

async function change(api: Emulated, more: object): Promise<unknown> {
  const { id, settings } = await accountOf(api);
  const { network_range: _, network_range_v6: __, ...kept } = settings;
  return api.put(`/api/accounts/${id}`, { settings: { ...kept, ...more } });
}

const machine = async (api: Emulated, id: string) => Object(await api.get(`/api/peers/${id}`));

const allOf = async (api: Emulated) =>
  idOf([await api.get('/api/groups')].flat().find(one => Object(one).name === 'All'));

describe('an update', () => {
  it('resets omitted fields, except ranges, extra and onboarding', async () => {
    const api = await start();
    const before = await accountOf(api);
    await api.put(`/api/accounts/${before.id}`, settingsBody());
    const { settings, onboarding } = await accountOf(api);
    expect(onboarding).toEqual(before.onboarding);
    expect(settings).toMatchObject({
      network_range: before.settings.network_range,
      network_range_v6: before.settings.network_range_v6,
      extra: before.settings.extra,
      peer_login_expiration_enabled: false,
      groups_propagation_enabled: false,
      regular_users_view_blocked: false,
      ipv6_enabled_groups: null,
      auto_update_version: '',
    });
  });

  it('returns what was sent, not what is stored', async () => {
    const api = await emulated({ dialect: 'netbird', edition: 'self-hosted' });
    const extra = { network_traffic_logs_enabled: true, network_traffic_logs_groups: [] };
    expect(await change(api, { extra })).toMatchObject({
      settings: { embedded_idp_enabled: false, extra },
    });
    expect(await accountOf(api)).toMatchObject({
      settings: {
        embedded_idp_enabled: true,
        extra: { network_traffic_logs_enabled: false, network_traffic_logs_groups: null },
      },
    });
  });

  it('stores the settings of the traffic log on the hosted service, whose groups cannot be deleted', async () => {
    const api = await start();
    const group = await api.make('/api/groups', { name: 'logged' });
    const extra = {
      network_traffic_logs_enabled: true,
      network_traffic_logs_groups: [group],
      network_traffic_packet_counter_enabled: true,
    };
    await change(api, { extra });
    expect(await accountOf(api)).toMatchObject({ settings: { extra } });
    expect(await api.refusal('DELETE', `/api/groups/${group}`)).toEqual([
      400,
      'group has been linked to settings: traffic event logging',
    ]);
    // Without the object all of it stays.
    await change(api, { extra: null });
    expect(await accountOf(api)).toMatchObject({ settings: { extra } });
  });

  it('an update without a change causes no event, and an update that omits the IPv6 range causes one the first time', async () => {
    const api = await start();
    const { id, settings } = await accountOf(api);
    expect(await reported(api, () => change(api, {}))).toEqual([]);
    const whole = () => api.put(`/api/accounts/${id}`, { settings });
    expect(codes(await reported(api, whole))).toEqual(['account.network.range.update']);
    expect(await reported(api, whole)).toEqual([]);
  });

  it('stores the onboarding even if the settings are refused', async () => {
    const api = await start();
    const { id } = await accountOf(api);
    const body = { settings: {}, onboarding: { signup_form_pending: true } };
    expect(await api.refusal('PUT', `/api/accounts/${id}`, body)).toEqual(refused(422));
    expect(await accountOf(api)).toMatchObject({
      onboarding: { onboarding_flow_pending: false, signup_form_pending: true },
    });
  });

  it('turns a duration that is too large into a negative one', async () => {
    const api = await start();
    await change(api, { peer_inactivity_expiration: 99_999_999_999 });
    const { settings } = await accountOf(api);
    expect(settings.peer_inactivity_expiration).toBe(-9_223_372_036);
  });
});

describe('a new range', () => {
  it('gives every machine a new address in it, and does not change IPv6', async () => {
    const api = await start();
    const ids = [await api.enrol('a'), await api.enrol('b')];
    const before = await Promise.all(ids.map(id => machine(api, id)));
    await change(api, { network_range: '100.99.1.2/16' });
    const after = await Promise.all(ids.map(id => machine(api, id)));
    for (const [index, { ip, ipv6 }] of after.entries()) {
      expect(ip).toMatch(/^100\.99\./);
      expect(ipv6).toBe(before[index]?.ipv6);
    }
    expect(new Set(after.map(({ ip }) => ip)).size).toBe(2);
    expect((await accountOf(api)).settings.network_range).toBe('100.99.0.0/16');
    await change(api, { network_range: '100.99.0.0/16' });
    expect((await machine(api, String(ids[0]))).ip).toBe(after[0]?.ip);
  });

  it('a new range of IPv6 changes only IPv6 addresses', async () => {
    const api = await start();
    const id = await api.enrol('a');
    const { ip } = await machine(api, id);
    await change(api, { network_range_v6: 'FD12:3456::1/120' });
    expect(await machine(api, id)).toMatchObject({
      ip,
      ipv6: expect.stringMatching(/^fd12:3456::[0-9a-f]{1,2}$/),
    });
  });

  it('must have room for the machines', async () => {
    const api = await start();
    for (let n = 0; n < 12; n += 1) await api.enrol(`m${n}`);
    const { id } = await accountOf(api);
    const put = (network_range: string) =>
      api.call('PUT', `/api/accounts/${id}`, settingsBody({ network_range }));
    expect(await put('100.80.0.0/28')).toMatchObject({ status: 422 });
    expect(await put('100.80.0.0/27')).toMatchObject({ status: 200 });
  });
});

describe('IPv6', () => {
  it('is for machines of the enabled groups, and returns as a different address', async () => {
    const api = await start();
    const a = await api.enrol('a');
    const b = await api.enrol('b');
    const group = await api.make('/api/groups', { name: 'six', peers: [a] });
    const first = (await machine(api, a)).ipv6;
    await change(api, { ipv6_enabled_groups: [group] });
    expect((await machine(api, a)).ipv6).toBe(first);
    expect(await machine(api, b)).not.toHaveProperty('ipv6');
    await api.put(`/api/groups/${group}`, { name: 'six', peers: [b] });
    expect(await machine(api, a)).not.toHaveProperty('ipv6');
    expect(await machine(api, b)).toHaveProperty('ipv6');
    await change(api, { ipv6_enabled_groups: [await allOf(api)] });
    expect((await machine(api, a)).ipv6).toMatch(/^fd/);
    expect((await machine(api, a)).ipv6).not.toBe(first);
  });

  it('ends with its group, and the next update is refused', async () => {
    const api = await start();
    const a = await api.enrol('a');
    const group = await api.make('/api/groups', { name: 'six', peers: [a] });
    await change(api, { ipv6_enabled_groups: [group] });
    await api.remove(`/api/groups/${group}`);
    expect(await machine(api, a)).not.toHaveProperty('ipv6');
    const { id } = await accountOf(api);
    const again = settingsBody({ ipv6_enabled_groups: [group] });
    expect(await api.refusal('PUT', `/api/accounts/${id}`, again)).toEqual(refused(422));
  });

  it('is in every list and in the log alike', async () => {
    const api = await start();
    await change(api, { ipv6_enabled_groups: [] });
    await api.enrol('a');
    expect(JSON.stringify(await api.get('/api/peers'))).not.toContain('ipv6');
    const [event] = (await reported(api, () => api.enrol('b'))).slice(-1);
    expect(event?.meta).not.toHaveProperty('ipv6');
  });
});

describe('users and their machines', () => {
  it('follow the groups of their user once propagation is enabled again', async () => {
    const api = await start();
    const ada = await person(api, 'user');
    const laptop = await api.enrol('laptop', { user_id: ada.id });
    const group = await api.make('/api/groups', { name: 'devs' });
    await change(api, { groups_propagation_enabled: false });
    await api.put(`/api/users/${ada.id}`, userUpdate({ auto_groups: [group] }));
    const members = async () => Object(await api.get(`/api/groups/${group}`)).peers;
    expect(await members()).toBe(null);
    await change(api, { groups_propagation_enabled: true });
    expect(await members()).toMatchObject([{ id: laptop }]);
    await change(api, { groups_propagation_enabled: false });
    expect(await members()).toMatchObject([{ id: laptop }]);
  });

  it('need no new login while expiration is disabled, and need one after they were disconnected too long', async () => {
    const api = await start();
    const ada = await person(api, 'user');
    const id = await api.enrol('laptop', { user_id: ada.id });
    const isExpired = async () => (await machine(api, id)).login_expired;
    await change(api, { peer_login_expiration_enabled: false });
    await api.control('POST', '/emulator/clock', { advance: 100_000 });
    expect(await isExpired()).toBe(false);
    await change(api, { peer_login_expiration_enabled: true });
    expect(await isExpired()).toBe(true);
    await change(api, {
      peer_login_expiration_enabled: false,
      peer_inactivity_expiration_enabled: true,
    });
    expect(await isExpired()).toBe(false);
    await api.control('POST', `/emulator/peers/${id}/disconnect`);
    await api.control('POST', '/emulator/clock', { advance: 601 });
    expect(await isExpired()).toBe(true);
  });
});

it('the DNS domain is the suffix of every label, and not a zone', async () => {
  const api = await start();
  const id = await api.enrol('a');
  expect((await machine(api, id)).dns_label).toBe('a.netbird.selfhosted');
  await change(api, { dns_domain: 'corp.example' });
  expect((await machine(api, id)).dns_label).toBe('a.corp.example');
  const zone = zoneBody([await allOf(api)]);
  expect(await api.refusal('POST', '/api/dns/zones', zone)).toEqual(refused(422));
  await change(api, { dns_domain: '' });
  await api.make('/api/dns/zones', zone);
  await expect(change(api, { dns_domain: 'corp.example' })).rejects.toThrow('conflicts');
});

it('the account is deleted only by its owner, with all of its tokens', async () => {
  const api = await start();
  const { id } = await accountOf(api);
  const admin = await person(api, 'admin');
  const path = `/api/accounts/${id}`;
  expect(await api.call('DELETE', path, undefined, admin.as)).toMatchObject({ status: 403 });
  expect(await api.refusal('DELETE', '/api/accounts/none')).toEqual(refused(404));
  await api.remove(path);
  for (const as of [`Token ${api.token}`, admin.as])
    expect(await api.call('GET', '/api/groups', undefined, as)).toMatchObject({ status: 404 });
  expect(await api.control('GET', '/emulator/accounts')).toEqual([]);
  const { token } = Object(await api.control('POST', '/emulator/accounts', {}));
  expect(await api.call('GET', '/api/groups', undefined, `Token ${token}`)).toMatchObject({
    status: 200,
  });
});

it('the operations on settings and users beyond the specification do not exist under spec', async () => {
  const api = await emulated();
  for (const path of ['/api/accounts', '/api/dns/zones', '/api/reverse-proxies/services'])
    expect(await api.call('GET', path)).toMatchObject({ status: 404, body: undefined });
});
