// Drawn accounts with something guarded, and plans that open it by every road: what the account reads like, what the files
// declare, and which gates speak of the road.
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import type { Read } from '../../engine/planning.ts';
import type { RandomSource } from '../../properties/generators/randomSource.ts';
import { asIPv6Host, between, rangeAt, within } from './drawnRanges.ts';

/** What judges a plan. */
const GATES = ['guarded', 'deny', 'only_from', 'thresholds', 'no_new_access'] as const;

export type Gate = (typeof GATES)[number];

/** A plan that opens something, or nothing that is guarded. */
export interface Drawn {
  readonly road: string;
  readonly reads: readonly Read[];
  readonly files: string;
  /** What is guarded, as a selector. */
  readonly guarded: string;
  readonly deny: AccessTest;
  readonly onlyFrom: AccessTest;
  /** The gates that refuse the plan. */
  readonly refusing: readonly Gate[];
}

/** Something guarded: a network resource, or a machine. */
interface Guarded {
  readonly address: string;
  readonly selector: string;
  readonly isDomain: boolean;
  readonly isIPv6?: boolean;
}

interface Road {
  readonly files: JsonObject;
  readonly refusing: readonly Gate[];
  /** Who must not reach what is guarded. */
  readonly from?: string;
  readonly guarded?: string;
  /** What the account has for this road alone. */
  readonly reads?: readonly Read[];
}

const ALL_GATES: readonly Gate[] = GATES;
const RESOURCE = 'network_resource/production/orders-db';

/** An account, and a plan that opens what is guarded in it. */
export function drawnRoad(random: RandomSource, number: number): Drawn {
  const guarded = drawnGuard(random);
  const names = Object.keys(ROADS).filter(name => guarded.isDomain || !name.includes('domain'));
  const road = names[number % names.length] ?? '';
  return drawn(road, ROADS[road]?.(random, guarded), guarded, random);
}

/** An account, and a plan that opens nothing of what is guarded in it. */
export function drawnBeside(random: RandomSource, number: number): Drawn {
  const guarded = drawnGuard(random);
  const names = Object.keys(BESIDE);
  const road = names[number % names.length] ?? '';
  return drawn(road, BESIDE[road]?.(random, guarded), guarded, random);
}

function drawn(name: string, road: Road | undefined, guard: Guarded, random: RandomSource): Drawn {
  if (road === undefined) throw new Error('a road that is not drawn');
  const { files, refusing, from = 'group/laptops', guarded = guard.selector, reads = [] } = road;
  const at = { file: 'tests.yaml', line: 1, column: 1 };
  const test: AccessTest = {
    name: 'it',
    at,
    allow: [],
    deny: [],
    onlyFrom: [],
    except: [],
    passesPosture: false,
  };
  return {
    road: name,
    reads: [...readsOf(guard, random), ...reads],
    files: JSON.stringify(files),
    guarded,
    deny: { ...test, from: { text: from, at }, deny: [{ text: guarded, at }] },
    onlyFrom: {
      ...test,
      to: { text: guarded, at },
      onlyFrom: ['group/admins', 'group/vaults', 'group/databases'].map(text => ({ text, at })),
    },
    refusing,
  };
}

const octet = (random: RandomSource): number => between(random, 1, 250);

function drawnGuard(random: RandomSource): Guarded {
  const isDomain = random.chance(0.25);
  const ip = `10.${octet(random)}.${octet(random)}`;
  const isIPv6 = !isDomain && random.chance(0.25);
  const prefix = `2001:db8:${octet(random)}`;
  const address = isDomain
    ? `db-${octet(random)}.eu.example.com`
    : isIPv6
      ? random.pick([`${prefix}::5/128`, `${prefix}::/64`, `${prefix}:0:8000::/65`])
      : random.pick([`${ip}.${octet(random)}/32`, `${ip}.0/24`, `${ip}.128/25`]);
  const object = random.pick([
    RESOURCE,
    `${RESOURCE}:tcp/5432`,
    'network/production',
    'group/databases',
  ]);
  const isByAddress = random.chance(0.2);
  return { address, isDomain, isIPv6, selector: isByAddress ? address : object };
}

const rangeOver = (random: RandomSource, { address, isDomain }: Guarded): string =>
  isDomain ? random.pick(['0.0.0.0/0', '::/0']) : rangeAt(random, address);

