// Ids and secrets of one's choice: whoever brings a suite of their own brings the ids it expects.
import { describe, expect, it } from 'vitest';
import { setupKeyBody } from '../bodies.ts';
import { type Emulated, emulated } from '../emulated.ts';
import { owner, statusFor } from '../people/people.ts';

const refusalOf = async (api: Emulated, path: string, body: unknown) => {
  const answer = await api.call('POST', path, body, `Token ${api.controlsToken}`);
  return [answer.status, Object(answer.body).message];
};

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('a load gives every object its given id', async () => {
    const api = await emulated({ dialect });
    const rule = { name: 'r', enabled: true, action: 'accept', bidirectional: true };
    const sides = { protocol: 'tcp', sources: ['group-1'], destinations: ['group-1'] };
    const { ids } = Object(
      await api.control('POST', '/emulator/load', {
        '/emulator/users': [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }],
        '/emulator/peers': [{ id: 'peer-1', name: 'laptop', user_id: 'ada' }],
        '/api/groups': [{ id: 'group-1', name: 'g', peers: ['peer-1'] }],
        '/api/networks': [{ id: 'network-1', name: 'n' }],
        '/api/networks/network-1/resources': [
          { id: 'resource-1', name: 'r', address: '10.0.0.1', enabled: true, groups: ['group-1'] },
        ],
        '/api/networks/network-1/routers': [
          { id: 'router-1', peer_groups: ['group-1'], metric: 1, masquerade: true, enabled: true },
        ],
        '/api/posture-checks': [
          {
            id: 'check-1',
            name: 'c',
            description: '',
            checks: { nb_version_check: { min_version: '1' } },
          },
        ],
        '/api/policies': [
          { id: 'policy-1', name: 'p', enabled: true, rules: [{ ...rule, ...sides }] },
        ],
        '/api/setup-keys': [{ id: 17, ...setupKeyBody({ auto_groups: ['group-1'] }) }],
        '/api/users': [
          { id: 'robot-1', name: 'robot', role: 'admin', auto_groups: [], is_service_user: true },
        ],
        '/api/users/robot-1/tokens': [{ id: 'token-1', name: 't', expires_in: 1 }],
      }),
    );
    expect(Object.entries(ids).filter(([name, id]) => name !== id)).toEqual([]);
    for (const path of [
      '/api/peers/peer-1',
      '/api/groups/group-1',
      '/api/networks/network-1',
      '/api/networks/network-1/resources/resource-1',
      '/api/networks/network-1/routers/router-1',
      '/api/posture-checks/check-1',
      '/api/policies/policy-1',
      '/api/setup-keys/17',
      '/api/users/robot-1/tokens/token-1',
    ])
      expect(String(Object(await api.get(path)).id), path).toBe(path.split('/').at(-1));
    const people = [await api.get('/api/users')].flat().map(user => Object(user).id);
    expect(people).toEqual(expect.arrayContaining(['ada', 'robot-1']));
  });

  it('a load gives tokens and setup keys their given secret', async () => {
    const api = await emulated({ dialect });
    await api.control('POST', '/emulator/load', {
      '/api/users': [
        { id: 'ci', name: 'ci', role: 'admin', auto_groups: [], is_service_user: true },
      ],
      '/api/users/ci/tokens': [{ name: 't', expires_in: 1, token: 'my-token' }],
      '/api/setup-keys': [{ ...setupKeyBody(), key: 'MY-KEY' }],
      '/emulator/peers': [{ id: 'p', name: 'p', setup_key: 'MY-KEY' }],
    });
    expect(await statusFor(api, { as: 'Token my-token' }, 'GET', '/api/groups')).toBe(200);
    expect(await api.get('/api/peers/p')).toMatchObject({ name: 'p' });
  });

  it('an id that is in use is refused, and so is a token', async () => {
    const api = await emulated({ dialect });
    const groups = (...all: object[]) => ({ '/api/groups': all });
    const taken = groups({ id: 'g', name: 'a' }, { id: 'g', name: 'b' });
    expect(await refusalOf(api, '/emulator/load', taken)).toEqual([
      422,
      '/api/groups: body 2 is refused with 409: the id g is taken',
    ]);
    expect(await api.get('/api/groups')).toHaveLength(1);
    await api.enrol('laptop', { id: 'p' });
    expect(await refusalOf(api, '/emulator/peers', { id: 'p', name: 'other' })).toEqual([
      409,
      'the id p is taken',
    ]);
    for (const path of ['/emulator/tokens', '/emulator/accounts'])
      expect(await refusalOf(api, path, { token: api.token })).toEqual([409, 'the token is taken']);
  });
});

