// Posture checks (docs/server-behaviour.md#posture-checks).
import { describe, expect, it } from 'vitest';
import { checkBody, policyBody, ruleBody } from '../bodies.ts';
import { emulated, idOf } from '../emulated.ts';

const PATH = '/api/posture-checks';
const VERSION = { nb_version_check: { min_version: '0.28.0' } };

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('reads back every check that is set, and no other', async () => {
    const api = await emulated({ dialect });
    const checks = {
      nb_version_check: { min_version: 'v1.2' },
      os_version_check: { linux: { min_kernel_version: '5.10.0-13' }, ios: { min_version: '17' } },
      geo_location_check: {
        locations: [{ country_code: 'de', city_name: 'Berlin' }],
        action: 'allow',
      },
      peer_network_range_check: { ranges: ['10.0.0.0/8'], action: 'deny' },
      process_check: { processes: [{ linux_path: '/a', mac_path: '/b', windows_path: 'C:\\c' }] },
    };
    const check = await api.post(PATH, checkBody(checks, { description: 'd' }));
    expect(check).toEqual({ id: idOf(check), name: 'check', description: 'd', checks });
    expect(await api.get(`${PATH}/${idOf(check)}`)).toEqual(check);
    expect(await api.put(`${PATH}/${idOf(check)}`, checkBody(VERSION))).toEqual({
      id: idOf(check),
      name: 'check',
      description: '',
      checks: VERSION,
    });
  });

  it('returns all three paths of a process, and no empty city', async () => {
    const api = await emulated({ dialect });
    const checks = {
      process_check: { processes: [{ linux_path: '/a' }] },
      geo_location_check: { locations: [{ country_code: 'DE', city_name: '' }], action: 'deny' },
    };
    expect(await api.post(PATH, checkBody(checks))).toMatchObject({
      checks: {
        process_check: { processes: [{ linux_path: '/a', mac_path: '', windows_path: '' }] },
        geo_location_check: expect.toSatisfy(check => !('city_name' in check.locations[0])),
      },
    });
  });

  it('writes ranges in one form, and keeps host bits', async () => {
    const api = await emulated({ dialect });
    const ranges = ['10.1.2.3/8', '2001:DB8::1/32'];
    const check = await api.post(
      PATH,
      checkBody({ peer_network_range_check: { ranges, action: 'allow' } }),
    );
    expect(check).toMatchObject({
      checks: {
        peer_network_range_check: {
          ranges: expect.arrayContaining(['10.1.2.3/8', '2001:db8::1/32']),
        },
      },
    });
  });

  it.each(['1', '1.2', '1.2.3-rc1', 'v0.28.0', '5.10.0-13-amd64', '1.0.0+build.5'])(
    'accepts the version %s and stores it unchanged',
    async min_version => {
      const api = await emulated({ dialect });
      const checks = { nb_version_check: { min_version } };
      expect(await api.post(PATH, checkBody(checks))).toMatchObject({ checks });
    },
  );

  it.each([
    ['an empty name', checkBody(VERSION, { name: '' })],
    ['a version that is none', checkBody({ nb_version_check: { min_version: 'latest' } })],
    ['an empty version', checkBody({ os_version_check: { darwin: { min_version: '' } } })],
    [
      'a kernel version that is none',
      checkBody({ os_version_check: { linux: { min_kernel_version: '.' } } }),
    ],
    ['no operating system', checkBody({ os_version_check: {} })],
    ['no location', checkBody({ geo_location_check: { locations: [], action: 'allow' } })],
    [
      'a country of three letters',
      checkBody({ geo_location_check: { locations: [{ country_code: 'DEU' }], action: 'allow' } }),
    ],
    [
      'an unknown geo action',
      checkBody({ geo_location_check: { locations: [{ country_code: 'DE' }], action: 'shrug' } }),
    ],
    ['no range', checkBody({ peer_network_range_check: { ranges: [], action: 'allow' } })],
    [
      'a bare address as a range',
      checkBody({ peer_network_range_check: { ranges: ['10.0.0.1'], action: 'allow' } }),
    ],
    [
      'an unknown range action',
      checkBody({ peer_network_range_check: { ranges: ['10.0.0.0/8'], action: '' } }),
    ],
    ['no process', checkBody({ process_check: { processes: [] } })],
    ['a process without a path', checkBody({ process_check: { processes: [{ linux_path: '' }] } })],
  ])('refuses %s with a 422', async (_, body) => {
    const api = await emulated({ dialect });
    const [status] = await api.refusal('POST', PATH, body);
    expect(status).toBe(422);
    const id = await api.make(PATH, checkBody(VERSION));
    const [again] = await api.refusal('PUT', `${PATH}/${id}`, body);
    expect(again).toBe(422);
  });

  it('refuses a taken name on creation with a 422, but not in an update', async () => {
    const api = await emulated({ dialect });
    await api.make(PATH, checkBody(VERSION, { name: 'a' }));
    const id = await api.make(PATH, checkBody(VERSION, { name: 'b' }));
    expect(await api.refusal('POST', PATH, checkBody(VERSION, { name: 'a' }))).toEqual([
      422,
      'posture check with name a already exists',
    ]);
    await api.put(`${PATH}/${id}`, checkBody(VERSION, { name: 'a' }));
  });

  it('refuses to delete a check that a policy refers to, even a disabled policy, with a 412', async () => {
    const api = await emulated({ dialect });
    const id = await api.make(PATH, checkBody(VERSION));
    const policy = policyBody([ruleBody()], { enabled: false, source_posture_checks: [id] });
    const policyId = await api.make('/api/policies', policy);
    expect(await api.refusal('DELETE', `${PATH}/${id}`)).toEqual([
      412,
      'posture checks have been linked to policy: policy',
    ]);
    await api.remove(`/api/policies/${policyId}`);
    await api.remove(`${PATH}/${id}`);
  });

  it('answers 404 to an unknown id', async () => {
    const api = await emulated({ dialect });
    for (const [method, body] of [['GET'], ['PUT', checkBody(VERSION)], ['DELETE']] as const)
      expect(await api.refusal(method, `${PATH}/none`, body)).toEqual([
        404,
        'posture check: none not found',
      ]);
  });
});

describe('a posture check without checks', () => {
  it('is valid under spec, where the field is optional', async () => {
    const api = await emulated({ dialect: 'spec' });
    for (const [name, checks] of [
      ['a', undefined],
      ['b', {}],
    ] as const)
      expect(await api.post(PATH, { name, description: '', checks })).toMatchObject({ checks: {} });
  });

  it('drops the connection under netbird, and is a 422 if checks is empty', async () => {
    const api = await emulated({ dialect: 'netbird' });
    await expect(api.call('POST', PATH, { name: 'a' })).rejects.toThrow();
    const [status] = await api.refusal('POST', PATH, checkBody({}));
    expect(status).toBe(422);
    expect(await api.get(PATH)).toEqual([]);
  });
});
