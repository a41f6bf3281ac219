import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { group, network, peer, planFor, type Read, resource } from './planning.ts';

const GROUPS = [group('g1', 'a'), group('g2', 'b')];

const route = (id: string, more: JsonObject): Read => [
  'route',
  {
    ...{
      id,
      network_id: 'old',
      description: '',
      enabled: true,
      metric: 9999,
      masquerade: true,
      groups: ['g1'],
    },
    ...{
      keep_route: false,
      skip_auto_apply: false,
      network: '10.1.0.0/16',
      network_type: 'IPv4',
      peer: '',
    },
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

  test('is refused across parents, where it is unique in the account', () => {
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

  test('is free where its holder goes or is renamed', () => {
    expect(
      codes('groups: [{ name: b, lifecycle: { id: g1 } }]', GROUPS, { prune: 'unmanaged' }),
    ).toEqual([]);
    const both = 'groups: [{ name: b, lifecycle: { id: g1 } }, { name: c, lifecycle: { id: g2 } }]';
    expect(codes(both, GROUPS)).toEqual([]);
  });

  test('is nobody’s where names need not be unique', () => {
    const reads = [network('n1', 'n'), network('n2', 'm')];
    expect(codes('networks: [{ name: m, lifecycle: { id: n1 } }]', reads)).toEqual([]);
  });
});

describe('a way that two must not share', () => {
  const PEERS = [peer('x', 'x'), peer('y', 'y')];
  const [FULL, EMPTY] = [group('g1', 'a', { peers: ['x'] }), group('g2', 'b')];

  test('is refused while one that stays leads through the same group', () => {
    expect(
      codes(files('peer_groups: [a]'), [
        FULL,
        EMPTY,
        ...PEERS,
        route('t1', { peer_groups: ['g1'] }),
      ]),
    ).toEqual(['OBJECT_IN_THE_WAY']);
  });

  test('is refused while one that stays leads through a member', () => {
    const held = route('t1', { peer_groups: ['g1'] });
    expect(codes(files('peer: x'), [FULL, EMPTY, ...PEERS, held])).toEqual(['OBJECT_IN_THE_WAY']);
    const other = group('g2', 'b', { peers: ['x', 'y'] });
    expect(codes(files('peer_groups: [b]'), [FULL, other, ...PEERS, held])).toEqual([
      'OBJECT_IN_THE_WAY',
    ]);
  });

  test('is refused where the member joins in the same run', () => {
    const text = `{ groups: [{ name: b, peers: [x] }], ${files('peer_groups: [b]')} }`;
    expect(codes(text, [FULL, EMPTY, ...PEERS, route('t1', { peer_groups: ['g1'] })])).toEqual([
      'OBJECT_IN_THE_WAY',
    ]);
  });

  test('is free by other peers, to other places, and beside one that names a single peer', () => {
    const held = route('t1', { peer_groups: ['g1'] });
    expect(codes(files('peer: y'), [FULL, EMPTY, ...PEERS, held])).toEqual([]);
    expect(
      codes(files('peer_groups: [a]').replace('10.1', '10.2'), [FULL, EMPTY, ...PEERS, held]),
    ).toEqual([]);
    expect(codes(files('peer: x'), [FULL, EMPTY, ...PEERS, route('t1', { peer: 'x' })])).toEqual(
      [],
    );
  });

  test('is free once its holder goes, which leaves a gap', () => {
    const reads = [FULL, EMPTY, ...PEERS, route('t1', { peer_groups: ['g1'] })];
    const { actions } = planFor(files('peer_groups: [a]'), reads, { prune: 'unmanaged' });
    expect(actions.map(({ verb, hazards }) => [verb, hazards.map(({ code }) => code)])).toEqual([
      ['delete', ['DELETES_OBJECT', 'GAP']],
      ['create', []],
    ]);
  });

  test('is refused to both of two that want it, and given first to the one that shuts nobody out', () => {
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
