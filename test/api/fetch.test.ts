// What is read of an account before anything else, and what is said of what could not be read.
import { describe, expect, test } from 'vitest';
import { type FetchScope, fetchAccount } from '../../src/api/account/fetch.ts';
import { readScope } from '../../src/engine/scope/readScope.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { kindTable } from '../../src/kinds/schema/table.ts';
import { kindName } from '../../src/model/names.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { sourceReader } from '../../src/source/load.ts';
import { KINDS } from '../support/files.ts';
import { failureOf } from './calls.ts';
import { client, nockEachTest, server } from './nocked.ts';

nockEachTest();

const [group, network, resource, policy] = ['group', 'network', 'network_resource', 'policy'].map(
  kindName,
) as [Kind['name'], Kind['name'], Kind['name'], Kind['name']];

const scope = (kinds: Kind['name'][], parents: FetchScope['parents'] = new Map()): FetchScope => ({
  kinds: new Set(kinds),
  parents,
});

const fetch = (of: FetchScope, transport = client(), options = {}) =>
  fetchAccount(transport, KINDS, of, { concurrency: 2, ...options });

const list = (path: string, items: JsonObject[] | null) =>
  server()
    .get(path)
    .reply(200, items ?? 'null');

describe('the first request', () => {
  test('lists the groups, even if no group is of interest', async () => {
    list('/api/groups', []);
    list('/api/networks', [{ id: 'n1', name: 'production' }]);
    const snapshot = await fetch(scope([network]));
    expect(snapshot.objects).toMatchObject([{ kind: 'network', key: 'production' }]);
    expect(snapshot.requests).toBe(2);
  });

  test.each([401, 404])(
    'a first request that is answered with %i in JSON reports an unknown token',
    async status => {
      server().get('/api/groups').reply(status, { message: 'no such token', code: status });
      expect(await failureOf(fetch(scope([policy])))).toMatchObject({
        code: 'API_UNAUTHENTICATED',
        message: `GET /api/groups returned ${status}: no such token`,
      });
    },
  );

  test.each([
    ['a page that is not there', 404, '404 page not found'],
    ['a web page', 404, '<h1>Nothing here</h1>'],
    ['a redirect', 302, ''],
    ['something that is no list', 200, '{}'],
  ])(
    'a first request that is answered with %s reports that the server has no Management API',
    async (_, status, body) => {
      server().get('/api/groups').reply(status, body);
      expect(await failureOf(fetch(scope([policy])))).toMatchObject({ code: 'API_BAD_ANSWER' });
    },
  );

  test.each([403, 412])('a first request that is answered with %i ends the run', async status => {
    server().get('/api/groups').reply(status, { message: 'no', code: status });
    expect(await failureOf(fetch(scope([group, policy])))).toMatchObject({ status });
  });
});

describe('a kind', () => {
  test.each([403, 404, 405, 412])(
    'a kind whose list is answered with %i is unavailable, never empty',
    async status => {
      list('/api/groups', []);
      server().get('/api/policies').reply(status, { message: 'not for you', code: status });
      const { unavailable } = await fetch(scope([group, policy]));
      expect([...unavailable]).toEqual([
        ['policy', `GET /api/policies returned ${status}: not for you`],
      ]);
    },
  );

  test.each([
    ['fails', 500, '{"message":"internal server error","code":500}'],
    ['is no list', 200, '{"policies":[]}'],
    ['holds something without an id', 200, '[{"name":"lost"}]'],
  ])('a kind whose list %s ends the run', async (_, status, body) => {
    list('/api/groups', []);
    server().get('/api/policies').reply(status, body);
    await failureOf(fetch(scope([group, policy])));
  });

  test('a kind that nothing refers to is not requested', async () => {
    list('/api/groups', null);
    expect(await fetch(scope([group]))).toMatchObject({ objects: [], requests: 1 });
  });
});

describe('the account', () => {
  test('is identified by its group All', async () => {
    list('/api/groups', [
      { id: 'g1', name: 'engineers' },
      { id: 'g0', name: 'All' },
    ]);
    expect((await fetch(scope([group]))).account).toBe('g0');
  });

  test('is not identified if two groups could be All, or none', async () => {
    for (const groups of [[], ['g1', 'g2'].map(id => ({ id, name: 'All' }))]) {
      list('/api/groups', groups);
      expect(await fetch(scope([group]))).not.toHaveProperty('account');
    }
  });
});

describe('children', () => {
  const networks = [
    { id: 'n1', name: 'production' },
    { id: 'n2', name: 'staging' },
    { id: 'n3', name: 'office' },
  ];

  test('are read under the parents that the files name, by name or by id', async () => {
    list('/api/groups', []);
    list('/api/networks', networks);
    list('/api/networks/n1/resources', [{ id: 'r1', name: 'db' }]);
    list('/api/networks/n3/resources', null);
    const parents = new Map([[resource, new Set(['production', 'n3'])]]);
    const { objects } = await fetch(scope([network, resource], parents));
    expect(objects.filter(({ kind }) => kind === resource)).toMatchObject([
      { id: 'r1', parentId: 'n1', key: 'production/db' },
    ]);
  });

  test('are read under every parent if all are of interest', async () => {
    list('/api/groups', []);
    list('/api/networks', networks);
    for (const { id } of networks) list(`/api/networks/${id}/resources`, []);
    expect(await fetch(scope([network, resource], new Map([[resource, 'all']])))).toMatchObject({
      requests: 5,
    });
  });

  test('are not read under parents that the files do not name', async () => {
    list('/api/groups', []);
    list('/api/networks', networks);
    expect(await fetch(scope([network, resource]))).toMatchObject({ requests: 2 });
  });
});

