// Calls of single operations: the requests that are sent, what a call returns, and the calls that are refused before anything is sent.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CallInput, callOperation } from '../../src/api/operations/call.ts';
import { operationTable } from '../../src/api/operations/operationsById.ts';
import {
  type ReadTransport,
  readTransport,
  type WriteTransport,
  writeTransport,
} from '../../src/api/transport/transport.ts';
import type { Operation } from '../../src/contract/index.ts';
import type { DialectChoice } from '../../src/kinds/traits.ts';
import { present } from '../../src/model/errors.ts';
import type { Json } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';

/** Calls operations by their id. */
const caller =
  (transport: ReadTransport | WriteTransport, dialect: DialectChoice = 'auto') =>
  (id: string, input: CallInput = {}): Promise<Json> =>
    callOperation(
      transport,
      present(operationTable().operations.get(id), `the operation ${id}`),
      input,
      dialect,
    );

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

describe('calls to an account', () => {
  let account: TestAccount;
  beforeEach(async () => {
    account = await startAccount();
  });
  afterEach(() => account.close());

  test('create, find, change and delete an object', async () => {
    const call = caller(writeTransport(account.transport));
    const made = await call('createGroup', { body: { name: 'engineers' } });
    const params = { groupId: (made as { id: string }).id };
    expect(await call('getGroup', { params })).toMatchObject({ name: 'engineers' });
    await call('updateGroup', { params, body: { name: 'developers' } });
    const query = { name: 'developers' };
    expect(await call('listGroups', { query })).toMatchObject([{ id: params.groupId }]);
    expect(await call('deleteGroup', { params })).toEqual({});
    expect(await call('listGroups')).not.toContainEqual(
      expect.objectContaining({ name: 'developers' }),
    );
  });

  test('reject with the error of the server', async () => {
    const call = caller(writeTransport(account.transport));
    await expect(call('getNetwork', { params: { networkId: 'nowhere' } })).rejects.toMatchObject({
      name: 'ApiError',
      details: { code: 'API_NOT_FOUND', status: 404 },
    });
  });

  test('read over a read-only transport', async () => {
    const groups = await caller(readTransport(account.transport))('listGroups');
    expect(groups).toMatchObject([{ name: 'All' }]);
  });
});

describe('a request', () => {
  test('has its parameters in the path, and encodes them and the query', async () => {
    const { lines, writing } = noted();
    const call = caller(writing);
    await call('getGroup', { params: { groupId: 'a/b c' } });
    await call('getSetupKey', { params: { keyId: 7 } });
    await call('listUsers', { query: { service_user: false } });
    await call('listProxyAccessLogs', { query: { search: 'a&b=c d', page: 2 } });
    await call('updateNetwork', { params: { networkId: 'n' }, body: { name: 'office' } });
    expect(lines).toEqual([
      'GET /api/groups/a%2Fb%20c',
      'GET /api/setup-keys/7',
      'GET /api/users?service_user=false',
      'GET /api/events/proxy?search=a%26b%3Dc%20d&page=2',
      'PUT /api/networks/n {"name":"office"}',
    ]);
  });

  test('has the path of the dialect', async () => {
    const { lines, writing } = noted();
    await caller(writing)('getEdrProviderA');
    const vendor = caller(writing, 'netbird');
    await vendor('getEdrProviderA');
    await vendor('getDirectorySyncA', { params: { id: 3 } });
    await vendor('listGroups');
    expect(lines).toEqual([
      'GET /api/integrations/edr/edr-provider-a',
      'GET /api/integrations/edr/sentinelone',
      'GET /api/integrations/azure-idp/3',
      'GET /api/groups',
    ]);
  });

  test('has the method and path of its operation, for every operation', async () => {
    for (const operation of operationTable().operations.values()) {
      const { lines, writing } = noted();
      await caller(writing)(operation.id, { params: someParams(operation) });
      expect(lines).toEqual([`${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, 'x')}`]);
    }
  });
});

test('a call returns the body of the response as it was received', async () => {
  expect(await caller(noted(null).writing)('listGroups')).toBeNull();
  const odd = { no: 'group' };
  expect(await caller(noted(odd).writing)('createGroup', { body: { name: 'x' } })).toBe(odd);
});

describe('no request is sent', () => {
  test('no request is sent for a writing operation over a read-only transport', async () => {
    for (const operation of operationTable().operations.values()) {
      if (operation.method === 'GET') continue;
      const { lines, reading } = noted();
      const call = caller(reading)(operation.id, { params: someParams(operation) });
      await expect(call).rejects.toThrow(`${operation.id} writes`);
      expect(lines).toEqual([]);
    }
  });

  test.each([
    ['', 'groupId is empty'],
    ['.', 'groupId cannot be `.`'],
    ['..', 'groupId cannot be `..`'],
  ])('no request is sent for a parameter that changes the path: %j', async (groupId, why) => {
    const { lines, writing } = noted();
    await expect(caller(writing)('deleteGroup', { params: { groupId } })).rejects.toMatchObject({
      name: 'ApiError',
      message: `deleteGroup was not sent: ${why}`,
      details: { code: 'API_INVALID', mayHaveHappened: false },
    });
    expect(lines).toEqual([]);
  });
});

function someParams({ parameters }: Operation): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name }) => [name, 'x']));
}
