// The typed client over a live account: what it sends, what it gives back, what it refuses.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../src/api/operations/client.ts';
import { operationTable } from '../../src/api/operations/operations.ts';
import { readTransport, writeTransport } from '../../src/api/transport/transport.ts';
import type { Operation } from '../../src/contract/index.ts';
import type { Json } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';

/** Transports that reach no server, but note what they would send. */
function noted(answer: Json = null) {
  const lines: string[] = [];
  const write = (method: string, path: string, body?: Json) => {
    lines.push([method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '));
    return Promise.resolve(answer);
  };
  const reading = { get: (path: string) => write('GET', path), requests: () => lines.length };
  const writing = { ...reading, write, pause: () => Promise.resolve() };
  return { lines, reading, writing };
}

describe('over a live account', () => {
  let account: TestAccount;
  let api: ApiClient;
  beforeEach(async () => {
    account = await startAccount();
    api = apiClient(writeTransport(account.transport));
  });
  afterEach(() => account.close());

  test('makes, finds, changes and deletes', async () => {
    const { id } = await api.call('createGroup', { body: { name: 'engineers' } });
    const params = { groupId: id };
    expect(await api.call('getGroup', { params })).toMatchObject({ id, name: 'engineers' });
    await api.call('updateGroup', { params, body: { name: 'developers' } });
    const found = await api.call('listGroups', { query: { name: 'developers' } });
    expect(found.map(group => group.id)).toEqual([id]);
    expect(await api.call('deleteGroup', { params })).toEqual({});
    const names = (await api.call('listGroups')).map(({ name }) => name);
    expect(names).not.toContain('developers');
  });

  test('rejects with the server’s refusal', async () => {
    const missing = api.call('getNetwork', { params: { networkId: 'nowhere' } });
    await expect(missing).rejects.toMatchObject({
      name: 'ApiError',
      details: { code: 'API_NOT_FOUND', status: 404 },
    });
  });

  test('over a transport that only reads, reads', async () => {
    const reader = apiClient(readTransport(account.transport));
    expect((await reader.call('listGroups')).map(({ name }) => name)).toEqual(['All']);
  });
});

describe('what is sent', () => {
  test('has its path filled in and its query spelled', async () => {
    const { lines, writing } = noted();
    const api = apiClient(writing);
    await api.call('getGroup', { params: { groupId: 'a/b c' } });
    await api.call('getSetupKey', { params: { keyId: 7 } });
    await api.call('listUsers', { query: { service_user: false } });
    await api.call('listProxyAccessLogs', { query: { search: 'a&b=c d', page: 2 } });
    await api.call('updateNetwork', { params: { networkId: 'n' }, body: { name: 'office' } });
    expect(lines).toEqual([
      'GET /api/groups/a%2Fb%20c',
      'GET /api/setup-keys/7',
      'GET /api/users?service_user=false',
      'GET /api/events/proxy?search=a%26b%3Dc%20d&page=2',
      'PUT /api/networks/n {"name":"office"}',
    ]);
  });

  test('goes to the paths of the dialect', async () => {
    const { lines, writing } = noted();
    await apiClient(writing).call('getEdrProviderA');
    const vendor = apiClient(writing, { dialect: 'netbird' });
    await vendor.call('getEdrProviderA');
    await vendor.call('getDirectorySyncA', { params: { id: 3 } });
    await vendor.call('listGroups');
    expect(lines).toEqual([
      'GET /api/integrations/edr/edr-provider-a',
      'GET /api/integrations/edr/sentinelone',
      'GET /api/integrations/azure-idp/3',
      'GET /api/groups',
    ]);
  });

  test('every operation goes to its own method and path', async () => {
    for (const operation of operationTable().operations.values()) {
      const { lines, writing } = noted();
      const params = Object.fromEntries(operation.parameters.map(({ name }) => [name, 'x']));
      await untyped(apiClient(writing))(operation.id, { params });
      expect(lines).toEqual([lineOf(operation)]);
    }
  });
});

test('an answer is given back as it was received', async () => {
  expect(await apiClient(noted(null).writing).call('listGroups')).toBeNull();
  const odd = { no: 'group' };
  const answer = await apiClient(noted(odd).writing).call('createGroup', { body: { name: 'x' } });
  expect(answer).toBe(odd);
});

describe('is never sent', () => {
  test('what writes, over a transport that only reads', async () => {
    for (const operation of operationTable().operations.values()) {
      if (operation.method === 'GET') continue;
      const { lines, reading } = noted();
      const params = Object.fromEntries(operation.parameters.map(({ name }) => [name, 'x']));
      const call = untyped(apiClient(reading))(operation.id, { params });
      await expect(call).rejects.toThrow(`${operation.id} writes`);
      expect(lines).toEqual([]);
    }
  });

  test.each([
    ['', 'groupId is empty'],
    ['.', 'groupId cannot be `.`'],
    ['..', 'groupId cannot be `..`'],
  ])('a path that would lead elsewhere: %j', async (groupId, why) => {
    const { lines, writing } = noted();
    const call = apiClient(writing).call('deleteGroup', { params: { groupId } });
    await expect(call).rejects.toMatchObject({
      name: 'ApiError',
      message: `deleteGroup was not sent: ${why}`,
      details: { code: 'API_INVALID', mayHaveHappened: false },
    });
    expect(lines).toEqual([]);
  });

  test('what is no operation', async () => {
    const { lines, writing } = noted();
    await expect(untyped(apiClient(writing))('toString')).rejects.toThrow('the operation toString');
    expect(lines).toEqual([]);
  });
});

/** A client as a program without types has it. */
function untyped({ call }: Pick<ApiClient, 'call'> | { readonly call: unknown }) {
  return call as (id: string, input?: unknown) => Promise<unknown>;
}

function lineOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`;
}
