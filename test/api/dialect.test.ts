// Which dialect a server is taken to speak, what it is asked for that, and how lists of a whole account are read.
import { describe, expect, test } from 'vitest';
import { fetchAccount } from '../../src/api/account/fetch.ts';
import { loadContract } from '../../src/contract/index.ts';
import { dialectWitness } from '../../src/kinds/dialect/dialects.ts';
import type { DialectChoice } from '../../src/kinds/traits.ts';
import { kindName } from '../../src/model/names.ts';
import type { Json } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';
import { client, nockEachTest, server } from './nocked.ts';

nockEachTest();

const RESOURCES = '/api/networks/resources';
const ROUTERS = '/api/networks/routers';
const NO = { message: 'no', code: 0 };

/** Answers by path; a number is a refusal. Each is given as often as it stands here. */
const answers = (...all: readonly (readonly [string, Json])[]): void => {
  for (const [path, answer] of all)
    if (typeof answer === 'number') server().get(path).reply(answer, NO);
    else server().get(path).reply(200, JSON.stringify(answer));
};

const read = (dialect: DialectChoice, names: readonly string[], more = {}) =>
  fetchAccount(
    client(),
    KINDS,
    {
      kinds: new Set(names.map(kindName)),
      parents: new Map(names.map(name => [kindName(name), 'all' as const])),
    },
    { concurrency: 1, dialect, ...more },
  );

const decided = async (dialect: DialectChoice, names: readonly string[], more = {}) => {
  const { findings, requests, ...found } = await read(dialect, names, more);
  return [found.dialect, findings.map(({ code }) => code).join(), requests];
};

const ALL = { id: 'g0', name: 'All' };
const NETWORKS: Json = [
  { id: 'n1', name: 'one', resources: ['r1', 'r2'], routers: null },
  { id: 'n2', name: 'two', resources: ['r3'], routers: ['x1'] },
];

describe('auto', () => {
  test('sends no extra request if no declared kind differs by dialect', async () => {
    answers(['/api/groups', [ALL]]);
    expect(await decided('auto', ['group'])).toEqual(['netbird', '', 1]);
  });

  test.each([
    ['a list', [], 'netbird', ''],
    ['404', 404, 'spec', ''],
    ['403', 403, 'netbird', 'DIALECT_ASSUMED'],
    ['500', 500, 'netbird', 'DIALECT_ASSUMED'],
  ])('asks for all network resources: %s', async (_, answer, dialect, code) => {
    answers(['/api/groups', [ALL]], ['/api/networks', []], [RESOURCES, answer]);
    expect(await decided('auto', ['network', 'network_resource'])).toEqual([dialect, code, 3]);
  });

  test('asks if the files declare a value that one dialect cannot hold', async () => {
    answers(['/api/groups', [ALL]], ['/api/policies', []], [RESOURCES, 404]);
    const more = { isDialectDeclared: true };
    expect(await decided('auto', ['policy'], more)).toEqual(['spec', '', 3]);
  });

  test('asks if an update depends on it', async () => {
    answers(['/api/groups', [{ ...ALL, colour: 'red' }]], [RESOURCES, 404]);
    expect(await decided('auto', ['group'])).toEqual(['spec', '', 2]);
  });

  test.each([
    ['null for an empty list', { ...ALL, peers: null }, 'netbird'],
    ['an integer as an id', { ...ALL, id: 7 }, 'spec'],
  ])('uses a response that was read anyway: %s', async (_, group, dialect) => {
    answers(['/api/groups', [group]], ['/api/networks', []]);
    expect(await decided('auto', ['network', 'network_resource'])).toEqual([dialect, '', 2]);
  });

  test('does not report a dialect as assumed if a response proves it', async () => {
    answers(['/api/groups', [{ ...ALL, peers: null }]], ['/api/networks', NETWORKS]);
    answers(
      [RESOURCES, 403],
      ['/api/networks/n1/resources', []],
      ['/api/networks/n2/resources', []],
    );
    const found = await decided('auto', ['network', 'network_resource']);
    expect(found).toEqual(['netbird', '', 5]);
  });

  test('chooses the paths of kinds whose paths differ by dialect', async () => {
    for (const [answer, path] of [
      [[] as Json, '/api/integrations/event-streaming'],
      [404, '/api/event-streaming'],
    ] as const) {
      answers(['/api/groups', [ALL]], [RESOURCES, answer], [path, []]);
      expect((await read('auto', ['event_stream'])).findings).toEqual([]);
    }
  });

  test('fails if the token is refused', async () => {
    answers(['/api/groups', [ALL]], ['/api/networks', []], [RESOURCES, 401]);
    await expect(read('auto', ['network', 'network_resource'])).rejects.toThrow('401');
  });
});

