// What a write does to other objects.
import {
  CHECK,
  GROUPS,
  key,
  NETWORK,
  PEERS,
  pointing,
  policy,
  resource,
  robot,
  route,
  router,
} from './bodies.ts';
import type { Consequence } from './row.ts';

const PERSON = {
  '/emulator/users': [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }],
  '/emulator/peers': [
    { id: 'laptop', name: 'laptop', user_id: 'ada' },
    { id: 'phone', name: 'phone', user_id: 'ada' },
    { id: 'other', name: 'other' },
  ],
};
const UPDATE = { role: 'user', auto_groups: [], is_blocked: false };
const toLaptop = (id: string) =>
  policy({ sources: ['g'], destinationResource: pointing('laptop', 'peer') }, { id, name: id });

/** Every write that does something to other objects, and the deletions that do not. */
export const CONSEQUENCES: readonly Consequence[] = [
  {
    of: 'the deletion of a network: its resources, which leave their groups, and its routers go',
    before: {
      ...GROUPS,
      '/api/networks': [
        { id: 'n', name: 'n' },
        { id: 'm', name: 'm' },
      ],
      '/api/networks/n/resources': [
        { id: 'r', ...resource({ groups: ['g'] }) },
        { id: 's', ...resource({ name: 's', groups: ['g', 'h'] }) },
      ],
      '/api/networks/m/resources': [{ id: 't', ...resource({ name: 't', groups: ['g'] }) }],
      '/api/networks/n/routers': [{ id: 'rr', ...router({ peer_groups: ['h'] }) }],
      '/api/policies': [policy({ sources: ['g'], destinationResource: pointing('r', 'host') })],
    },
    write: ['DELETE', '/api/networks/n'],
    gone: [
      '/api/networks/n',
      '/api/networks/n/resources/r',
      '/api/networks/n/resources/s',
      '/api/networks/n/routers/rr',
    ],
    after: {
      '/api/groups/g': { resources: [pointing('t', 'host')] },
      '/api/groups/h': { resources: [] },
      '/api/policies/pol': { rules: [{ destinationResource: pointing('r', 'host') }] },
    },
  },
  {
    of: 'the deletion of a network resource: it leaves its groups, and policies keep their pointer',
    before: {
      ...GROUPS,
      ...NETWORK,
      '/api/networks/n/resources': [{ id: 'r', ...resource({ groups: ['g'] }) }],
      '/api/policies': [policy({ sources: ['g'], destinationResource: pointing('r', 'host') })],
    },
    write: ['DELETE', '/api/networks/n/resources/r'],
    gone: ['/api/networks/n/resources/r'],
    after: {
      '/api/groups/g': { resources: [] },
      '/api/policies/pol': { rules: [{ destinationResource: pointing('r', 'host') }] },
    },
  },
  {
    of: 'the deletion of a peer: it leaves its groups, and every policy that names it goes whole',
    before: {
      ...PEERS,
      '/api/groups': [
        { id: 'g', name: 'g', peers: ['p', 'q'] },
        { id: 'h', name: 'h' },
      ],
      '/api/policies': [
        policy({ sourceResource: pointing('p', 'peer'), destinations: ['g'] }, { id: 'a' }),
        policy({ sources: ['g'], destinationResource: pointing('p', 'peer') }, { id: 'b' }),
        policy({ sources: ['g'], destinations: ['h'] }, { id: 'c' }),
      ],
      '/api/routes': [{ id: 'rt', ...route({ peer: 'p' }) }],
    },
    write: ['DELETE', '/api/peers/p'],
    gone: ['/api/peers/p', '/api/policies/a', '/api/policies/b'],
    after: {
      '/api/groups/g': { peers: [{ id: 'q', name: 'q' }] },
      '/api/routes/rt': { peer: 'p' },
    },
  },
  {
    of: 'the deletion of a person: their peers go, whatever routes by way of them, and policies that name these',
    before: {
      ...PERSON,
      ...NETWORK,
      '/api/groups': [{ id: 'g', name: 'g', peers: ['laptop', 'other'] }],
      '/api/networks/n/routers': [{ id: 'rr', ...router({ peer: 'phone' }) }],
      '/api/policies': [
        toLaptop('a'),
        policy({ sources: ['g'], destinations: ['g'] }, { id: 'b' }),
      ],
    },
    write: ['DELETE', '/api/users/ada'],
    gone: ['/api/users/ada', '/api/peers/laptop', '/api/peers/phone', '/api/policies/a'],
    after: {
      '/api/groups/g': { peers: [{ id: 'other', name: 'other' }] },
      '/api/networks/n/routers/rr': { peer: 'phone' },
    },
  },
  {
    of: 'the rejection of a person who waits for approval: the same as their deletion',
    before: {
      ...PERSON,
      ...GROUPS,
      '/emulator/users': [
        { id: 'ada', name: 'Ada', email: 'ada@example.com', pending_approval: true },
      ],
      '/api/policies': [toLaptop('a')],
    },
    write: ['DELETE', '/api/users/ada/reject'],
    gone: ['/api/users/ada', '/api/peers/laptop', '/api/peers/phone', '/api/policies/a'],
    after: {},
  },
  {
    of: 'the deletion of a service user: its tokens go',
    before: {
      '/api/users': [
        { id: 'u', ...robot() },
        { id: 'v', ...robot({ name: 'other' }) },
      ],
      '/api/users/u/tokens': [{ id: 't', name: 't', expires_in: 1 }],
      '/api/users/v/tokens': [{ id: 's', name: 's', expires_in: 1 }],
    },
    write: ['DELETE', '/api/users/u'],
    gone: ['/api/users/u', '/api/users/u/tokens/t'],
    after: {},
  },
  {
    of: 'a block of a person: their logins on their peers expire',
    before: PERSON,
    write: ['PUT', '/api/users/ada', { ...UPDATE, is_blocked: true }],
    gone: [],
    after: {
      '/api/peers/laptop': { login_expired: true },
      '/api/peers/phone': { login_expired: true },
      '/api/peers/other': { login_expired: false },
    },
  },
  {
    of: 'new auto_groups of a person: their peers leave the old groups and join the new ones',
    before: {
      ...PERSON,
      '/api/groups': [
        { id: 'g', name: 'g', peers: ['laptop', 'other'] },
        { id: 'h', name: 'h', peers: ['phone'] },
      ],
    },
    write: ['PUT', '/api/users/ada', { ...UPDATE, auto_groups: ['g'] }],
    gone: [],
    after: {
      '/api/groups/g': {
        peers: [
          { id: 'laptop', name: 'laptop' },
          { id: 'other', name: 'other' },
          { id: 'phone', name: 'phone' },
        ],
      },
      '/api/groups/h': { peers: [{ id: 'phone', name: 'phone' }] },
    },
  },
  {
    of: 'new auto_groups of a person without group propagation: their peers stay where they are',
    before: { ...PERSON, ...GROUPS },
    settings: { group_propagation: false },
    write: ['PUT', '/api/users/ada', { ...UPDATE, auto_groups: ['g'] }],
    gone: [],
    after: { '/api/groups/g': { peers: [] } },
  },
  {
    of: 'new auto_groups of a setup key: only the peers that enrol from then on join them',
    before: {
      ...GROUPS,
      '/api/setup-keys': [{ id: '7', ...key({ key: 'KEY' }) }],
      '/emulator/peers': [{ id: 'p', name: 'p', setup_key: 'KEY' }],
    },
    write: ['PUT', '/api/setup-keys/7', { revoked: false, auto_groups: ['g'] }],
    gone: [],
    after: { '/api/groups/g': { peers: [] } },
  },
  {
    of: 'the deletion of a setup key: its peers stay',
    before: {
      '/api/groups': [{ id: 'g', name: 'g' }],
      '/api/setup-keys': [{ id: '7', ...key({ key: 'KEY', auto_groups: ['g'] }) }],
      '/emulator/peers': [{ id: 'p', name: 'p', setup_key: 'KEY' }],
    },
    write: ['DELETE', '/api/setup-keys/7'],
    gone: ['/api/setup-keys/7'],
    after: { '/api/groups/g': { peers: [{ id: 'p', name: 'p' }] } },
  },
  {
    of: 'the deletion of a group: its peers stay',
    before: { ...PEERS, '/api/groups': [{ id: 'g', name: 'g', peers: ['p'] }] },
    write: ['DELETE', '/api/groups/g'],
    gone: ['/api/groups/g'],
    after: {},
  },
  {
    of: 'new members of a group: the others leave it, and so do its resources',
    before: {
      ...PEERS,
      ...NETWORK,
      '/api/groups': [{ id: 'g', name: 'g', peers: ['p'] }],
      '/api/networks/n/resources': [{ id: 'r', ...resource({ groups: ['g'] }) }],
    },
    write: ['PUT', '/api/groups/g', { name: 'g', peers: ['q'] }],
    gone: [],
    after: {
      '/api/groups/g': { peers: [{ id: 'q', name: 'q' }], resources: [] },
      '/api/networks/n/resources/r': { groups: [] },
    },
  },
  {
    of: 'the deletion of a posture check: nothing else',
    before: { '/api/posture-checks': [CHECK] },
    write: ['DELETE', '/api/posture-checks/c'],
    gone: ['/api/posture-checks/c'],
    after: {},
  },
  {
    of: 'the deletion of a route: nothing else',
    before: { ...GROUPS, '/api/routes': [{ id: 'rt', ...route({ peer_groups: ['g'] }) }] },
    write: ['DELETE', '/api/routes/rt'],
    gone: ['/api/routes/rt'],
    after: {},
  },
  {
    of: 'the deletion of a person with an ingress peer: what it lets in goes with it',
    edition: 'cloud',
    before: {
      ...PERSON,
      '/api/ingress/peers': [{ id: 'in', peer_id: 'laptop', enabled: true, fallback: true }],
      '/api/peers/other/ingress/ports': [
        { id: 'al', name: 'web', enabled: true, direct_port: { count: 1, protocol: 'tcp' } },
      ],
    },
    write: ['DELETE', '/api/users/ada'],
    gone: [
      '/api/users/ada',
      '/api/peers/laptop',
      '/api/peers/phone',
      '/api/ingress/peers/in',
      '/api/peers/other/ingress/ports/al',
    ],
    after: {},
  },
];
