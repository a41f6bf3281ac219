import { describe, expect, test } from 'vitest';
import { group, network, peer, planFor, policy, resource } from '../planning.ts';

const pins = (...given: Parameters<typeof planFor>) =>
  Object.fromEntries(
    planFor(...given).pins.map(({ kind, key, ...pin }) => [`${kind} ${key}`, pin]),
  );

describe('a plan pins', () => {
  test('the references and parents of its actions, by the names of the files', () => {
    const files = `{
      groups: [{ name: z, lifecycle: { was: a }, peers: [x] }],
      networks: [{ name: m, lifecycle: { was: n }, resources: [{ name: db, address: 10.0.0.1, groups: [z] }] }]
    }`;
    const reads = [group('g1', 'a'), peer('p1', 'x'), peer('p2', 'y'), network('n1', 'n')];
    expect(pins(files, reads)).toEqual({
      'group z': { id: 'g1' },
      'network m': { id: 'n1' },
      'peer x': { id: 'p1' },
    });
  });

  test('the fields of a target that a reference must contain', () => {
    const files =
      'policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinationResource: { network_resource: n/db } }] }]';
    const reads = [group('g1', 'a'), network('n1', 'n'), resource('r1', 'n1', 'db')];
    expect(pins(files, reads)['network_resource n/db']).toEqual({
      id: 'r1',
      serverFields: { type: 'host' },
    });
  });

  test('the members that a shared set is to keep or to lose', () => {
    const reads = [
      group('g1', 'a', { peers: ['p1', 'p2', 'p3'] }),
      ...['p1', 'p2', 'p3'].map(id => peer(id, `of ${id}`)),
    ];
    const base = 'groups: [{ name: a, peers: [of p1, of p2] }]';
    expect(Object.keys(pins('groups: [{ name: a, peers: [of p1] }]', reads, { base }))).toEqual([
      'peer of p1',
      'peer of p2',
    ]);
  });
});

describe('a plan does not pin', () => {
  test('created objects, objects that are only deleted, and unchanged objects', () => {
    const reads = [group('g1', 'a'), group('g2', 'b'), policy('p1', 'p', ['g1'], ['g1'])];
    const files = `{
      groups: [{ name: a }, { name: new }],
      policies: [{ name: q, rules: [{ name: all, protocol: all, sources: [new], destinations: [new] }] }]
    }`;
    expect(pins(files, reads, { prune: 'unmanaged' })).toEqual({});
  });
});
