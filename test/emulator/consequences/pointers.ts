// Which field points at what, what a pointer to nothing does, and whether one forbids a deletion.
import {
  another,
  CHECK,
  EDR,
  GROUPS,
  invite,
  key,
  NETWORK,
  PEERS,
  pointing,
  policy,
  resource,
  robot,
  route,
  router,
  SSH,
} from './bodies.ts';
import type { Pointer } from './row.ts';

/** Pointers of the server that no operation of the contract can make, and where in the path its objects would be. */
export const OUTSIDE = [
  { from: 'nameserver group groups', to: 'group', within: '/api/dns' },
  { from: 'DNS settings disabled_management_groups', to: 'group', within: '/api/dns' },
  { from: 'DNS zone distribution_groups', to: 'group', within: '/api/dns' },
  { from: 'account ipv6_enabled_groups', to: 'group', within: '/api/accounts' },
  { from: 'account peer_expose_groups, jwt_allow_groups', to: 'group', within: '/api/accounts' },
  { from: 'account traffic-log groups', to: 'group', within: '/api/accounts' },
  { from: 'proxy service target', to: 'resource, peer', within: '/api/reverse-proxies' },
  { from: 'proxy service access groups', to: 'group', within: '/api/reverse-proxies' },
  { from: 'agent-network policy source groups', to: 'group', within: '/api/agent-network' },
];

const RULES_OF_GROUPS = (['sources', 'destinations'] as const).map((side): Pointer => {
  const other = side === 'sources' ? 'destinations' : 'sources';
  return {
    from: `policy rule ${side}`,
    to: 'group',
    before: { ...GROUPS, '/api/policies': [policy({ [side]: ['g'], [other]: ['h'] })] },
    unknown: {
      write: ['POST', '/api/policies', another({ [side]: ['none'], [other]: ['h'] })],
      status: 200,
      reads: { rules: [{ [side]: [] }] },
    },
    deletion: { path: '/api/groups/g', status: 400 },
  };
});

const ROUTES_OF_GROUPS = (['peer_groups', 'groups', 'access_control_groups'] as const).map(
  (field): Pointer => {
    const peers = { peer_groups: ['h'] };
    return {
      from: `route ${field}`,
      to: 'group',
      before: { ...GROUPS, '/api/routes': [{ id: 'rt', ...route({ ...peers, [field]: ['g'] }) }] },
      unknown: {
        write: ['POST', '/api/routes', route({ ...peers, [field]: ['none'] })],
        status: 422,
      },
      deletion: { path: '/api/groups/g', status: 400 },
    };
  },
);

