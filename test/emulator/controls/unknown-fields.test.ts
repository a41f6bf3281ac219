// Controls ignore nothing: whoever writes a field expects something of it.
import { describe, expect, it } from 'vitest';
import { CONTROLS } from '../../../src/emulator/controls/index.ts';
import { type Emulated, emulated } from '../emulated.ts';

const refusalOf = async (api: Emulated, method: string, path: string, body?: unknown) => {
  const answer = await api.call(method, path, body, `Token ${api.controlsToken}`);
  return [answer.status, Object(answer.body).message];
};

const DIRECTORY = '/api/integrations/scim-idp';

describe('an unknown field is refused by name', () => {
  it.each([
    ['POST /emulator/peers', { name: 'p', hostnme: 'x' }, 'hostnme'],
    ['POST /emulator/accounts', { Name: 'a', owner: 'b' }, 'owner'],
    ['POST /emulator/tokens', { expires: 3 }, 'expires'],
    ['POST /emulator/users', { email: 'a@example.com', groups: [] }, 'groups'],
    ['PUT /emulator/settings', { propagation: true }, 'propagation'],
    ['POST /emulator/clock', { advance: 1, by: 'hours' }, 'by'],
    ['POST /emulator/faults', { effect: 'reset', count: 2 }, 'count'],
    ['PUT /emulator/dns', { domain: 'a', texts: [], ttl: 1 }, 'ttl'],
    ['POST /emulator/reset', { all: true }, 'all'],
    ['DELETE /emulator/outbox', { all: true }, 'all'],
    ['POST /emulator/load', { '/api/groups': [{ name: 'g', colour: 'red' }] }, '/colour'],
    [
      'POST /emulator/load',
      {
        '/api/policies': [
          {
            name: 'p',
            enabled: true,
            rules: [
              {
                name: 'r',
                enabled: true,
                action: 'accept',
                bidirectional: true,
                protocol: 'tcp',
                sources: [],
                destinations: [],
                port_ranges: [{ start: 1, end: 2, to: 3 }],
              },
            ],
          },
        ],
      },
      '/rules/0/port_ranges/0/to',
    ],
    ['POST /emulator/load', { '/emulator/peers': [{ name: 'p', group: 'g' }] }, 'group'],
  ])('%s with %j', async (line, body, field) => {
    const api = await emulated();
    const [method = '', path = ''] = line.split(' ');
    const [status, message] = await refusalOf(api, method, path, body);
    expect([status, message]).toEqual([422, expect.stringContaining(`unknown field: ${field}`)]);
  });

  it('an unknown field is refused at every level', async () => {
    const api = await emulated();
    const id = await api.make(DIRECTORY, { prefix: 'p', provider: 'generic' });
    const users = [
      { email: 'a@example.com', name: 'A' },
      { email: 'b@example.com', mail: 'b' },
    ];
    const path = `/emulator/directories/scim-idp/${id}`;
    expect(await refusalOf(api, 'PUT', path, { users, groups: [] })).toEqual([
      422,
      'unknown field: users[1].mail',
    ]);
    const people = [await api.get('/api/users')].flat();
    expect(people).toHaveLength(1);
  });

  it('together with all others, and nothing is changed', async () => {
    const api = await emulated();
    expect(await refusalOf(api, 'POST', '/emulator/peers', { name: 'p', a: 1, b: 2 })).toEqual([
      422,
      'unknown field: a, b',
    ]);
    expect(await api.get('/api/peers')).toEqual([]);
    await refusalOf(api, 'POST', '/emulator/faults', { effect: 'reset', a: 1 });
    expect(await api.control('GET', '/emulator/faults')).toEqual([]);
  });
});

it.each(Object.keys(CONTROLS).filter(line => line !== 'POST /emulator/desired-state'))(
  '%s accepts no unknown field, and no parameter but account',
  async line => {
    const api = await emulated();
    const [method = '', path = ''] = line.split(' ');
    const parameter = await refusalOf(api, method, `${path}?acount=x`);
    expect(parameter).toEqual([422, 'unknown query parameter: acount']);
    if (method === 'GET') return;
    const [status, message] = await refusalOf(api, method, path, { nonsense: true });
    // A load has paths as names; some controls look for what their path names first.
    expect([404, 412, 422]).toContain(status);
    expect(message).toMatch(
      /unknown field: nonsense|not found|not enabled|nonsense: expected a list/,
    );
  },
);

it.each([
  ['a field twice', '{"name": "a", "name": "b"}', [422, 'field given twice: name']],
  ['a field in two spellings', '{"name": "a", "Name": "b"}', [422, 'unknown field: Name']],
  ['text after the body', '{"name": "a"} {"name": "b"}', [400, "couldn't parse JSON request"]],
])('a control accepts nothing from a body with %s', async (_, body, refusal) => {
  const api = await emulated();
  expect(await refusalOf(api, 'POST', '/emulator/peers', body)).toEqual(refusal);
  const load = `{"/emulator/peers": [${body}]}`;
  const [status] = await refusalOf(api, 'POST', '/emulator/load', load);
  expect([400, 422]).toContain(status);
  expect(await api.get('/api/peers')).toEqual([]);
});

it('a key may be in several objects of a body, and in a string', async () => {
  const api = await emulated();
  await api.control('POST', '/emulator/load', {
    '/emulator/peers': [{ name: 'a' }, { name: '"name": "name":' }],
    '/api/groups': [{ name: 'g', peers: [], resources: [{ id: 'r', type: 'host' }] }],
  });
  expect(await api.get('/api/peers')).toHaveLength(2);
});
