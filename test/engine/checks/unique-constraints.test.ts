import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { group, network, peer, planFor, type Read, resource } from '../planning.ts';

const GROUPS = [group('g1', 'a'), group('g2', 'b')];

const route = (id: string, more: JsonObject): Read => [
  'route',
  {
    id,
    network_id: 'old',
    description: '',
    enabled: true,
    metric: 9999,
    masquerade: true,
    groups: ['g1'],
    keep_route: false,
    skip_auto_apply: false,
    network: '10.1.0.0/16',
    network_type: 'IPv4',
    peer: '',
    ...more,
  },
];

const files = (...by: string[]) =>
  `routes: [${by.map((way, i) => `{ network_id: new${i || ''}, network: 10.1.0.0/16, ${way}, masquerade: true, groups: [a] }`)}]`;

const codes = (...given: Parameters<typeof planFor>) =>
  planFor(...given).diagnostics.map(({ code }) => code);

describe('a name that must be unique', () => {
  test('is refused while another object that stays has it', () => {
    expect(codes('groups: [{ name: b, lifecycle: { id: g1 } }]', GROUPS)).toEqual([
      'OBJECT_NAME_TAKEN',
    ]);
  });

  test('is refused across parents, if it is unique in the account', () => {
    const reads = [
      network('n1', 'n'),
      network('n2', 'm'),
      resource('r1', 'n1', 'x'),
      resource('r2', 'n2', 'db'),
    ];
    const text =
      'networks: [{ name: m }, { name: n, resources: [{ name: db, address: 10.0.0.1, groups: [], lifecycle: { id: r1 } }] }]';
    expect(codes(text, reads)).toEqual(['OBJECT_NAME_TAKEN']);
  });

  describe('of an object in another parent that may have moved', () => {
    const reads = [network('n1', 'n'), network('n2', 'm'), resource('r1', 'n1', 'db')];
    const text = (lifecycle = '', more = '') =>
      `networks: [{ name: n${more} }, { name: m, resources: [{ name: db, address: 10.0.0.1, groups: []${lifecycle} }] }]`;
    const found = (...given: Parameters<typeof planFor>) => planFor(...given).diagnostics;

    test.each(['spec', 'netbird'] as const)('is refused, with the line to write: %s', dialect => {
      expect(found(text(), reads, { dialect })).toMatchObject([
        {
          code: 'OBJECT_IN_THE_WAY',
          message:
            'network_resource.m/db cannot be created while network_resource.n/db exists: names of network resources are unique in the account',
          hint: expect.stringContaining('write `lifecycle: { was: n/db }`'),
        },
      ]);
      expect(codes(text(', lifecycle: { was: n/db }'), reads, { dialect })).toEqual([]);
    });

    test('is refused although a base declared the object, but in another place', () => {
      const base =
        'networks: [{ name: n }, { name: k, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }]';
      expect(codes(text(), reads, { base, prune: 'removed' })).toEqual(['OBJECT_IN_THE_WAY']);
    });

    test('is refused with the id if no name distinguishes the other parent', () => {
      const twins = [...reads, network('n3', 'n')];
      const only =
        'networks: [{ name: m, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }]';
      expect(found(only, twins)).toMatchObject([
        { code: 'OBJECT_IN_THE_WAY', hint: expect.stringContaining('lifecycle: { id: r1 }') },
      ]);
    });

    test('is allowed if that object is deleted in the same run', () => {
      const made = planFor(text(), reads, { prune: 'unmanaged' });
      expect(made.diagnostics).toEqual([]);
      expect(made.actions.map(({ id }) => id)).toEqual([
        'delete network_resource.n/db',
        'create network_resource.m/db',
      ]);
    });

    test('is refused if that object would be deleted, but references to it would move to the new object', () => {
      const policy = (id: string): Read => [
        'policy',
        {
          id: 'p1',
          name: 'p',
          description: '',
          enabled: true,
          source_posture_checks: [],
          rules: [
            {
              id: 'p1-1',
              name: 'all',
              description: '',
              enabled: true,
              action: 'accept',
              bidirectional: false,
              protocol: 'all',
              sources: ['g1'],
              destinationResource: { id, type: 'host' },
            },
          ],
        },
      ];
      const pointing = `{ groups: [{ name: a }], ${text()}, policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinationResource: { network_resource: m/db } }] }] }`;
      expect(
        found(pointing, [GROUPS[0] as Read, ...reads, policy('r1')], { prune: 'unmanaged' }),
      ).toMatchObject([{ code: 'OBJECT_IN_THE_WAY', hint: expect.stringContaining('was: n/db') }]);
    });
  });

  test('is allowed if the other object is deleted or renamed', () => {
    expect(
      codes('groups: [{ name: b, lifecycle: { id: g1 } }]', GROUPS, { prune: 'unmanaged' }),
    ).toEqual([]);
    const both = 'groups: [{ name: b, lifecycle: { id: g1 } }, { name: c, lifecycle: { id: g2 } }]';
    expect(codes(both, GROUPS)).toEqual([]);
  });

  test('is not reserved if names need not be unique', () => {
    const reads = [network('n1', 'n'), network('n2', 'm')];
    expect(codes('networks: [{ name: m, lifecycle: { id: n1 } }]', reads)).toEqual([]);
  });
});

