// Which peers a peer can connect to, and temporary access to a peer (docs/server-behaviour.md#policies-and-rules,
// docs/server-behaviour.md#peers).
import { describe, expect, it } from 'vitest';
import { checkBody, policyBody, ruleBody, setupKeyBody } from '../bodies.ts';
import { asSet, type Emulated, emulated, idOf, refused } from '../emulated.ts';
import { person, statusFor } from '../people/people.ts';

/** An account in which nobody reaches anybody. */
async function closed(options: Parameters<typeof emulated>[0] = {}) {
  const api = await emulated(options);
  for (const policy of [await api.get('/api/policies')].flat())
    await api.remove(`/api/policies/${idOf(policy)}`);
  return api;
}

const reached = async (api: Emulated, peer: string) =>
  asSet([await api.get(`/api/peers/${peer}/accessible-peers`)].flat().map(one => Object(one).name));

/** Two peers, each in a group of its own. */
async function pair(api: Emulated, machine: object = {}) {
  const a = await api.enrol('a', machine);
  const b = await api.enrol('b');
  const sources = [await api.make('/api/groups', { name: 'as', peers: [a] })];
  const destinations = [await api.make('/api/groups', { name: 'bs', peers: [b] })];
  return { a, b, sources, destinations };
}

describe('a policy', () => {
  it('lets its sources reach its destinations, and back if it is bidirectional', async () => {
    const api = await closed();
    const { a, b, ...sides } = await pair(api);
    expect(await reached(api, a)).toEqual([]);
    const id = await api.make('/api/policies', policyBody([ruleBody(sides)]));
    expect([await reached(api, a), await reached(api, b)]).toEqual([['"b"'], []]);
    const both = policyBody([ruleBody({ ...sides, bidirectional: true })]);
    await api.put(`/api/policies/${id}`, both);
    expect([await reached(api, a), await reached(api, b)]).toEqual([['"b"'], ['"a"']]);
  });

  it('grants nothing if it is disabled, if its rule is disabled, or if the rule drops', async () => {
    const api = await closed();
    const { a, b: _, ...sides } = await pair(api);
    const path = `/api/policies/${await api.make('/api/policies', policyBody([ruleBody(sides)]))}`;
    for (const [rule, more] of [
      [{}, { enabled: false }],
      [{ enabled: false }, {}],
      [{ action: 'drop' }, {}],
    ] as const) {
      await api.put(path, policyBody([ruleBody({ ...sides, ...rule })], more));
      expect(await reached(api, a)).toEqual([]);
    }
  });

  it('may name one peer on a side; other resources are not peers', async () => {
    const api = await closed();
    const { a, b, sources } = await pair(api);
    const rule = (type: string) =>
      ruleBody({ sources, destinations: undefined, destinationResource: { id: b, type } });
    const id = await api.make('/api/policies', policyBody([rule('peer')]));
    expect(await reached(api, a)).toEqual(['"b"']);
    await api.put(`/api/policies/${id}`, policyBody([rule('host')]));
    expect(await reached(api, a)).toEqual([]);
  });

  it('lets all reach all in a new account, but no peer itself', async () => {
    const api = await emulated();
    const a = await api.enrol('a');
    await api.enrol('b');
    await api.enrol('c');
    expect(await reached(api, a)).toEqual(asSet(['b', 'c']));
  });

  it('blocks machines that must sign in again in both directions', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const a = await api.enrol('a', { user_id: ada.id });
    const b = await api.enrol('b');
    await api.control('POST', '/emulator/clock', { advance: 86_400 });
    expect([await reached(api, a), await reached(api, b)]).toEqual([[], []]);
  });
});

const LINUX = {
  os: 'Debian 12',
  kernel_version: '6.1.0',
  version: '0.60.0',
  country_code: 'DE',
  city_name: 'Berlin',
  connection_ip: '192.0.2.7',
  processes: ['/usr/bin/guard'],
};
const geo = (action: string, ...locations: object[]) => ({
  geo_location_check: { locations, action },
});
const range = (action: string, ...ranges: string[]) => ({
  peer_network_range_check: { ranges, action },
});
const os = (check: object) => ({ os_version_check: check });