function domainAt(random: RandomSource, { address }: Guarded): string {
  return random.pick([address, address.toUpperCase(), '*.eu.example.com', '*.example.com']);
}

const route = (
  random: RandomSource,
  destination: JsonObject,
  groups = ['laptops'],
): JsonObject => ({
  routes: [
    {
      network_id: 'road',
      ...destination,
      ...(random.chance(0.5) ? { peer: 'gateway' } : { peer_groups: ['gateways'] }),
      groups: random.chance(0.2) ? ['All'] : groups,
      masquerade: true,
      ...(random.chance(0.4) && { access_control_groups: ['copies'] }),
    },
  ],
});

const copyAt = (address: string): JsonObject => ({ name: 'copy', address, groups: ['copies'] });

const elsewhere = (address: string): JsonObject => ({
  networks: [
    {
      name: 'elsewhere',
      resources: [copyAt(address)],
      routers: [{ peer_groups: ['gateways'], metric: 100, masquerade: true }],
    },
  ],
});

const resourceIn = (random: RandomSource, address: string): JsonObject =>
  random.chance(0.5)
    ? { networks: [{ name: 'production', resources: [copyAt(address)] }] }
    : elsewhere(address);

/** Records by which `road.internal` leads to what is guarded, through another name or a wildcard. */
function namesFor(
  random: RandomSource,
  { address, isDomain, isIPv6 }: Guarded,
  more: JsonObject = {},
): { readonly dns: JsonObject } {
  const [content = ''] = address.split('/');
  const type = isDomain ? 'CNAME' : isIPv6 ? 'AAAA' : 'A';
  const records = random.pick<readonly JsonObject[]>([
    [{ name: 'road.internal', type, content }],
    [{ name: '*.internal', type, content }],
    [
      { name: 'road.internal', type: 'CNAME', content: 'other.internal' },
      { name: 'other.internal', type, content },
    ],
  ]);
  const zone = { domain: 'internal', name: 'names', distribution_groups: ['laptops'], ...more };
  return { dns: { zones: [{ ...zone, records }] } };
}

const policy = (name: string, rule: JsonObject): JsonObject => ({
  policies: [{ name, rules: [{ name: 'rule', protocol: 'tcp', ports: ['5432'], ...rule }] }],
});

const nameservers = (random: RandomSource, asked: JsonObject): { readonly dns: JsonObject } => ({
  dns: {
    nameserver_groups: [
      {
        name: 'road',
        nameservers: [{ ip: random.pick(['192.0.2.53', '2001:db9::53']) }],
        groups: [random.pick(['laptops', 'admins', 'All'])],
        ...asked,
      },
    ],
  },
});

const DIRECT: JsonObject = { options: { direct_upstream: true } };

const service = (target: JsonObject): JsonObject => ({
  reverse_proxy: {
    services: [
      {
        domain: 'road.eu.proxy.test',
        name: 'road',
        mode: 'tcp',
        targets: [{ port: 5432, protocol: 'tcp', ...target }],
      },
    ],
  },
});

/** No machine is left in a group, whoever added it. */
const emptied: JsonObject = { peers: [], lifecycle: { exact: ['peers'] } };

/** Names of a machine by which it has the name of a network resource that laptops reach. */
const WAITING: readonly [string, ...string[]] = ['spare', 'Spare', 'spare.office', '-spare-'];

const vaultIn = (random: RandomSource): string =>
  random.pick(['peer/vault', 'group/vaults', '100.64.0.4', 'peer/vault:tcp/5432']);

type Draw = (random: RandomSource, guarded: Guarded) => Road;

const opens = (files: JsonObject): Road => ({ files, refusing: ALL_GATES });