describe('a route that two objects must not share', () => {
  const PEERS = [peer('x', 'x'), peer('y', 'y')];
  const FULL = group('g1', 'a', { peers: ['x'] });
  const EMPTY = group('g2', 'b');

  test('is refused while a remaining object uses the same group', () => {
    expect(
      codes(files('peer_groups: [a]'), [
        FULL,
        EMPTY,
        ...PEERS,
        route('t1', { peer_groups: ['g1'] }),
      ]),
    ).toEqual(['OBJECT_IN_THE_WAY']);
  });

  test('is refused while a remaining object uses a member', () => {
    const held = route('t1', { peer_groups: ['g1'] });
    expect(codes(files('peer: x'), [FULL, EMPTY, ...PEERS, held])).toEqual(['OBJECT_IN_THE_WAY']);
    const other = group('g2', 'b', { peers: ['x', 'y'] });
    expect(codes(files('peer_groups: [b]'), [FULL, other, ...PEERS, held])).toEqual([
      'OBJECT_IN_THE_WAY',
    ]);
  });

  test('is refused if the member joins in the same run', () => {
    const text = `{ groups: [{ name: b, peers: [x] }], ${files('peer_groups: [b]')} }`;
    expect(codes(text, [FULL, EMPTY, ...PEERS, route('t1', { peer_groups: ['g1'] })])).toEqual([
      'OBJECT_IN_THE_WAY',
    ]);
  });

  test('is allowed with other peers, for other destinations, and beside a route that names a single peer', () => {
    const held = route('t1', { peer_groups: ['g1'] });
    expect(codes(files('peer: y'), [FULL, EMPTY, ...PEERS, held])).toEqual([]);
    expect(
      codes(files('peer_groups: [a]').replace('10.1', '10.2'), [FULL, EMPTY, ...PEERS, held]),
    ).toEqual([]);
    expect(codes(files('peer: x'), [FULL, EMPTY, ...PEERS, route('t1', { peer: 'x' })])).toEqual(
      [],
    );
  });

  test('is allowed once the other object is deleted, which leaves a gap', () => {
    const reads = [FULL, EMPTY, ...PEERS, route('t1', { peer_groups: ['g1'] })];
    const { actions } = planFor(files('peer_groups: [a]'), reads, { prune: 'unmanaged' });
    expect(actions.map(({ verb, hazards }) => [verb, hazards.map(({ code }) => code)])).toEqual([
      ['delete', ['DELETES_OBJECT', 'GAP']],
      ['create', []],
    ]);
  });

  test('is refused for two new routes that exclude each other; a new route that blocks no other is created first', () => {
    const reads = [FULL, group('g2', 'b', { peers: ['x'] }), ...PEERS];
    expect(codes(files('peer_groups: [a]', 'peer_groups: [b]'), reads)).toEqual([
      'OBJECT_IN_THE_WAY',
      'OBJECT_IN_THE_WAY',
    ]);
    const plan = planFor(files('peer_groups: [a]', 'peer: x'), reads);
    expect(plan.diagnostics).toEqual([]);
    expect(plan.actions.map(({ key }) => key)).toEqual([
      'new1 10.1.0.0/16 peer=x',
      'new 10.1.0.0/16 a',
    ]);
  });
});