describe('a posture check of the source', () => {
  it.each([
    ['a version that is older', { nb_version_check: { min_version: '0.60' } }, LINUX, true],
    ['a version that is newer', { nb_version_check: { min_version: '0.60.1' } }, LINUX, false],
    ['an early version', { nb_version_check: { min_version: '0.61.0-rc1' } }, LINUX, false],
    ['a version, of none', { nb_version_check: { min_version: '0.1' } }, {}, false],
    ['an older kernel', os({ linux: { min_kernel_version: '5.10' } }), LINUX, true],
    ['a newer kernel', os({ linux: { min_kernel_version: '6.2' } }), LINUX, false],
    [
      'a kernel, of a distribution that numbers its own',
      os({ linux: { min_kernel_version: '6.1.0' } }),
      { ...LINUX, kernel_version: '6.1.0-rc3-amd64' },
      true,
    ],
    [
      'a kernel of Windows',
      os({ windows: { min_kernel_version: '10.0.22000' } }),
      { os: 'Windows 11', kernel_version: '10.0.22631' },
      true,
    ],
    ['another system', os({ windows: { min_kernel_version: '1' } }), LINUX, false],
    ['a version of macOS', os({ darwin: { min_version: '14' } }), { os: 'macOS 14.2' }, true],
    ['a newer iOS', os({ ios: { min_version: '18' } }), { os: 'iOS 17.1' }, false],
    ['the country', geo('allow', { country_code: 'DE' }), LINUX, true],
    ['the country, in lower case', geo('allow', { country_code: 'de' }), LINUX, false],
    ['to be elsewhere, in lower case', geo('deny', { country_code: 'de' }), LINUX, true],
    ['another city', geo('allow', { country_code: 'DE', city_name: 'Bonn' }), LINUX, false],
    ['to be elsewhere', geo('deny', { country_code: 'DE' }), LINUX, false],
    ['to be anywhere else', geo('deny', { country_code: 'FR' }), LINUX, true],
    ['to be elsewhere, of nowhere', geo('deny', { country_code: 'FR' }), {}, false],
    ['a range', range('allow', '192.0.2.0/24'), LINUX, true],
    ['another range', range('allow', '10.0.0.0/8', '2001:db8::/32'), LINUX, false],
    ['no such range', range('deny', '192.0.2.0/24'), LINUX, false],
    [
      'a range around it',
      range('allow', '10.0.0.0/8'),
      { ...LINUX, network_addresses: ['10.1.2.3'] },
      true,
    ],
    [
      'a range around the whole network of one of its addresses',
      range('allow', '10.0.0.0/8'),
      { ...LINUX, network_addresses: ['10.1.2.3/16'] },
      true,
    ],
    [
      'a range inside the network of one of its addresses',
      range('allow', '10.1.2.0/24'),
      { ...LINUX, network_addresses: ['10.1.2.3/16'] },
      false,
    ],
    [
      'a process',
      { process_check: { processes: [{ linux_path: '/usr/bin/guard' }] } },
      LINUX,
      true,
    ],
    [
      'a process of another system',
      { process_check: { processes: [{ windows_path: 'C:\\guard.exe' }] } },
      LINUX,
      false,
    ],
  ])('requires %s', async (_, checks, machine, isLetIn) => {
    const api = await closed();
    const { a, b, ...sides } = await pair(api, machine);
    const check = await api.make('/api/posture-checks', checkBody(checks));
    const rule = ruleBody({ ...sides, bidirectional: true });
    await api.make('/api/policies', policyBody([rule], { source_posture_checks: [check] }));
    expect(await reached(api, a)).toEqual(isLetIn ? ['"b"'] : []);
    // Who does not pass is no source: nobody comes back to them either.
    expect(await reached(api, b)).toEqual(isLetIn ? ['"a"'] : []);
  });
});

describe('the list', () => {
  it('is empty for an unknown peer, and for users only of their own peers', async () => {
    const api = await emulated();
    expect(await api.get('/api/peers/none/accessible-peers')).toEqual([]);
    const ada = await person(api, 'user');
    const own = await api.enrol('own', { user_id: ada.id });
    const other = await api.enrol('other');
    const status = (peer: string) =>
      statusFor(api, ada, 'GET', `/api/peers/${peer}/accessible-peers`);
    expect([await status(own), await status(other), await status('none')]).toEqual([200, 403, 403]);
  });
});

const ACCESS = { name: 'guest', wg_pub_key: 'key', rules: ['tcp/80', 'udp/1000-2000', 'icmp'] };

