// A plan orders its actions as the API demands: pointers, nesting and names.
import { describe, expect, test } from 'vitest';
import { group, network, peer, planFor, policy, type Read, resource, router } from '../planning.ts';
import { order, rules } from './actionOrder.ts';

describe('the order that the API requires', () => {
  test('an object is created before objects that refer to it, and before its children', () => {
    const files = `{
      networks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [a] }], routers: [{ peer_groups: [a], masquerade: true }] }],
      policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinationResource: { network_resource: n/db } }] }],
      groups: [{ name: a }]
    }`;
    expect(order(files, [])).toEqual([
      'create group.a',
      'create network.n',
      'create network_resource.n/db',
      'create network_router.n/a',
      'create policy.p',
    ]);
  });

  test('an object is deleted after the objects that refer to it', () => {
    const reads = [
      group('g1', 'a'),
      group('g2', 'b'),
      network('n1', 'n'),
      resource('r1', 'n1', 'db', ['g1']),
      router('t1', 'n1', ['g2']),
      policy('p1', 'gone', ['g1'], ['g2']),
      network('n2', 'kept'),
    ];
    const files = `{ groups: [{ name: c }], networks: [{ name: kept }], ${rules('sources: [c], destinations: [c]')} }`;
    const ids = order(files, reads);
    const isFirst = (a: string, b: string) => expect(ids.indexOf(a)).toBeLessThan(ids.indexOf(b));
    isFirst('delete network.n', 'delete group.a');
    isFirst('delete network.n', 'delete group.b');
    isFirst('delete policy.gone', 'delete group.a');
    expect(ids.some(id => id.includes('n/db'))).toBe(false);
  });

  test('a reference is removed before its object is deleted', () => {
    const reads = [group('g1', 'a'), group('g2', 'b'), policy('p1', 'p', ['g1'], ['g2'])];
    const files = `{ groups: [{ name: a }], ${rules('sources: [a], destinations: [a]')} }`;
    expect(order(files, reads)).toEqual(['update policy.p', 'delete group.b']);
  });

  const bound = (name: string, id: string) => `{ name: ${name}, lifecycle: { id: ${id} } }`;
  const groups = (...ids: string[]) => ids.map((id, i) => group(id, 'abc'.charAt(i)));

  test('a name is freed before it is used', () => {
    expect(order(`groups: [${bound('c', 'g1')}, ${bound('a', 'g2')}]`, groups('g1', 'g2'))).toEqual(
      ['update group.c', 'update group.a'],
    );
  });

  test('gives a temporary name to one of the objects that swap names', () => {
    const { actions } = planFor(
      `groups: [${bound('b', 'g1')}, ${bound('a', 'g2')}]`,
      groups('g1', 'g2'),
    );
    expect(actions).toMatchObject([
      { id: 'rename group.a', remoteId: 'g2', fields: { name: 'a~meshform' }, after: [] },
      { id: 'update group.b', remoteId: 'g1', after: ['rename group.a'] },
      { id: 'update group.a', remoteId: 'g2', after: ['rename group.a', 'update group.b'] },
    ]);
  });

  test('gives a temporary name to one of three objects that rotate their names', () => {
    const files = `groups: [${bound('b', 'g1')}, ${bound('c', 'g2')}, ${bound('a', 'g3')}]`;
    expect(order(files, groups('g1', 'g2', 'g3'))).toEqual([
      'rename group.a',
      'update group.c',
      'update group.b',
      'update group.a',
    ]);
  });

  test('candidates of an automatic choice are deleted before the server chooses', () => {
    const files = `{
      ingress_peers: [{ peer_id: y }],
      peers: [{ name: z, ingress_ports: [{ name: game, direct_port: { count: 1, protocol: tcp } }] }],
    }`;
    const reads: Read[] = [
      ...['x', 'y', 'z'].map(name => peer(`p${name}`, name)),
      ...['x', 'y'].map(
        (name): Read => ['ingress_peer', { id: `i${name}`, peer_id: `p${name}`, enabled: true }],
      ),
    ];
    const ids = order(files, reads);
    expect(ids.filter(id => id.includes('ingress_peer') || id.startsWith('create'))).toEqual([
      'delete ingress_peer.x',
      'create ingress_port_allocation.z/game',
    ]);
  });

  test('a cycle that no temporary name resolves is reported', () => {
    const at = (id: string) => `address: 10.0.0.1, groups: [], lifecycle: { id: ${id} }`;
    const files = `networks: [{ name: n, resources: [{ name: a, ${at('r2')} }] }, { name: m, resources: [{ name: b, ${at('r1')} }] }]`;
    const reads = [
      network('n1', 'n'),
      network('n2', 'm'),
      resource('r1', 'n1', 'a'),
      resource('r2', 'n2', 'b'),
    ];
    const { actions, diagnostics } = planFor(files, reads, { dialect: 'netbird' });
    expect(diagnostics).toMatchObject([
      {
        code: 'PLAN_CYCLE',
        message: expect.stringContaining('update network_resource.m/b → '),
      },
    ]);
    expect(actions).toEqual([]);
  });
});

test('the order does not depend on the order in which the account was read', () => {
  const reads = [
    group('g1', 'a'),
    group('g2', 'b'),
    policy('p1', 'p', ['g1'], ['g2']),
    policy('p2', 'q', ['g2'], ['g1']),
  ];
  const files = `{ groups: [{ name: c }], ${rules('sources: [c], destinations: [c]')} }`;
  expect(order(files, reads.toReversed())).toEqual(order(files, reads));
});
