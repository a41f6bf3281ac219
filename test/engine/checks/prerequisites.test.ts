// A plan fails when an object needs an object of another kind that does not serve.
import { describe, expect, test } from 'vitest';
import { planFor, type Read } from '../planning.ts';
import { found } from './verdict.ts';

describe('an object that needs an object of another kind', () => {
  const serving = (id: string, enabled: boolean): Read => [
    'ingress_peer',
    { id, peer_id: 'p1', enabled, fallback: false },
  ];
  const PEER: Read = ['peer', { id: 'p1', name: 'game' }];
  const PORTS =
    'peers: [{ name: game, ingress_ports: [{ name: voice, direct_port: { count: 2, protocol: udp } }] }]';
  const declaredPeer = (enabled: boolean) =>
    `{ ${PORTS}, ingress_peers: [{ peer_id: game, enabled: ${enabled} }] }`;

  test('is refused if the existing object is not usable', () => {
    expect(planFor(PORTS, [PEER, serving('i1', false)]).diagnostics).toMatchObject([
      {
        code: 'OBJECT_NEEDS',
        message:
          'ingress_port_allocation.game/voice cannot be created: `enabled` will be false for every ingress peer',
        hint: 'set `enabled: true` for one of them under `ingress_peers`',
      },
    ]);
    expect(found(declaredPeer(false), [PEER, serving('i1', true)]).codes).toEqual(['OBJECT_NEEDS']);
    expect(found(declaredPeer(false), [PEER]).codes).toEqual(['OBJECT_NEEDS']);
  });

  test('is created after that object is enabled', () => {
    const { diagnostics, actions } = planFor(declaredPeer(true), [PEER, serving('i1', false)]);
    expect(diagnostics).toEqual([]);
    expect(actions.map(({ id }) => id)).toEqual([
      'update ingress_peer.game',
      'create ingress_port_allocation.game/voice',
    ]);
    expect(found(PORTS, [PEER, serving('i1', true), serving('i2', false)]).codes).toEqual([]);
  });

  test('is not checked any more once it exists', () => {
    const allocation: Read = [
      'ingress_port_allocation',
      {
        id: 'a1',
        name: 'voice',
        enabled: true,
        ingress_peer_id: 'i1',
        port_range_mappings: [
          {
            translated_start: 1,
            translated_end: 2,
            ingress_start: 1,
            ingress_end: 2,
            protocol: 'udp',
          },
        ],
      },
      'p1',
    ];
    expect(found(declaredPeer(false), [PEER, serving('i1', true), allocation]).codes).toEqual([]);
  });
});