describe('Temporary access peer: connected', () => {
  it('reaches only the peer it was made for', async () => {
    const api = await emulated();
    const target = await api.enrol('target');
    await api.enrol('other');
    const made = await api.post(`/api/peers/${target}/temporary-access`, ACCESS);
    expect(Object(made).name).toBe('guest');
    expect(asSet(Object(made).rules)).toEqual(asSet(ACCESS.rules));
    expect(await reached(api, idOf(made))).toEqual(['"target"']);
    expect(await api.get(`/api/peers/${idOf(made)}`)).toMatchObject({
      ephemeral: true,
      groups: [],
    });
    expect(await reached(api, target)).toEqual(['"other"']);
  });

  it.each(['spec', 'netbird'] as const)(
    'is refused a public key that a machine has registered, in %s',
    async dialect => {
      const api = await emulated({ dialect });
      const target = await api.enrol('target', { wg_pub_key: 'taken' });
      const path = `/api/peers/${target}/temporary-access`;
      const taken = { ...ACCESS, wg_pub_key: 'taken' };
      expect(await api.refusal('POST', path, taken)).toEqual([
        412,
        'peer has been already registered',
      ]);
      const guest = await api.make(path, ACCESS);
      expect(await api.refusal('POST', path, ACCESS)).toEqual(refused(412));
      await api.remove(`/api/peers/${guest}`);
      await api.make(path, ACCESS);
      expect(JSON.stringify(await api.get('/api/peers'))).not.toContain('wg_pub_key');
    },
  );

  it('is refused a public key of another account', async () => {
    const api = await emulated();
    const target = await api.enrol('target');
    const { token } = Object(await api.control('POST', '/emulator/accounts', {}));
    await api.make(`/api/peers/${target}/temporary-access`, ACCESS);
    const accounts = [await api.control('GET', '/emulator/accounts')].flat();
    const { id: other } = Object(accounts.at(-1));
    const control = `/emulator/peers?account=${other}`;
    const gate = idOf(await api.control('POST', control, { name: 'gate' }));
    const path = `/api/peers/${gate}/temporary-access`;
    expect(await api.call('POST', path, ACCESS, `Token ${token}`)).toMatchObject({ status: 412 });
  });

  it('peer disconnects: deleted; its access policies are deleted too', async () => {
    const api = await emulated();
    const target = await api.enrol('target');
    const before = await api.get('/api/policies');
    const guest = await api.make(`/api/peers/${target}/temporary-access`, ACCESS);
    expect(await api.get('/api/policies')).toHaveLength(1 + ACCESS.rules.length);
    await api.control('POST', `/emulator/peers/${guest}/disconnect`);
    expect(await api.refusal('GET', `/api/peers/${guest}`)).toEqual(refused(404));
    expect(asSet(await api.get('/api/policies'))).toHaveLength([before].flat().length);
  });

  it('stays some minutes longer under netbird, and is kept if it reconnects in time', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const target = await api.enrol('target');
    const guest = await api.make(`/api/peers/${target}/temporary-access`, ACCESS);
    const move = (how: string) => api.control('POST', `/emulator/peers/${guest}/${how}`);
    const wait = (advance: number) => api.control('POST', '/emulator/clock', { advance });
    await move('disconnect');
    await wait(300);
    await move('connect');
    await wait(3600);
    await api.get(`/api/peers/${guest}`);
    await move('disconnect');
    await wait(600);
    expect(await api.refusal('GET', `/api/peers/${guest}`)).toEqual(refused(404));
  });

  it('has policies that are named for the peer, one per rule', async () => {
    const api = await closed({ shuffle: false });
    const target = await api.enrol('target');
    const guest = await api.make(`/api/peers/${target}/temporary-access`, ACCESS);
    const rule = (more: object) => ({
      rules: [
        {
          action: 'accept',
          enabled: true,
          bidirectional: false,
          sourceResource: { id: guest, type: 'peer' },
          destinationResource: { id: target, type: 'peer' },
          ...more,
        },
      ],
    });
    const policies = [await api.get('/api/policies')].flat();
    for (const one of policies)
      expect(one).toMatchObject({ name: 'Temporary access policy for peer guest' });
    expect(policies).toMatchObject([
      rule({ protocol: 'tcp', port_ranges: [{ start: 80, end: 80 }] }),
      rule({ protocol: 'udp', port_ranges: [{ start: 1000, end: 2000 }] }),
      rule({ protocol: 'icmp' }),
    ]);
    expect(JSON.stringify(policies[2])).not.toContain('port_ranges');
  });

  it('has the port range 0 to 0 for all protocols under netbird, which no request may contain', async () => {
    const api = await closed({ dialect: 'netbird' });
    const target = await api.enrol('target');
    await api.post(`/api/peers/${target}/temporary-access`, { ...ACCESS, rules: ['all'] });
    expect(await api.get('/api/policies')).toMatchObject([
      { rules: [{ protocol: 'all', port_ranges: [{ start: 0, end: 0 }] }] },
    ]);
  });

  it.each(['tcp', 'tcp/', 'tcp/0', 'tcp/65536', 'tcp/9-8', 'sctp/1', 'tcp/x', ''])(
    'is refused with the rule %j, under netbird only after the peer was created',
    async rule => {
      const body = { ...ACCESS, rules: ['tcp/80', rule] };
      for (const [dialect, status, peers] of [
        ['spec', 422, 1],
        ['netbird', 500, 2],
      ] as const) {
        const api = await emulated({ dialect });
        const target = await api.enrol('target');
        const path = `/api/peers/${target}/temporary-access`;
        expect(await api.refusal('POST', path, body)).toEqual(refused(status));
        expect(await api.get('/api/peers')).toHaveLength(peers);
      }
    },
  );
});

it('an ephemeral peer of a setup key is deleted in the same way', async () => {
  const api = await emulated();
  const { key } = Object(await api.post('/api/setup-keys', setupKeyBody({ ephemeral: true })));
  const id = await api.enrol('runner', { setup_key: key });
  await api.control('POST', `/emulator/peers/${id}/disconnect`);
  expect(await api.get('/api/peers')).toEqual([]);
});