const ROADS: Readonly<Record<string, Draw>> = {
  'a route': (random, guarded) => opens(route(random, { network: rangeOver(random, guarded) })),
  'an exit node': (random, { isIPv6 }) =>
    opens(route(random, { network: isIPv6 || random.chance(0.3) ? '::/0' : '0.0.0.0/0' })),
  'a second resource': (random, guarded) => opens(resourceIn(random, rangeOver(random, guarded))),
  'a second domain': (random, guarded) => opens(resourceIn(random, domainAt(random, guarded))),
  'a second name of a domain route': (random, guarded) =>
    opens(
      route(random, { domains: ['wiki.example.org', domainAt(random, guarded).toLowerCase()] }),
    ),
  'a name that leads there': (random, guarded) =>
    opens({
      ...(random.chance(0.5)
        ? elsewhere('road.internal')
        : route(random, { domains: ['road.internal'] })),
      ...namesFor(random, guarded),
    }),
  'nameservers for a domain': (random, { address }) => ({
    files: nameservers(
      random,
      random.pick<JsonObject>([
        { primary: true },
        { domains: [address] },
        { domains: ['wiki.example.org', 'example.com'] },
      ]),
    ),
    refusing: ['no_new_access'],
  }),
  'nameservers for a name that leads there': (random, guarded) => {
    const asked = random.pick<JsonObject>([{ primary: true }, { domains: ['internal'] }]);
    const { dns } = nameservers(random, asked);
    const { dns: zones } = namesFor(random, guarded);
    return { files: { dns: { ...dns, ...zones } }, refusing: ['no_new_access'] };
  },
  'a proxy that calls by itself': (random, { address, isDomain }) => {
    const [ip = ''] = address.split('/');
    const isPlain = isDomain || ip.includes(':') || random.chance(0.5);
    const [host = ''] = (isPlain ? address : asIPv6Host(random, ip)).split('/');
    return {
      files: service({ target: { proxy_cluster: 'eu.proxy.test' }, host, ...DIRECT }),
      from: 'internet',
      refusing: ['guarded', 'deny', 'only_from', 'no_new_access'],
    };
  },
  'a proxy that calls a name': (random, guarded) => ({
    files: {
      ...service({
        target: { proxy_cluster: 'eu.proxy.test' },
        host: random.pick(['road.internal', 'Road.Internal.', 'road']),
        ...DIRECT,
      }),
      ...namesFor(random, guarded, { enable_search_domain: true }),
    },
    from: 'internet',
    refusing: ['guarded', 'deny', 'only_from', 'no_new_access'],
  }),
  'a proxy that calls a name of a machine': random => {
    const label = random.pick(['vault', 'safe']);
    return {
      files: service({
        target: { proxy_cluster: 'eu.proxy.test' },
        host: random.pick([label, label.toUpperCase(), `${label}.netbird.selfhosted`]),
        ...DIRECT,
      }),
      from: 'internet',
      guarded: vaultIn(random),
      refusing: ['guarded', 'deny', 'only_from', 'no_new_access'],
    };
  },
  'a service': random => ({
    files: service({
      target: { network_resource: 'production/orders-db' },
      ...(random.chance(0.5) && DIRECT),
    }),
    from: 'internet',
    refusing: ['guarded', 'deny', 'only_from', 'no_new_access'],
  }),
  'a rule': () => opens(policy('road', { sources: ['laptops'], destinations: ['databases'] })),
  'a rule for the resource': () =>
    opens(
      policy('road', {
        sources: ['laptops'],
        destinationResource: { network_resource: 'production/orders-db' },
      }),
    ),
  'a policy that is enabled': () => ({
    files: {
      policies: [
        {
          name: 'asleep',
          enabled: true,
          rules: [
            {
              name: 'rule',
              protocol: 'tcp',
              ports: ['5432'],
              sources: ['laptops'],
              destinations: ['databases'],
            },
          ],
        },
      ],
    },
    refusing: ALL_GATES,
  }),
  'a group that grows': () => ({
    files: { groups: [{ name: 'admins', peers: ['laptop'] }] },
    // Whoever is in the group may reach it.
    refusing: ['guarded', 'deny', 'thresholds', 'no_new_access'],
  }),
  'a group of a person': () => ({
    files: {
      users: [{ email: 'eve@example.com', name: 'eve', role: 'user', auto_groups: ['admins'] }],
    },
    from: 'user/eve@example.com',
    refusing: ['guarded', 'deny', 'no_new_access'],
  }),
  'a setup key': () => ({
    files: {
      setup_keys: [
        {
          name: 'road',
          type: 'reusable',
          expires_in: 86_400,
          usage_limit: 0,
          auto_groups: ['admins'],
        },
      ],
    },
    refusing: ['guarded', 'no_new_access'],
  }),
  'a setup key of a guarded group': () => ({
    files: {
      setup_keys: [
        {
          name: 'road',
          type: 'reusable',
          expires_in: 86_400,
          usage_limit: 0,
          auto_groups: ['databases'],
        },
      ],
    },
    guarded: 'group/databases',
    refusing: ['no_new_access'],
  }),
  'a machine that moves to a group': random => ({
    files: {
      groups: [
        { name: 'copies', peers: ['vault'] },
        ...(random.chance(0.5) ? [{ name: 'vaults', ...emptied }] : []),
      ],
    },
    guarded: random.pick(['peer/vault', 'peer/vault:tcp/5432', '100.64.0.4']),
    refusing: ALL_GATES,
  }),
  'a machine that moves to those who may': () => ({
    files: {
      groups: [
        { name: 'admins', peers: ['laptop'] },
        { name: 'laptops', ...emptied },
      ],
    },
    from: 'peer/laptop',
    refusing: ['guarded', 'deny', 'thresholds', 'no_new_access'],
  }),
  'a name of a machine': random => {
    const name = random.pick([
      'vault.netbird.selfhosted',
      'VAULT.netbird.selfhosted',
      '*.netbird.selfhosted',
      'safe.netbird.selfhosted',
    ]);
    return {
      ...opens(
        random.pick([
          resourceIn(random, name),
          route(random, { domains: ['wiki.example.org', name.toLowerCase()] }),
          {
            ...elsewhere('road.internal'),
            ...namesFor(random, {
              address: name.replace('*', 'vault'),
              isDomain: true,
              selector: '',
            }),
          },
        ]),
      ),
      guarded: vaultIn(random),
    };
  },
  'an alias of a machine': random => {
    const content = random.pick(['vault', 'VAULT', 'safe', 'vault.netbird.selfhosted', 'Safe']);
    const last = { type: 'CNAME', content };
    const records = random.pick<readonly JsonObject[]>([
      [{ name: 'road.internal', ...last }],
      [{ name: '*.internal', ...last }],
      [
        { name: 'road.internal', type: 'CNAME', content: random.pick(['other', 'other.internal']) },
        { name: 'other.internal', ...last },
      ],
    ]);
    const groups = random.pick([['laptops'], ['admins'], ['databases']]);
    const zone = { domain: 'internal', name: 'names', distribution_groups: groups, records };
    return {
      files: { ...elsewhere('road.internal'), dns: { zones: [zone] } },
      guarded: vaultIn(random),
      refusing: ALL_GATES,
    };
  },
  'SSH on its second port': random => ({
    files: {
      peers: [{ name: 'vault', ssh_enabled: true }],
      ...policy('road', { sources: ['laptops'], destinations: ['vaults'], ports: ['22022'] }),
    },
    guarded: random.pick(['group/vaults:tcp/22', 'peer/vault:tcp/22', '100.64.0.4:tcp/20-30']),
    refusing: ALL_GATES,
  }),
  'SSH on its first port': random => ({
    files: {
      peers: [{ name: 'vault', ssh_enabled: true }],
      ...policy('road', { sources: ['laptops'], destinations: ['vaults'], ports: ['22'] }),
    },
    guarded: random.pick(['group/vaults:tcp/22022', 'peer/vault:tcp/22022']),
    refusing: ALL_GATES,
  }),
  'SSH that is switched on': random => ({
    files: { peers: [{ name: 'vault', ssh_enabled: true }] },
    reads: [
      policyRead(random, 'second', 'laptops', 'vaults', { protocol: 'tcp', ports: ['22022'] }),
    ],
    guarded: random.pick(['group/vaults:tcp/22', 'peer/vault:tcp/22', '100.64.0.4:tcp/20-30']),
    refusing: ALL_GATES,
  }),
  'a machine that gets a name': random => ({
    files: { peers: [{ name: random.pick(WAITING), lifecycle: { was: 'vault' } }] },
    guarded: random.pick(['group/vaults', '100.64.0.4', '100.64.0.0/29']),
    refusing: ALL_GATES,
  }),
  'a machine that gets the address of a resource': () => ({
    files: { peers: [{ name: 'vault', ip: '100.64.0.99' }] },
    guarded: 'group/vaults',
    refusing: ALL_GATES,
  }),
  'a route that diverts': (random, { address, isDomain }) => ({
    files: {
      routes: [
        {
          network_id: 'road',
          ...(isDomain ? { domains: [address] } : { network: random.pick(within(address)) }),
          ...(random.chance(0.5) ? { peer: 'laptop' } : { peer_groups: ['laptops'] }),
          groups: ['admins'],
          metric: between(random, 1, 9999),
          masquerade: random.chance(0.5),
        },
      ],
    },
    refusing: ['no_new_access'],
  }),
  'a resource that diverts': (random, { address, isDomain }) => ({
    files: {
      networks: [
        {
          name: 'elsewhere',
          resources: [
            {
              name: 'copy',
              address: isDomain ? address : random.pick(within(address)),
              groups: ['databases'],
            },
          ],
          routers: [{ peer: 'laptop', metric: between(random, 1, 9999), masquerade: true }],
        },
      ],
    },
    refusing: ['no_new_access'],
  }),
  'a role': random => ({
    files: {
      users: [
        {
          email: 'eve@example.com',
          name: 'eve',
          role: random.pick(['admin', 'network_admin', 'auditor']),
          auto_groups: [],
        },
      ],
    },
    refusing: ['no_new_access'],
  }),
  'a port of the internet': random => ({
    files: {
      peers: [
        {
          name: 'vault',
          ingress_ports: [
            random.chance(0.3)
              ? { name: 'road', direct_port: { count: 1, protocol: 'tcp' } }
              : {
                  name: 'road',
                  port_ranges: [{ start: 22, end: 22, protocol: random.pick(['tcp', 'tcp/udp']) }],
                },
          ],
        },
      ],
    },
    from: 'internet',
    guarded: random.pick(['peer/vault', 'group/vaults', 'peer/vault:tcp/22', '100.64.0.4']),
    refusing: ['guarded', 'deny', 'only_from', 'no_new_access'],
  }),
};

