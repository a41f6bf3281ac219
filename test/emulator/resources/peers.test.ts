// Peers, and how the controls enrol them (docs/server-behaviour.md#peers).
import { describe, expect, it } from 'vitest';
import { memoryStore, type Rows } from '../../../src/emulator/index.ts';
import { openAccount, openInstallation } from '../../../src/emulator/store/account.ts';
import { peerBody } from '../bodies.ts';
import { asSet, type Emulated, emulated } from '../emulated.ts';

const enrolled = async (api: Emulated, body: object) =>
  Object((await api.call('POST', '/emulator/peers', body, `Token ${api.controlsToken}`)).body);

const ownerOf = (rows: Rows): string => {
  const [account] = openInstallation(rows).accounts.all();
  const [owner] = openAccount(rows, account?.id ?? '').users.all();
  return owner?.id ?? '';
};

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('shows what a machine reports, and every field of the record', async () => {
    const clock = () => new Date('2026-01-02T03:04:05Z');
    const api = await emulated({ dialect, clock });
    const machine = {
      os: 'Debian 12',
      version: '0.60.0',
      kernel_version: '6.1',
      country_code: 'DE',
    };
    const peer = await enrolled(api, { name: 'laptop', ...machine, extra_dns_labels: ['build'] });
    expect(peer).toMatchObject({
      ...machine,
      name: 'laptop',
      hostname: 'laptop',
      dns_label: 'laptop.netbird.selfhosted',
      ip: expect.stringMatching(/^100\.\d+\.\d+\.\d+$/),
      created_at: '2026-01-02T03:04:05.000Z',
      connected: true,
      user_id: '',
      extra_dns_labels: ['build'],
      groups: [{ name: 'All', peers_count: 1 }],
    });
    expect(await api.get(`/api/peers/${peer.id}`)).toEqual(peer);
  });

  it('has the names of the post-quantum flags of its dialect', async () => {
    const api = await emulated({ dialect });
    const name = dialect === 'spec' ? 'pqkex_enabled' : 'rosenpass_enabled';
    expect(await enrolled(api, { name: 'laptop' })).toMatchObject({
      local_flags: { [name]: false },
    });
  });

  it('counts accessible peers only in the list, and always 0', async () => {
    const api = await emulated({ dialect });
    const id = await api.enrol('laptop');
    expect(await api.get('/api/peers')).toMatchObject([{ accessible_peers_count: 0 }]);
    expect(await api.get(`/api/peers/${id}`)).not.toHaveProperty('accessible_peers_count');
  });

  it('lists peers whose name and address contain a text', async () => {
    const api = await emulated({ dialect });
    const one = await enrolled(api, { name: 'build-1' });
    await enrolled(api, { name: 'build-2' });
    await enrolled(api, { name: 'laptop' });
    expect(await api.get('/api/peers?name=build')).toHaveLength(2);
    expect(await api.get(`/api/peers?name=build&ip=${one.ip}`)).toMatchObject([{ id: one.id }]);
    expect(await api.get('/api/peers?ip=192.168')).toEqual([]);
  });

  it('joins All and the groups that it enrols into', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const id = await api.enrol('laptop', { groups: [group] });
    const { groups } = Object(await api.get(`/api/peers/${id}`));
    const names = [groups].flat().map((one: object) => Object(one).name);
    expect(asSet(names)).toEqual(asSet(['All', 'g']));
    expect(await api.get(`/api/groups/${group}`)).toMatchObject({
      peers: [{ id, name: 'laptop' }],
    });
  });

  it('can be renamed, and gets a label that no other peer has', async () => {
    const api = await emulated({ dialect });
    const first = await enrolled(api, { name: 'laptop' });
    const second = await enrolled(api, { name: 'Laptop.office' });
    const [, , c, d] = String(second.ip).split('.');
    expect(first.dns_label).toBe('laptop.netbird.selfhosted');
    expect(second.dns_label).toBe(`laptop-${c}-${d}.netbird.selfhosted`);
    const renamed = await api.put(`/api/peers/${second.id}`, peerBody({ name: 'Desk.office' }));
    expect(renamed).toMatchObject({ name: 'Desk.office', dns_label: 'desk.netbird.selfhosted' });
    const moved = await api.put(`/api/peers/${second.id}`, peerBody({ name: 'desk.home' }));
    expect(moved).toMatchObject({ name: 'desk.home', dns_label: 'desk.netbird.selfhosted' });
    const odd = await api.put(`/api/peers/${second.id}`, peerBody({ name: 'Büro 3' }));
    expect(odd).toMatchObject({ dns_label: 'b-ro-3.netbird.selfhosted' });
  });

  it('refuses an empty name, as a 500 under netbird', async () => {
    const api = await emulated({ dialect });
    const id = await api.enrol('laptop');
    const [status] = await api.refusal('PUT', `/api/peers/${id}`, peerBody({ name: '' }));
    expect(status).toBe(dialect === 'spec' ? 422 : 500);
  });

  it('accepts a free address of the overlay network and no other', async () => {
    const api = await emulated({ dialect });
    const { id, ip } = await enrolled(api, { name: 'laptop' });
    const other = await enrolled(api, { name: 'desk' });
    const [a, b] = String(ip).split('.');
    const free = [`${a}.${b}.1.1`, `${a}.${b}.1.2`, `${a}.${b}.1.3`].find(
      one => one !== ip && one !== other.ip,
    );
    expect(await api.put(`/api/peers/${id}`, peerBody({ ip: free }))).toMatchObject({ ip: free });
    for (const wrong of [other.ip, '10.0.0.1', '100.64.0.1.5', 'none', 'fd00::1'])
      expect(await api.refusal('PUT', `/api/peers/${id}`, peerBody({ ip: wrong }))).toEqual([
        422,
        expect.stringContaining(String(wrong)),
      ]);
    await api.put(`/api/peers/${id}`, peerBody({ ip: free }));
  });

  it('has both expirations disabled, unchangeable, if nobody signed it in (412)', async () => {
    const api = await emulated({ dialect });
    const id = await api.enrol('laptop');
    for (const wrong of [
      { login_expiration_enabled: true },
      { inactivity_expiration_enabled: true },
    ]) {
      const [status] = await api.refusal('PUT', `/api/peers/${id}`, peerBody(wrong));
      expect(status).toBe(412);
    }
    expect(await api.put(`/api/peers/${id}`, peerBody({ ssh_enabled: true }))).toMatchObject({
      ssh_enabled: true,
    });
  });

  it('has both expirations enabled, changeable, if a user signed it in', async () => {
    const store = memoryStore();
    const api = await emulated({ dialect, store });
    const user_id = store.transaction(ownerOf);
    const peer = await enrolled(api, { name: 'laptop', user_id });
    expect(peer).toMatchObject({
      user_id,
      login_expiration_enabled: true,
      inactivity_expiration_enabled: true,
    });
    expect(await api.put(`/api/peers/${peer.id}`, peerBody())).toMatchObject({
      login_expiration_enabled: false,
      inactivity_expiration_enabled: false,
    });
  });

  it('answers 404 to an unknown id', async () => {
    const api = await emulated({ dialect });
    for (const [method, body] of [['GET'], ['PUT', peerBody()], ['DELETE']] as const)
      expect(await api.refusal(method, '/api/peers/none', body)).toEqual([
        404,
        'peer: none not found',
      ]);
  });
});