it('a non-integer id is a name for later objects of the load if ids are integers', async () => {
  const api = await emulated({ dialect: 'spec' });
  const load = { '/api/setup-keys': [{ id: 'build', ...setupKeyBody() }] };
  const { ids } = Object(await api.control('POST', '/emulator/load', load));
  expect(ids.build).toMatch(/^\d+$/);
  expect(await api.get(`/api/setup-keys/${ids.build}`)).toMatchObject({ id: Number(ids.build) });
  const chosen = { '/api/setup-keys': [{ id: 99, ...setupKeyBody() }] };
  await api.control('POST', '/emulator/load', chosen);
  expect(Object(await api.post('/api/setup-keys', setupKeyBody())).id).toBe(100);
});

it('an account has its given id and token', async () => {
  const api = await emulated();
  const made = await api.control('POST', '/emulator/accounts', { id: 'acme', token: 'secret' });
  expect(made).toMatchObject({ id: 'acme', token: 'secret' });
  expect(await api.control('GET', '/emulator/accounts')).toContainEqual(
    expect.objectContaining({ id: 'acme' }),
  );
  await api.control('POST', '/emulator/peers?account=acme', { name: 'laptop' });
  const { body } = await api.call('GET', '/api/peers', undefined, 'Token secret');
  expect(body).toMatchObject([{ name: 'laptop' }]);
  expect(await refusalOf(api, '/emulator/accounts', { id: 'acme' })).toEqual([
    409,
    'the id acme is taken',
  ]);
});

it('a token has its given id and text, under either scheme', async () => {
  const api = await emulated();
  const { id: user } = await owner(api);
  const made = { id: 'token-1', token: 'plain-text' };
  expect(await api.control('POST', '/emulator/tokens', { ...made, name: 't' })).toEqual(made);
  expect(await api.get(`/api/users/${user}/tokens/token-1`)).toMatchObject({ name: 't' });
  for (const scheme of ['Token', 'Bearer'])
    expect(await statusFor(api, { as: `${scheme} plain-text` }, 'GET', '/api/groups')).toBe(200);
  expect((await refusalOf(api, '/emulator/tokens', { token: 'two words' }))[0]).toBe(422);
});

it('a given id or token may not be empty', async () => {
  const api = await emulated();
  const empty = 'an id, a token or a key may be left out, but not empty';
  for (const [path, body] of [
    ['/emulator/tokens', { name: 't', token: '' }],
    ['/emulator/tokens', { name: 't', id: '' }],
    ['/emulator/accounts', { token: '' }],
    ['/emulator/accounts', { id: '' }],
    ['/emulator/peers', { name: 'p', id: '' }],
    ['/emulator/groups', { name: 'g', id: '' }],
    ['/emulator/users', { name: 'u', email: 'u@example.com', id: '' }],
    ['/emulator/load', { '/api/groups': [{ name: 'g', id: '' }] }],
    ['/emulator/load', { '/api/setup-keys': [{ ...setupKeyBody(), key: '' }] }],
  ] as const)
    expect([path, await refusalOf(api, path, body)]).toEqual([
      path,
      [422, expect.stringContaining(empty)],
    ]);
});