const opensNothing = (files: JsonObject): Road => ({ files, refusing: [] });

const BESIDE: Readonly<Record<string, Draw>> = {
  'a route beside it': random =>
    opensNothing(route(random, { network: `172.${between(random, 16, 31)}.0.0/16` })),
  'a route of IPv6': random => opensNothing(route(random, { network: '2001:db9::/32' })),
  'a resource beside it': () => opensNothing(elsewhere('192.168.7.0/24')),
  'another domain': () => opensNothing(elsewhere('wiki.example.org')),
  'a name that leads elsewhere': random =>
    opensNothing({
      ...elsewhere('road.internal'),
      ...namesFor(random, { address: '192.168.7.7/32', isDomain: false, selector: '' }),
    }),
  'a name of another machine': random =>
    opensNothing(
      random.chance(0.5)
        ? elsewhere('gateway.netbird.selfhosted')
        : route(random, { domains: ['gateway.netbird.selfhosted'] }),
    ),
  'a machine that gets another name': random =>
    opensNothing({
      peers: [{ name: random.pick(['gate', 'spare-2']), lifecycle: { was: 'gateway' } }],
    }),
  'a machine that leaves a group': () =>
    opensNothing({
      groups: [
        { name: 'copies', ...emptied },
        { name: 'fresh', peers: ['gateway'] },
      ],
    }),
  'nameservers for another domain': random =>
    opensNothing(nameservers(random, { domains: ['wiki.example.org'] })),
  'a proxy that calls another address': random =>
    opensNothing(
      service({
        target: { proxy_cluster: 'eu.proxy.test' },
        host: random.pick([
          '192.168.7.7',
          'wiki.example.org',
          'wiki',
          'gateway',
          'gateway.netbird.selfhosted',
          '192.168.7.7.nip.io',
          '2002:c0a8:707::1',
        ]),
        ...DIRECT,
      }),
    ),
  'a proxy that calls a name that leads elsewhere': random =>
    opensNothing({
      ...service({
        target: { proxy_cluster: 'eu.proxy.test' },
        host: random.pick(['road.internal', 'road', 'wiki.example.org']),
        ...DIRECT,
      }),
      ...namesFor(
        random,
        { address: '192.168.7.7/32', isDomain: false, selector: '' },
        { enable_search_domain: true },
      ),
    }),
  'a form of IPv6 of another address': random =>
    opensNothing(
      route(random, { network: random.pick(['2002:c0a8:700::/40', '::192.168.7.7/128']) }),
    ),
  'a rule to others': () =>
    opensNothing(policy('road', { sources: ['laptops'], destinations: ['gateways'] })),
  'a group that grows': () => opensNothing({ groups: [{ name: 'gateways', peers: ['laptop'] }] }),
  'a new group': () => opensNothing({ groups: [{ name: 'fresh', peers: ['laptop'] }] }),
  'a port of another machine': () =>
    opensNothing({
      peers: [
        {
          name: 'gateway',
          ingress_ports: [{ name: 'road', port_ranges: [{ start: 22, end: 22, protocol: 'tcp' }] }],
        },
      ],
    }),
};

