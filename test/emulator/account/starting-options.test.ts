// What an emulator starts with besides its account: the token of the controls, a snapshot, stubs and a log of requests.
import { describe, expect, it } from 'vitest';
import {
  type LoggedRequest,
  readStubs,
  startEmulator,
  UnusableSnapshot,
  UnusableStubs,
} from '../../../src/emulator/index.ts';
import { isObject, type Json } from '../../../src/model/value.ts';
import { emulated } from '../emulated.ts';
import { statusFor } from '../people/people.ts';

describe('controlsToken', () => {
  it('enables the controls', async () => {
    const api = await emulated({ controlsToken: 'mine' });
    expect(api.controlsToken).toBe('mine');
    expect(await statusFor(api, { as: 'Token mine' }, 'GET', '/emulator/clock')).toBe(200);
    expect(await statusFor(api, { as: 'Token other' }, 'GET', '/emulator/clock')).toBe(401);
  });
});

describe('snapshot', () => {
  const taken = async (): Promise<{ readonly snapshot: Json; readonly id: string }> => {
    const api = await emulated();
    const id = await api.make('/api/groups', { name: 'kept' });
    const snapshot = await api.control('GET', '/emulator/snapshot');
    return { snapshot: isObject(snapshot as Json) ? (snapshot as Json) : null, id };
  };

  it('is the initial state, whatever the store holds', async () => {
    const { snapshot, id } = await taken();
    const api = await emulated({ snapshot, token: 'own' });
    expect(await api.get(`/api/groups/${id}`)).toMatchObject({ name: 'kept' });
    expect(await api.get('/api/groups')).toHaveLength(2);
    expect(await api.get('/api/users')).toHaveLength(1);
  });

  it.each([null, [], {}, { form: 99, rows: [] }, { form: 1, rows: [{}], more: 1 }, 'text'])(
    'is refused as %j',
    async snapshot => {
      await expect(startEmulator({ snapshot })).rejects.toBeInstanceOf(UnusableSnapshot);
    },
  );
});

describe('stubs', () => {
  const STUBS = [
    { method: 'GET', path: '/api/instance', status: 200, body: { setup_required: false } },
    {
      method: 'PUT',
      path: '/api/agent-network/policies/{id}',
      status: 422,
      body: { message: 'no', code: 422 },
    },
    { method: 'DELETE', path: '/api/agent-network/policies/{id}', status: 204 },
  ] as const;

  it.each(['spec', 'netbird'] as const)(
    'answer paths that the emulator does not have, %s',
    async dialect => {
      const api = await emulated({ dialect, stubs: STUBS });
      expect(await api.call('GET', '/api/instance', undefined, '')).toMatchObject({
        status: 200,
        body: { setup_required: false },
      });
      expect(await api.call('PUT', '/api/agent-network/policies/z1', {})).toMatchObject({
        status: 422,
        body: { message: 'no', code: 422 },
      });
      expect(await api.call('DELETE', '/api/agent-network/policies/z1')).toMatchObject({
        status: 204,
        text: '',
      });
      for (const [method, path] of [
        ['POST', '/api/instance'],
        ['GET', '/api/agent-network/policies'],
      ] as const)
        expect(await api.call(method, path)).toMatchObject({
          status: 404,
          text: '404 page not found\n',
        });
    },
  );

  it('may replace operations that the edition does not offer', async () => {
    const path = '/api/integrations/msp/tenants';
    const stubs = [{ method: 'GET', path, status: 200, body: [] }];
    const api = await emulated({ edition: 'self-hosted', stubs });
    expect(await api.get(path)).toEqual([]);
    await expect(startEmulator({ stubs })).rejects.toThrow(
      /GET \/api\/integrations\/msp\/tenants is/,
    );
  });

  it('may not replace an existing operation', async () => {
    for (const path of ['/api/groups/{id}', '/api/groups/g'])
      await expect(
        startEmulator({ stubs: [{ method: 'DELETE', path, status: 200 }] }),
      ).rejects.toBeInstanceOf(UnusableStubs);
  });

  it('are refused if two have the same method and path, with the places of both', async () => {
    const twice = (other: string) =>
      startEmulator({
        stubs: ['/x/{a}', '/y', other].map(path => ({ method: 'GET', path, status: 200 })),
      });
    await expect(twice('/x/{b}')).rejects.toThrow('stub 1 and stub 3 are both for GET /x/{b}');
    await expect(twice('/y')).rejects.toThrow('stub 2 and stub 3 are both for GET /y');
    const fine = await twice('/x/a');
    await fine.close();
  });

  it.each([
    [{}, 'stubs are a list'],
    [[null], 'stub 1: it must be an object'],
    [[{ ...STUBS[0], header: {} }], 'stub 1: unknown field header'],
    [[STUBS[0], { ...STUBS[0], method: 'get' }], 'stub 2: method must be one of GET'],
    [[{ ...STUBS[0], path: 'api' }], 'stub 1: path must begin'],
    [[{ ...STUBS[0], path: '/emulator/clock' }], 'stub 1: path must begin'],
    [[{ ...STUBS[0], status: '200' }], 'stub 1: status must be'],
    [[{ ...STUBS[0], status: 99 }], 'stub 1: status must be'],
  ] satisfies [Json, string][])('are refused as %j', (json, message) => {
    expect(() => readStubs(json)).toThrow(message);
  });
});

describe('requestLog', () => {
  it('has a line for each request, with its time, and no credentials', async () => {
    const lines: LoggedRequest[] = [];
    const clock = () => new Date('2026-01-02T03:04:05Z');
    const api = await emulated({ clock, requestLog: line => lines.push(line) });
    await api.get('/api/groups?name=secret');
    await api.call('POST', '/api/groups', { name: '' });
    const body = { email: 'a@example.com', name: 'A', role: 'user', auto_groups: [] };
    const { invite_token } = Object(await api.post('/api/users/invites', body));
    await api.call('GET', `/api/users/invites/${invite_token}`, undefined, '');
    await api.control('POST', '/emulator/faults', { path: '/api/peers', effect: 'reset' });
    await api.get('/api/peers').catch(() => {});
    const time = '2026-01-02T03:04:05.000Z';
    expect(lines).toEqual([
      { time, method: 'GET', path: '/api/groups', status: 200 },
      { time, method: 'POST', path: '/api/groups', status: 422 },
      { time, method: 'POST', path: '/api/users/invites', status: 200 },
      { time, method: 'GET', path: '/api/users/invites/nbi_****', status: 200 },
      { time, method: 'POST', path: '/emulator/faults', status: 200 },
      { time, method: 'GET', path: '/api/peers', status: 0 },
    ]);
    expect(JSON.stringify(lines)).not.toContain(api.token.slice(4));
  });
});