describe('children of a parent without a name as its key', () => {
  const badge: JsonObject = {
    title: 'Badge',
    description: 'Made up.',
    type: 'object',
    properties: { name: { type: 'string' } },
    'x-kind': {
      name: 'badge',
      plural: 'badges',
      at: 'users[].badges[]',
      parent: 'user',
      path: '/api/users/{user}/badges',
      identity: ['name'],
      verbs: ['create', 'delete'],
    },
  };
  const pass: JsonObject = {
    title: 'Pass',
    description: 'Made up.',
    type: 'object',
    properties: { name: { type: 'string' } },
    'x-kind': {
      name: 'pass',
      plural: 'passes',
      at: 'ingress_peers[].passes[]',
      parent: 'ingress_peer',
      path: '/api/ingress/peers/{peer}/passes',
      identity: ['name'],
      verbs: ['create', 'delete'],
    },
  };
  const kinds = kindTable([...[...KINDS.values()].map(({ schema }) => schema), badge, pass]);
  const read = (text: string) => {
    const tools = sourceReader(kinds, shippedSchema('lifecycle.schema.json'));
    const outside = {
      env: () => undefined,
      file: () => undefined,
      vars: new Map<string, string>(),
    };
    const { desired } = tools.read([{ file: 'network.yaml', text }], outside);
    return fetchAccount(client(), kinds, readScope(kinds, desired, [], 'none'), { concurrency: 2 });
  };

  test('are read by e-mail address, in any case', async () => {
    list('/api/groups', []);
    list('/api/users?service_user=false', [
      { id: 'u1', email: 'Ada@Example.com', name: 'Ada', is_service_user: false },
      { id: 'u2', email: 'bob@example.com', name: 'ada@example.com', is_service_user: false },
    ]);
    list('/api/users/u1/badges', [{ id: 'b1', name: 'blue' }]);
    const { objects } = await read(
      'users: [{ email: ada@example.com, name: Ada, role: user, badges: [{ name: blue }] }]',
    );
    expect(objects.filter(({ kind }) => kind === 'badge')).toMatchObject([
      { id: 'b1', parentId: 'u1', key: 'ada@example.com/blue' },
    ]);
  });

  test.each(['laptop', '"id:p1"'])('are read by the parent’s reference, written %s', async name => {
    list('/api/groups', []);
    list('/api/peers', [
      { id: 'p1', name: 'laptop' },
      { id: 'p2', name: 'phone' },
    ]);
    list('/api/ingress/peers', [
      { id: 'i1', peer_id: 'p1', enabled: true, fallback: false },
      { id: 'i2', peer_id: 'p2', enabled: true, fallback: false },
    ]);
    list('/api/ingress/peers/i1/passes', [{ id: 'x1', name: 'gold' }]);
    const { objects } = await read(
      `ingress_peers: [{ peer_id: ${name}, passes: [{ name: gold }] }]`,
    );
    expect(objects.filter(({ kind }) => kind === 'pass')).toMatchObject([{ parentId: 'i1' }]);
  });
});

describe('a list of children that is not found', () => {
  const of = scope([network, resource], new Map([[resource, 'all']]));
  const networks = [
    { id: 'n1', name: 'a' },
    { id: 'n2', name: 'b' },
  ];
  const missing = (id: string) =>
    server()
      .get(`/api/networks/${id}/resources`)
      .reply(404, { message: `network ${id} not found`, code: 404 });

  test('means that its parent was deleted meanwhile, if the parent is no longer listed', async () => {
    list('/api/groups', []);
    list('/api/networks', networks);
    list('/api/networks/n1/resources', [{ id: 'r1', name: 'db' }]);
    missing('n2');
    list('/api/networks', networks.slice(0, 1));
    const { objects, unavailable } = await fetch(of);
    expect([...unavailable]).toEqual([]);
    expect(objects.map(({ id }) => id)).toEqual(['n1', 'r1']);
  });

  test('means that the kind is unavailable, if the parent still exists', async () => {
    list('/api/groups', []);
    list('/api/networks', networks);
    list('/api/networks/n1/resources', []);
    missing('n2');
    list('/api/networks', networks);
    expect([...(await fetch(of)).unavailable]).toEqual([
      [resource, 'GET /api/networks/n2/resources returned 404: network n2 not found'],
    ]);
  });
});

describe('the order of the objects read', () => {
  test('does not depend on the server', async () => {
    const groups = [
      { id: 'g2', name: 'b' },
      { id: 'g1', name: 'a' },
    ];
    list('/api/groups', groups);
    const there = await fetch(scope([group]));
    list('/api/groups', groups.toReversed());
    expect((await fetch(scope([group]))).objects).toEqual(there.objects);
  });
});

describe('a failed list', () => {
  test('is the last request to the server', async () => {
    list('/api/groups', []);
    list('/api/networks', [
      { id: 'n1', name: 'a' },
      { id: 'n2', name: 'b' },
      { id: 'n3', name: 'c' },
    ]);
    server().get('/api/networks/n1/resources').reply(500, { message: 'broken', code: 500 });
    const transport = client();
    const all = scope([network, resource], new Map([[resource, 'all']]));
    await failureOf(fetch(all, transport, { concurrency: 1 }));
    expect(transport.requests()).toBe(3);
  });
});

test('progress reports how many of the lists are read', async () => {
  list('/api/groups', []);
  list('/api/networks', []);
  list('/api/policies', []);
  const reported: string[] = [];
  const onProgress = (done: number, total: number) => reported.push(`${done}/${total}`);
  await fetch(scope([group, network, policy]), client(), { onProgress });
  expect(reported).toEqual(['1/1', '2/3', '3/3']);
});

test('retries are counted as requests', async () => {
  server().get('/api/groups').reply(503);
  list('/api/groups', []);
  expect(await fetch(scope([group]))).toMatchObject({ requests: 2 });
});