describe('the control that enrols a peer', () => {
  it('does not exist unless controls are enabled', async () => {
    const api = await emulated({ controls: false });
    const answer = await api.call(
      'POST',
      '/emulator/peers',
      { name: 'p' },
      `Token ${api.controlsToken}`,
    );
    expect(answer).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  it('accepts only the token of the controls', async () => {
    const api = await emulated();
    for (const header of ['', `Token ${api.token}`, 'Token nonsense'])
      expect(await api.call('POST', '/emulator/peers', { name: 'p' }, header)).toMatchObject({
        status: 401,
      });
    const wrong = await api.call('GET', '/api/groups', undefined, `Token ${api.controlsToken}`);
    expect(wrong).toMatchObject({ status: 404 });
  });

  it('exists for POST only, and at no other path', async () => {
    const api = await emulated();
    const authorization = `Token ${api.controlsToken}`;
    expect(await api.call('GET', '/emulator/peers', undefined, authorization)).toMatchObject({
      status: 405,
    });
    expect(await api.call('POST', '/emulator/nothing', {}, authorization)).toMatchObject({
      status: 404,
    });
  });

  it.each([
    ['no name', {}],
    ['an unknown group', { name: 'p', groups: ['none'] }],
    ['an unknown user', { name: 'p', user_id: 'none' }],
    ['an address elsewhere', { name: 'p', ip: '10.0.0.1' }],
  ])('refuses %s with a 422', async (_, body) => {
    const api = await emulated();
    const answer = await api.call('POST', '/emulator/peers', body, `Token ${api.controlsToken}`);
    expect(answer).toMatchObject({ status: 422, body: { code: 422 } });
    expect(await api.get('/api/peers')).toEqual([]);
  });

  it('gives each peer its own address', async () => {
    const api = await emulated();
    const peers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => enrolled(api, { name: `p${n}` })),
    );
    expect(new Set(peers.map(peer => peer.ip)).size).toBe(30);
  });
});
