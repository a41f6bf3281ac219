// Status codes, error bodies and how JSON is read (docs/server-behaviour.md#requests-and-responses).
import { describe, expect, it } from 'vitest';
import { emulatedOverHttp } from '../emulated.ts';

const DIALECTS = ['spec', 'netbird'] as const;

describe.each(DIALECTS)('dialect %s', dialect => {
  it('answers 200 to every success, a creation and a deletion included', async () => {
    const api = await emulatedOverHttp({ dialect });
    const id = await api.make('/api/groups', { name: 'devs' });
    const reply = await api.call('DELETE', `/api/groups/${id}`);
    expect(reply).toMatchObject({ status: 200, body: {} });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  });

  it('puts a unique id on every response', async () => {
    const api = await emulatedOverHttp({ dialect });
    const paths = ['/api/groups', '/api/groups/none', '/nowhere'];
    const replies = await Promise.all(paths.map(path => api.call('GET', path)));
    const ids = replies.map(reply => reply.headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-v]{20}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refuses with a message and the status in the body', async () => {
    const api = await emulatedOverHttp({ dialect });
    const { status, body } = await api.call('GET', '/api/networks/none');
    expect({ status, body }).toEqual({
      status: 404,
      body: { message: 'network: none not found', code: 404 },
    });
  });

  it('writes messages in lower case, names in them included', async () => {
    const api = await emulatedOverHttp({ dialect });
    await api.make('/api/groups', { name: 'DevOps' });
    expect(await api.refusal('POST', '/api/groups', { name: 'DevOps' })).toEqual([
      409,
      'group with name devops already exists',
    ]);
  });

  it('keeps the case of messages about JSON and group deletions', async () => {
    const api = await emulatedOverHttp({ dialect });
    expect(await api.refusal('POST', '/api/groups', '{')).toEqual([
      400,
      "couldn't parse JSON request",
    ]);
    const [all] = [await api.get('/api/groups')].flat();
    expect(await api.refusal('DELETE', `/api/groups/${Object(all).id}`)).toEqual([
      400,
      'deleting group ALL is not allowed',
    ]);
  });

  it('answers an unknown path in plain text, before authentication', async () => {
    const api = await emulatedOverHttp({ dialect });
    for (const path of [
      '/',
      '/api',
      '/api/nothing',
      '/api/groups/',
      '/api/groups/a/b',
      '/emulators',
    ])
      expect(await api.call('GET', path, undefined, '')).toMatchObject({
        status: 404,
        text: '404 page not found\n',
        body: undefined,
      });
  });

  it('answers a wrong method with an empty 405 or as an unknown path, before authentication', async () => {
    const api = await emulatedOverHttp({ dialect });
    for (const [method, path, allow] of [
      ['PATCH', '/api/groups', 'GET, POST'],
      ['DELETE', '/api/groups', 'GET, POST'],
      ['POST', '/api/peers', 'GET'],
      ['HEAD', '/api/groups/x', 'DELETE, GET, PUT'],
    ] as const) {
      const { status, text, headers } = await api.call(method, path, undefined, '');
      const seen = [status, text, headers.get('allow')];
      const unknown = method === 'HEAD' ? '' : '404 page not found\n';
      expect(seen).toEqual(dialect === 'spec' ? [405, '', allow] : [404, unknown, null]);
    }
  });

  it('accepts requests from every origin', async () => {
    const api = await emulatedOverHttp({ dialect });
    const origin = 'https://web.example';
    const ask = (path: string, headers: Record<string, string>, method = 'OPTIONS') =>
      fetch(`${api.url}${path}`, { method, headers: { origin, ...headers } });
    const asked = {
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type',
    };
    const before = await ask('/api/groups/x', asked);
    expect([before.status, await before.text(), before.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ]);
    expect(before.headers.get('access-control-allow-origin')).toBe('*');
    expect(before.headers.get('access-control-allow-methods')).toBe('PUT');
    expect(before.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    const read = await ask('/api/groups', { authorization: `Token ${api.token}` }, 'GET');
    const denied = await ask('/api/groups', {}, 'GET');
    expect([read.status, denied.status]).toEqual([200, 401]);
    for (const { headers } of [read, denied])
      expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await ask('/api/nothing', asked)).status).toBe(404);
    const plain = await api.call('GET', '/api/groups');
    expect(plain.headers.get('access-control-allow-origin')).toBe(null);
  });

  it.each([
    '',
    '{',
    'nonsense',
    '[]',
    '"text"',
    '3',
    '{"name": 3}',
    '{"name": ["a"]}',
    '{"peers": {}}',
  ])('refuses the body %j with a 400', async body => {
    const api = await emulatedOverHttp({ dialect });
    const [status] = await api.refusal('POST', '/api/groups', body);
    expect(status).toBe(400);
  });

  it('refuses a fraction and a string if an integer is required', async () => {
    const api = await emulatedOverHttp({ dialect });
    const network = await api.make('/api/networks', { name: 'n' });
    for (const metric of [1.5, '10'])
      expect(
        await api.refusal('POST', `/api/networks/${network}/routers`, {
          peer: 'p',
          metric,
          masquerade: true,
          enabled: true,
        }),
      ).toEqual([400, "couldn't parse JSON request"]);
  });

  it('ignores unknown fields and what follows the first value', async () => {
    const api = await emulatedOverHttp({ dialect });
    const body = '{"name": "a}b", "peers": [], "colour": "red"} and so on';
    expect(await api.post('/api/groups', body)).toMatchObject({ name: 'a}b' });
  });

  it('treats null as absent', async () => {
    const api = await emulatedOverHttp({ dialect });
    await api.make('/api/groups', { name: 'g', peers: null, resources: null });
    const [status] = await api.refusal('POST', '/api/groups', { name: null });
    expect(status).toBe(422);
  });

  it('neither trims names nor ignores their case: similar names are different', async () => {
    const api = await emulatedOverHttp({ dialect });
    for (const name of ['devs', 'devs ', 'Devs']) await api.make('/api/groups', { name });
    expect(await api.get('/api/groups')).toHaveLength(4);
  });

  it('reads null in a list as an empty member under netbird, and refuses it under spec', async () => {
    const api = await emulatedOverHttp({ dialect });
    const { status } = await api.call('POST', '/api/groups', { name: 'g', peers: [null] });
    expect(status).toBe(dialect === 'spec' ? 400 : 200);
  });

  it('ignores Content-Type and Accept', async () => {
    const api = await emulatedOverHttp({ dialect });
    const { status } = await fetch(`${api.url}/api/groups`, {
      method: 'POST',
      headers: {
        authorization: `Token ${api.token}`,
        'content-type': 'text/html',
        accept: 'image/png',
      },
      body: '{"name": "g"}',
    });
    expect(status).toBe(200);
  });
});

describe('missing required fields', () => {
  it('are a 422 under spec, which names all of them', async () => {
    const api = await emulatedOverHttp({ dialect: 'spec' });
    const network = await api.make('/api/networks', { name: 'n' });
    const path = `/api/networks/${network}/resources`;
    expect(await api.refusal('POST', path, { name: 'r', address: '10.0.0.1' })).toEqual([
      422,
      'enabled is required; groups is required',
    ]);
    expect(await api.get(path)).toEqual([]);
  });

  it('are empty under netbird, which matches names in any case', async () => {
    const api = await emulatedOverHttp({ dialect: 'netbird' });
    const network = await api.make('/api/networks', {});
    const path = `/api/networks/${network}/resources`;
    expect(await api.post(path, { NAME: 'r', Address: '10.0.0.1' })).toMatchObject({
      name: 'r',
      description: '',
      enabled: false,
      groups: null,
    });
    expect(await api.get(`/api/networks/${network}`)).toMatchObject({ name: '', description: '' });
  });
});