/** Every field of the contract that points at another object. */
export const POINTERS: readonly Pointer[] = [
  ...RULES_OF_GROUPS,
  {
    from: 'policy rule authorized_groups',
    to: 'group',
    before: {
      ...GROUPS,
      '/api/policies': [
        policy(SSH, {
          rules: [
            {
              ...SSH,
              sources: ['h'],
              destinations: ['h'],
              authorized_groups: { g: ['root'], h: ['root'] },
            },
          ],
        }),
      ],
    },
    unknown: {
      write: [
        'POST',
        '/api/policies',
        another({
          ...SSH,
          sources: ['h'],
          destinations: ['h'],
          authorized_groups: { none: ['root'], h: ['root'] },
        }),
      ],
      status: 200,
      reads: { rules: [{ authorized_groups: { none: ['root'] } }] },
    },
    deletion: { path: '/api/groups/g', status: 200 },
    after: { '/api/policies/pol': { rules: [{ authorized_groups: { g: ['root'] } }] } },
  },
  {
    from: 'policy rule sourceResource, destinationResource',
    to: 'network resource',
    before: {
      ...GROUPS,
      ...NETWORK,
      '/api/networks/n/resources': [{ id: 'r', ...resource() }],
      '/api/policies': [policy({ sources: ['g'], destinationResource: pointing('r', 'host') })],
    },
    unknown: {
      write: [
        'POST',
        '/api/policies',
        another({ sources: ['g'], destinationResource: pointing('none', 'host') }),
      ],
      status: 200,
      reads: { rules: [{ destinationResource: pointing('none', 'host') }] },
    },
    deletion: { path: '/api/networks/n/resources/r', status: 200 },
    after: { '/api/policies/pol': { rules: [{ destinationResource: pointing('r', 'host') }] } },
  },
  {
    from: 'policy rule sourceResource, destinationResource',
    to: 'peer',
    before: {
      ...GROUPS,
      ...PEERS,
      '/api/policies': [policy({ sourceResource: pointing('p', 'peer'), destinations: ['g'] })],
    },
    unknown: {
      write: [
        'POST',
        '/api/policies',
        another({ sourceResource: pointing('none', 'peer'), destinations: ['g'] }),
      ],
      status: 200,
    },
    // The policy goes with the peer.
    deletion: { path: '/api/peers/p', status: 200 },
  },
  {
    from: 'policy source_posture_checks',
    to: 'posture check',
    before: {
      ...GROUPS,
      '/api/posture-checks': [CHECK],
      '/api/policies': [
        policy({ sources: ['g'], destinations: ['h'] }, { source_posture_checks: ['c'] }),
      ],
    },
    unknown: {
      write: [
        'POST',
        '/api/policies',
        another({ sources: ['g'], destinations: ['h'] }, { source_posture_checks: ['none'] }),
      ],
      status: 200,
      reads: { source_posture_checks: [] },
    },
    deletion: { path: '/api/posture-checks/c', status: 412 },
  },
  {
    from: 'route peer',
    to: 'peer',
    before: { ...GROUPS, ...PEERS, '/api/routes': [{ id: 'rt', ...route({ peer: 'p' }) }] },
    unknown: { write: ['POST', '/api/routes', route({ peer: 'none' })], status: 422 },
    deletion: { path: '/api/peers/p', status: 200 },
    after: { '/api/routes/rt': { peer: 'p' } },
  },
  ...ROUTES_OF_GROUPS,
  {
    from: 'router peer',
    to: 'peer',
    before: {
      ...PEERS,
      ...NETWORK,
      '/api/networks/n/routers': [{ id: 'rr', ...router({ peer: 'p' }) }],
    },
    unknown: {
      write: ['POST', '/api/networks/n/routers', router({ peer: 'none' })],
      status: 200,
      reads: { peer: 'none' },
    },
    deletion: { path: '/api/peers/p', status: 412 },
  },
  {
    from: 'router peer_groups',
    to: 'group',
    before: {
      ...GROUPS,
      ...NETWORK,
      '/api/networks/n/routers': [{ id: 'rr', ...router({ peer_groups: ['g'] }) }],
    },
    unknown: {
      write: ['POST', '/api/networks/n/routers', router({ peer_groups: ['none'] })],
      status: 200,
      reads: { peer_groups: ['none'] },
    },
    deletion: { path: '/api/groups/g', status: 400 },
  },
  {
    from: 'resource groups',
    to: 'group',
    before: {
      ...GROUPS,
      ...NETWORK,
      '/api/networks/n/resources': [{ id: 'r', ...resource({ groups: ['g'] }) }],
    },
    unknown: {
      write: ['POST', '/api/networks/n/resources', resource({ name: 'x', groups: ['none'] })],
      status: 404,
    },
    deletion: { path: '/api/groups/g', status: 400 },
  },
  {
    from: 'group resources',
    to: 'network resource',
    before: {
      ...NETWORK,
      '/api/networks/n/resources': [{ id: 'r', ...resource() }],
      '/api/groups': [{ id: 'g', name: 'g', resources: [pointing('r', 'host')] }],
    },
    unknown: {
      write: ['POST', '/api/groups', { name: 'x', resources: [pointing('none', 'host')] }],
      status: 200,
      reads: { resources: [pointing('none', 'host')] },
    },
    deletion: { path: '/api/networks/n/resources/r', status: 200 },
    after: { '/api/groups/g': { resources: [] } },
  },
  {
    from: 'group peers',
    to: 'peer',
    before: { ...PEERS, '/api/groups': [{ id: 'g', name: 'g', peers: ['p', 'q'] }] },
    unknown: {
      write: ['POST', '/api/groups', { name: 'x', peers: ['none'] }],
      status: 200,
      reads: { peers: [] },
    },
    deletion: { path: '/api/peers/p', status: 200 },
    after: { '/api/groups/g': { peers: [{ id: 'q', name: 'q' }] } },
  },
  {
    from: 'setup key auto_groups',
    to: 'group',
    before: { ...GROUPS, '/api/setup-keys': [{ id: '7', ...key({ auto_groups: ['g'] }) }] },
    unknown: { write: ['POST', '/api/setup-keys', key({ auto_groups: ['none'] })], status: 422 },
    deletion: { path: '/api/groups/g', status: 400 },
  },
  {
    from: 'user auto_groups',
    to: 'group',
    before: { ...GROUPS, '/api/users': [{ id: 'u', ...robot({ auto_groups: ['g'] }) }] },
    unknown: {
      write: ['PUT', '/api/users/u', { role: 'user', auto_groups: ['none'], is_blocked: false }],
      status: 422,
    },
    deletion: { path: '/api/groups/g', status: 400 },
  },
  {
    from: 'service user auto_groups, when it is created',
    to: 'group',
    before: { ...GROUPS },
    unknown: {
      write: ['POST', '/api/users', robot({ auto_groups: ['none'] })],
      status: 200,
      reads: { auto_groups: ['none'] },
    },
    deletion: { path: '/api/groups/g', status: 200 },
  },
  {
    from: 'invite auto_groups',
    to: 'group',
    before: { ...GROUPS, '/api/users/invites': [{ id: 'i', ...invite({ auto_groups: ['g'] }) }] },
    unknown: {
      write: [
        'POST',
        '/api/users/invites',
        invite({ email: 'x@example.com', auto_groups: ['none'] }),
      ],
      status: 200,
      reads: { auto_groups: ['none'] },
    },
    deletion: { path: '/api/groups/g', status: 200 },
    after: { '/api/users/invites': [{ id: 'i', auto_groups: ['g'] }] },
  },
  {
    from: 'endpoint detection groups',
    to: 'group',
    edition: 'cloud',
    before: { ...GROUPS, '{edr}': [{ ...EDR, groups: ['g'] }] },
    unknown: { write: ['PUT', '{edr}', { ...EDR, groups: ['none'] }], status: 422 },
    deletion: { path: '/api/groups/g', status: 400 },
  },
];
