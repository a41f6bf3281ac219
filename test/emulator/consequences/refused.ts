// Deletions that are refused because of something that no field of the object itself shows.
import { GROUPS, key, PEERS } from './bodies.ts';
import type { Refused } from './row.ts';

/** Deletions that are refused by more than one of the pointers, or by what has none. */
export const REFUSED: readonly Refused[] = [
  {
    of: 'a group that a revoked setup key has',
    before: {
      ...GROUPS,
      '/api/setup-keys': [{ id: '7', ...key({ auto_groups: ['g'] }) }],
    },
    path: '/api/groups/g',
    status: 400,
  },
  {
    of: 'a peer with an ingress port',
    edition: 'cloud',
    before: {
      ...PEERS,
      '/api/ingress/peers': [{ id: 'in', peer_id: 'q', enabled: true, fallback: true }],
      '/api/peers/p/ingress/ports': [
        { id: 'al', name: 'web', enabled: true, direct_port: { count: 1, protocol: 'tcp' } },
      ],
    },
    path: '/api/peers/p',
    status: 412,
  },
  {
    of: 'an ingress peer that lets something in',
    edition: 'cloud',
    before: {
      ...PEERS,
      '/api/ingress/peers': [{ id: 'in', peer_id: 'q', enabled: true, fallback: true }],
      '/api/peers/p/ingress/ports': [
        { id: 'al', name: 'web', enabled: true, direct_port: { count: 1, protocol: 'tcp' } },
      ],
    },
    path: '/api/ingress/peers/in',
    status: 412,
  },
];