const ref = (id: string): JsonObject => ({ id, name: id });

function policyRead(
  random: RandomSource,
  id: string,
  from: string,
  to: string,
  { enabled = true, ...traffic }: JsonObject,
): Read {
  const rule: JsonObject = {
    id: `${id}-1`,
    name: 'rule',
    description: '',
    enabled: true,
    action: 'accept',
    bidirectional: random.chance(0.5),
    sources: [ref(from)],
    destinations: [ref(to)],
    ...traffic,
  };
  const read = { id, name: id, description: '', enabled, source_posture_checks: [], rules: [rule] };
  return ['policy', read];
}

function readsOf({ address }: Guarded, random: RandomSource): readonly Read[] {
  const machines = ['laptop', 'gateway', 'admin', 'vault'];
  const members: Readonly<Record<string, readonly string[]>> = {
    All: machines,
    laptops: ['laptop'],
    gateways: ['gateway'],
    admins: ['admin'],
    vaults: ['vault'],
    databases: [],
    copies: random.chance(0.5) ? ['gateway'] : [],
  };
  const postgres: JsonObject = { protocol: 'tcp', ports: ['5432'] };
  return [
    ...machines.map(
      (id, at): Read => [
        'peer',
        {
          id,
          name: id,
          ip: `100.64.0.${at + 1}`,
          dns_label: `${id}.netbird.selfhosted`,
          extra_dns_labels: id === 'vault' ? ['safe.netbird.selfhosted'] : [],
          version: '0.60.0',
          os: 'Ubuntu 24.04',
          ssh_enabled: false,
        },
      ],
    ),
    ...Object.entries(members).map(
      ([id, peers]): Read => [
        'group',
        { id, name: id, issued: 'api', peers: peers.map(ref), resources: [] },
      ],
    ),
    ['network', { id: 'n1', name: 'production', description: '' }],
    ['network', { id: 'n2', name: 'waiting', description: '' }],
    [
      'network_resource',
      {
        id: 'r1',
        name: 'orders-db',
        description: '',
        address,
        enabled: true,
        groups: [ref('databases')],
      },
      'n1',
    ],
    ...['spare.netbird.selfhosted', '100.64.0.99/32'].map(
      (waiting, at): Read => [
        'network_resource',
        {
          id: `r${at + 2}`,
          name: `waiting-${at}`,
          description: '',
          address: waiting,
          enabled: true,
          groups: [ref('copies')],
        },
        'n2',
      ],
    ),
    ...['n1', 'n2'].map(
      (network): Read => [
        'network_router',
        {
          id: `t-${network}`,
          peer: '',
          peer_groups: ['gateways'],
          metric: 100,
          masquerade: true,
          enabled: true,
        },
        network,
      ],
    ),
    policyRead(random, 'postgres', 'admins', 'databases', postgres),
    policyRead(random, 'ping', 'laptops', 'gateways', { protocol: 'icmp' }),
    policyRead(random, 'copies', 'laptops', 'copies', postgres),
    policyRead(random, 'asleep', 'laptops', 'databases', { ...postgres, enabled: false }),
    [
      'user',
      {
        id: 'u1',
        email: 'eve@example.com',
        name: 'eve',
        role: 'user',
        status: 'active',
        auto_groups: [],
        is_service_user: false,
        is_blocked: false,
      },
    ],
    ['proxy_cluster', { id: 'c1', address: 'eu.proxy.test', type: 'shared', online: true }],
    ['ingress_peer', { id: 'i1', peer_id: 'gateway', enabled: true, fallback: true }],
  ];
}