describe('a chosen dialect', () => {
  test('a chosen dialect that responses contradict is a mismatch, and nothing else is read', async () => {
    answers(['/api/groups', [ALL]], ['/api/networks', []], [RESOURCES, 404]);
    const names = ['network', 'network_resource', 'event_stream'];
    expect(await decided('netbird', names)).toEqual(['netbird', 'DIALECT_MISMATCH', 3]);
    answers(['/api/groups', [{ ...ALL, peers: null }]], ['/api/networks', []]);
    expect(await decided('spec', names)).toEqual(['spec', 'DIALECT_MISMATCH', 2]);
  });

  test.each([403, 404, 500, {}])(
    'a chosen dialect that responses contradict is a mismatch if the probe is answered with %j',
    async answer => {
      answers(['/api/groups', [{ ...ALL, id: 7 }]], ['/api/networks', []], [RESOURCES, answer]);
      const names = ['network', 'network_resource'];
      expect(await decided('netbird', names)).toEqual(['netbird', 'DIALECT_MISMATCH', 3]);
    },
  );

  test('a chosen dialect that a later response contradicts is a mismatch', async () => {
    const nested: Json = [{ id: 'x1', peer: 'p', peer_groups: null }];
    answers(['/api/groups', [ALL]], ['/api/networks', [{ id: 'n1', name: 'one' }]]);
    answers(['/api/networks/n1/routers', nested]);
    const found = await decided('spec', ['network', 'network_router']);
    expect(found).toEqual(['spec', 'DIALECT_MISMATCH', 3]);
  });

  test('is kept if a list at the probe path contradicts an integer id', async () => {
    answers(['/api/groups', [{ ...ALL, id: 7 }]], ['/api/networks', []], [RESOURCES, []]);
    expect(await decided('netbird', ['network', 'network_resource'])).toEqual(['netbird', '', 3]);
  });

  test('is kept if no response proves a dialect', async () => {
    answers(['/api/groups', [ALL]], ['/api/networks', []]);
    expect(await decided('spec', ['network', 'network_resource'])).toEqual(['spec', '', 2]);
    answers(['/api/groups', [ALL]], ['/api/networks', []], [RESOURCES, 403]);
    expect(await decided('netbird', ['network', 'network_resource'])).toEqual(['netbird', '', 3]);
  });

  test('a chosen dialect that no response has confirmed is verified with one request before a write', async () => {
    const names = ['network', 'network_resource'];
    for (const [answer, code] of [
      [[] as Json, 'DIALECT_MISMATCH'],
      [404, ''],
      [403, ''],
    ] as const) {
      answers(['/api/groups', [ALL]], ['/api/networks', []], [RESOURCES, answer]);
      expect(await decided('spec', names, { isWritten: true })).toEqual(['spec', code, 3]);
    }
    answers(['/api/groups', [ALL]], ['/api/networks', []]);
    expect(await decided('spec', names)).toEqual(['spec', '', 2]);
    answers(['/api/groups', [{ ...ALL, id: 7 }]], ['/api/networks', []]);
    expect(await decided('spec', names, { isWritten: true })).toEqual(['spec', '', 2]);
    answers(['/api/groups', [ALL]]);
    expect(await decided('spec', ['group'], { isWritten: true })).toEqual(['spec', '', 1]);
  });

  test('is not verified if nothing differs', async () => {
    answers(['/api/groups', [{ ...ALL, peers: null }]]);
    expect(await decided('spec', ['group'])).toEqual(['spec', '', 1]);
  });
});

describe('lists of a whole account', () => {
  const NESTED = ['network', 'network_resource', 'network_router'];
  const begin = () =>
    answers(['/api/groups', [{ ...ALL, peers: null }]], ['/api/networks', NETWORKS]);
  const routers: Json = [{ id: 'x1', peer: 'p' }];
  const resources = (...ids: readonly string[]): Json => ids.map(id => ({ id, name: id }));
  const homes = async () => {
    const { objects, requests } = await read('netbird', NESTED);
    const nested = objects.flatMap(({ id, parentId }) => (parentId ? [`${parentId}/${id}`] : []));
    return [nested, requests];
  };

  test('take one request per kind, and are assigned by the lists of ids in the parents', async () => {
    begin();
    answers([RESOURCES, resources('r3', 'r1', 'r2')], [ROUTERS, routers]);
    expect(await homes()).toEqual([['n1/r1', 'n1/r2', 'n2/r3', 'n2/x1'], 4]);
  });

  test('are assigned by a second read of the parents if one changed in between', async () => {
    begin();
    answers([
      '/api/networks',
      [
        { id: 'n1', name: 'one', resources: ['r1'], routers: null },
        { id: 'n2', name: 'two', resources: ['r3', 'r4'], routers: ['x1'] },
      ],
    ]);
    answers([RESOURCES, resources('r3', 'r1', 'r4')], [ROUTERS, routers]);
    expect(await homes()).toEqual([['n1/r1', 'n2/r3', 'n2/r4', 'n2/x1'], 5]);
  });

  test.each([
    ['that the server refuses', 403, []],
    ['that the server does not have', 404, []],
    ['that do not agree with the parents', [{ id: 'r1', name: 'r1' }], ['/api/networks']],
  ])('%s are replaced by one list per parent', async (_, answer, again) => {
    begin();
    answers([RESOURCES, answer], [ROUTERS, routers]);
    for (const path of again) answers([path, NETWORKS]);
    answers(['/api/networks/n1/resources', resources('r1', 'r2')]);
    answers(['/api/networks/n2/resources', resources('r3')]);
    const [nested] = await homes();
    expect(nested).toEqual(['n1/r1', 'n1/r2', 'n2/r3', 'n2/x1']);
  });

  test('are operations of the contract that only the dialect has; the first distinguishes the dialects', () => {
    const { netbirdOperations } = loadContract();
    const paths = [...KINDS.values()].flatMap(
      ({ listAllByDialect }) => listAllByDialect.netbird?.path ?? [],
    );
    const known = netbirdOperations.map(({ path }) => path);
    expect(paths.filter(path => !known.includes(path))).toEqual([]);
    expect(dialectWitness(KINDS)).toEqual({ path: RESOURCES, dialect: 'netbird' });
  });
});

describe('a child kind that the server does not offer', () => {
  test('has no objects, and is requested once', async () => {
    answers(
      ['/api/groups', [ALL]],
      ['/api/peers', [1, 2, 3].map(n => ({ id: `p${n}`, name: `p${n}` }))],
    );
    server().get('/api/peers/p1/ingress/ports').reply(404, '404 page not found\n');
    const found = await read('netbird', ['peer', 'ingress_port_allocation']);
    expect([...(found.notOffered ?? [])]).toEqual(['ingress_port_allocation']);
    expect(found.requests).toBe(3);
  });
});
