// Drawn accounts with something guarded, a first plan that takes it out of its guard or leaves it there, and a second plan that opens it.
import type { JsonObject } from '../../../src/model/value.ts';
import type { Read } from '../../engine/planning.ts';
import type { RandomSource } from '../../properties/generators/randomSource.ts';

/** Two plans, one after the other. */
export interface DrawnSteps {
  readonly name: string;
  /** The entries of `guarded`. */
  readonly guarded: readonly string[];
  /** The target that the first plan takes something out of; undefined if it takes nothing out. */
  readonly shrinks?: string;
  readonly first: { readonly reads: readonly Read[]; readonly files: string };
  /** Grants access to what the first step guarded. */
  readonly second: { readonly reads: readonly Read[]; readonly files: string };
}

/** What the account has before a step. */
interface Account {
  /** Machines by the groups that they are in. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** The names of groups, by their ids; by default the id. */
  readonly names?: Readonly<Record<string, string>>;
  readonly machines?: Readonly<Record<string, string>>;
  readonly networks: readonly { readonly id: string; readonly name: string }[];
  readonly resources: readonly Resource[];
  /** The groups that machines of a person join. */
  readonly joins: readonly string[];
  /** Where the name `db.internal` leads. */
  readonly record: DnsRecord;
  /** By machine, an overlay address other than its usual one. */
  readonly ips?: Readonly<Record<string, string>>;
}

interface DnsRecord {
  readonly type: string;
  readonly content: string;
}

interface Resource {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly groups: readonly string[];
  readonly network: string;
}

interface Steps {
  readonly guarded: string;
  readonly also?: readonly string[];
  readonly isKept?: true;
  readonly files: JsonObject;
  readonly after: Account;
  readonly second: JsonObject;
}

type Draw = (random: RandomSource, account: Account) => Steps;

/** Drawn steps; each kind of first step in turn. */
export function drawnSteps(random: RandomSource, number: number): DrawnSteps {
  const names = Object.keys(STEPS);
  const name = names[number % names.length] ?? '';
  const account = drawnAccount(random);
  const steps = STEPS[name]?.(random, account);
  if (steps === undefined) throw new Error('steps that are not drawn');
  const { guarded, also = [], after, files, second, isKept } = steps;
  const all = [guarded, ...also];
  return {
    name,
    guarded: all,
    ...(isKept ? {} : { shrinks: guarded }),
    first: { reads: readsOf(account), files: JSON.stringify(files) },
    second: { reads: readsOf(after), files: JSON.stringify(second) },
  };
}

const octet = (random: RandomSource): number => 1 + random.below(250);

function drawnAccount(random: RandomSource): Account {
  const vaults = Array.from({ length: 1 + random.below(4) }, (_, at) => `vault-${at + 1}`);
  const ip = `10.${octet(random)}.${octet(random)}`;
  const address = random.pick([
    `${ip}.${octet(random)}/32`,
    `${ip}.0/24`,
    `db-${octet(random)}.example.com`,
    `2001:db8:${octet(random)}::5/128`,
    `2001:db8:${octet(random)}::/64`,
  ]);
  const joins = random.chance(0.5) ? ['databases'] : [];
  return {
    groups: {
      laptops: ['laptop'],
      gateways: ['gateway'],
      vaults,
      databases: random.chance(0.3) ? ['vault-1'] : [],
      spare: [],
    },
    networks: [
      { id: 'n1', name: 'production' },
      { id: 'n2', name: 'elsewhere' },
    ],
    resources: [{ id: 'r1', name: 'orders-db', address, groups: ['databases'], network: 'n1' }],
    joins,
    record: recordTo(address),
  };
}

/** What a record of each type leads to instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  A: '192.168.7.7',
  AAAA: '2001:db9::7',
  CNAME: 'elsewhere.example.org',
};

/** The record by which a name leads to an address, to the first one of a range, or to another name. */
function recordTo(address: string): DnsRecord {
  const [content = '', length] = address.split('/');
  const type = content.includes(':') ? 'AAAA' : 'A';
  return { type: length === undefined ? 'CNAME' : type, content };
}

const RESOURCE = 'network_resource/production/orders-db';

const rule = (to: JsonObject): JsonObject => ({
  policies: [
    {
      name: 'road',
      rules: [{ name: 'rule', protocol: 'tcp', ports: ['5432'], sources: ['laptops'], ...to }],
    },
  ],
});

const toGroup = (name: string): JsonObject => rule({ destinations: [name] });

const toResource = (key: string): JsonObject =>
  rule({ destinationResource: { network_resource: key } });

const named = (account: Account, id: string, name: string): Account => ({
  ...account,
  names: { ...account.names, [id]: name },
});

const withResource = (account: Account, change: Partial<Resource>): Account => ({
  ...account,
  resources: account.resources.map(one => ({ ...one, ...change })),
});

const inNetwork = (name: string, resource: JsonObject): JsonObject => ({
  networks: [{ name, resources: [resource] }],
});

/** A resource at the guarded address in a group that laptops reach. */
const copyAt = (address: string): JsonObject => ({
  ...inNetwork('elsewhere', { name: 'copy', address, groups: ['spare'] }),
  ...toGroup('spare'),
});

const ofDatabases = (random: RandomSource): string =>
  random.pick(['group/databases', 'group/databases:tcp/5432', 'group/databases:tcp/1-6000']);

const ofResource = (random: RandomSource): string =>
  random.pick([RESOURCE, `${RESOURCE}:tcp/5432`, 'network/production', 'group/databases']);

const addressOf = ({ resources }: Account): string => resources[0]?.address ?? '';

/** Some of the machines of a group, at least one. */
function someOf(random: RandomSource, machines: readonly string[]): readonly string[] {
  const some = machines.filter(() => random.chance(0.5));
  return some.length === 0 ? machines.slice(0, 1) : some;
}

const exact = (name: string, peers: readonly string[]): JsonObject => ({
  name,
  peers: [...peers],
  lifecycle: { exact: ['peers'] },
});

const STEPS: Readonly<Record<string, Draw>> = {
  'a group gets another name': (random, account) => ({
    guarded: ofDatabases(random),
    files: { groups: [{ name: 'safe', lifecycle: { was: 'databases' } }] },
    after: named(account, 'databases', 'safe'),
    second: toGroup('safe'),
  }),
  'a group gets another name, and a new group its name': (random, account) => ({
    guarded: ofDatabases(random),
    files: {
      groups: [{ name: 'safe', lifecycle: { id: 'databases' } }, { name: 'databases' }],
    },
    after: {
      ...named(named(account, 'databases', 'safe'), 'new', 'databases'),
      groups: { ...account.groups, new: [] },
    },
    second: toGroup('safe'),
  }),
  'two groups exchange their names': (random, account) => ({
    guarded: ofDatabases(random),
    files: {
      groups: [
        { name: 'spare', lifecycle: { id: 'databases' } },
        { name: 'databases', lifecycle: { id: 'spare' } },
      ],
    },
    after: named(named(account, 'databases', 'spare'), 'spare', 'databases'),
    second: toGroup('spare'),
  }),
  'machines move to another group': (random, account) => {
    const { vaults = [] } = account.groups;
    const moved = someOf(random, vaults);
    const left = vaults.filter(one => !moved.includes(one));
    return {
      guarded: random.pick(['group/vaults', 'group/vaults:tcp/5432']),
      files: { groups: [exact('vaults', left), exact('spare', moved)] },
      after: { ...account, groups: { ...account.groups, vaults: left, spare: moved } },
      second: toGroup('spare'),
    };
  },
  'machines move to a group that is guarded for another port': (_, account) => {
    const { vaults = [] } = account.groups;
    return {
      guarded: 'group/vaults',
      also: ['group/spare:udp/53'],
      files: { groups: [exact('vaults', []), exact('spare', vaults)] },
      after: { ...account, groups: { ...account.groups, vaults: [], spare: vaults } },
      second: toGroup('spare'),
    };
  },
  'a machine gets another name': (random, account) => ({
    guarded: random.pick(['peer/vault-1', 'peer/vault-1:tcp/5432']),
    files: { peers: [{ name: 'safe', lifecycle: { was: 'vault-1' } }] },
    after: { ...account, machines: { 'vault-1': 'safe' } },
    second: toGroup('vaults'),
  }),
  'a resource gets another address': (random, account) => ({
    guarded: ofResource(random),
    files: inNetwork('production', {
      name: 'orders-db',
      address: `192.168.7.${octet(random)}`,
      groups: ['databases'],
    }),
    after: withResource(account, { address: '192.168.7.1/32' }),
    second: copyAt(addressOf(account)),
  }),
  'a resource leaves its group': (random, account) => ({
    guarded: ofDatabases(random),
    files: inNetwork('production', {
      name: 'orders-db',
      address: addressOf(account),
      groups: ['spare'],
    }),
    after: withResource(account, { groups: ['spare'] }),
    second: toGroup('spare'),
  }),
  'a resource gets another name': (random, account) => ({
    guarded: random.pick([RESOURCE, `${RESOURCE}:tcp/5432`]),
    files: inNetwork('production', {
      name: 'ledger',
      address: addressOf(account),
      groups: ['databases'],
      lifecycle: { was: 'orders-db' },
    }),
    after: withResource(account, { name: 'ledger' }),
    second: toResource('production/ledger'),
  }),
  'a resource is deleted': (random, account) => ({
    guarded: ofResource(random),
    files: inNetwork('production', {
      name: 'orders-db',
      address: addressOf(account),
      groups: ['databases'],
      lifecycle: { delete: true },
    }),
    after: { ...account, resources: [] },
    second: copyAt(addressOf(account)),
  }),
  'a network gets another name': (random, account) => ({
    guarded: random.pick([RESOURCE, 'network/production', 'network/production:tcp/5432']),
    files: { networks: [{ name: 'live', lifecycle: { was: 'production' } }] },
    after: {
      ...account,
      networks: account.networks.map(one => (one.id === 'n1' ? { ...one, name: 'live' } : one)),
    },
    second: toResource('live/orders-db'),
  }),
  'the machines of a person no longer join the group': (random, account) => ({
    guarded: ofDatabases(random),
    files: { users: [person(['spare'])] },
    after: { ...account, joins: ['spare'] },
    second: toGroup('spare'),
    ...(account.joins.length === 0 && { isKept: true as const, second: toGroup('databases') }),
  }),
  'a name leads to another address': (_, account) => {
    const { type } = account.record;
    // A record of the same name and type is the same one.
    const record = { type, content: ELSEWHERE[type] ?? '' };
    return {
      guarded: 'db.internal',
      files: {
        dns: {
          zones: [
            {
              domain: 'internal',
              name: 'names',
              distribution_groups: ['laptops'],
              records: [{ name: 'db.internal', ...record }],
            },
          ],
        },
      },
      after: { ...account, record },
      second: copyAt(addressOf(account)),
    };
  },
  'a machine gets another overlay address': (_, account) => ({
    guarded: ipOf(account, 'vault-1'),
    files: { peers: [{ name: 'vault-1', ip: '100.64.0.200' }] },
    after: { ...account, ips: { 'vault-1': '100.64.0.200' } },
    second: toGroup('vaults'),
  }),
  'the guard follows a new name': (random, account) => {
    const ports = random.pick(['', ':tcp/5432']);
    return {
      isKept: true,
      // The files have the new name while the first plan is made.
      guarded: `group/safe${ports}`,
      files: { groups: [{ name: 'safe', lifecycle: { was: 'databases' } }] },
      after: named(account, 'databases', 'safe'),
      second: toGroup('safe'),
    };
  },
  'machines move to a group that is guarded as well': (random, account) => {
    const { vaults = [] } = account.groups;
    const isOnePort = random.chance(0.5);
    return {
      isKept: true,
      guarded: isOnePort ? 'group/vaults:tcp/5432' : 'group/vaults',
      also: [
        random.pick(['group/spare', 'all', isOnePort ? 'group/spare:tcp/1-6000' : 'group/spare']),
      ],
      files: { groups: [exact('vaults', []), exact('spare', vaults)] },
      after: { ...account, groups: { ...account.groups, vaults: [], spare: vaults } },
      second: toGroup('spare'),
    };
  },
  'a resource gets another address, and its range is guarded': (random, account) => ({
    isKept: true,
    guarded: ofResource(random),
    also: [addressOf(account)],
    files: inNetwork('production', {
      name: 'orders-db',
      address: '192.168.7.1',
      groups: ['databases'],
    }),
    after: withResource(account, { address: '192.168.7.1/32' }),
    second: copyAt(addressOf(account)),
  }),
  'a machine joins the group': (_, account) => ({
    isKept: true,
    guarded: 'group/vaults',
    files: { groups: [{ name: 'vaults', peers: [...(account.groups.vaults ?? []), 'gateway'] }] },
    after: {
      ...account,
      groups: { ...account.groups, vaults: [...(account.groups.vaults ?? []), 'gateway'] },
    },
    second: toGroup('vaults'),
  }),
  'another group gets another name': (random, account) => ({
    isKept: true,
    guarded: ofResource(random),
    files: { groups: [{ name: 'others', lifecycle: { was: 'spare' } }] },
    after: named(account, 'spare', 'others'),
    second: toGroup('databases'),
  }),
};

const person = (groups: readonly string[]): JsonObject => ({
  email: 'eve@example.com',
  name: 'eve',
  role: 'user',
  auto_groups: [...groups],
});

const ref = (id: string): JsonObject => ({ id, name: id });

const machinesOf = ({ groups }: Account): readonly string[] => [
  ...new Set(Object.values(groups).flat()),
];

const ipOf = (account: Account, machine: string): string =>
  account.ips?.[machine] ?? `100.64.0.${machinesOf(account).indexOf(machine) + 1}`;

function readsOf(account: Account): readonly Read[] {
  const { groups, names = {}, machines = {}, networks, resources, joins, record } = account;
  const all = machinesOf(account);
  const groupRead = (id: string, peers: readonly string[]): Read => [
    'group',
    { id, name: names[id] ?? id, issued: 'api', peers: peers.map(ref), resources: [] },
  ];
  return [
    ...all.map(
      (id): Read => [
        'peer',
        {
          id,
          name: machines[id] ?? id,
          ip: ipOf(account, id),
          version: '0.60.0',
          os: 'Ubuntu 24.04',
          ssh_enabled: false,
        },
      ],
    ),
    groupRead('All', all),
    ...Object.entries(groups).map(([id, peers]) => groupRead(id, peers)),
    ...networks.map(({ id, name }): Read => ['network', { id, name, description: '' }]),
    ...resources.map(
      ({ id, name, address, groups: own, network }): Read => [
        'network_resource',
        { id, name, description: '', address, enabled: true, groups: own.map(ref) },
        network,
      ],
    ),
    ...networks.map(
      ({ id }): Read => [
        'network_router',
        {
          id: `router-${id}`,
          peer: '',
          peer_groups: ['gateways'],
          metric: 100,
          masquerade: true,
          enabled: true,
        },
        id,
      ],
    ),
    [
      'policy',
      {
        id: 'ping',
        name: 'ping',
        description: '',
        enabled: true,
        source_posture_checks: [],
        rules: [
          {
            id: 'ping-1',
            name: 'rule',
            description: '',
            enabled: true,
            action: 'accept',
            bidirectional: false,
            protocol: 'icmp',
            sources: [ref('laptops')],
            destinations: [ref('gateways')],
          },
        ],
      },
    ],
    [
      'dns_zone',
      {
        id: 'z1',
        name: 'names',
        domain: 'internal',
        enabled: true,
        enable_search_domain: false,
        distribution_groups: ['laptops'],
      },
    ],
    ['dns_record', { id: 'd1', name: 'db.internal', ttl: 300, ...record }, 'z1'],
    [
      'user',
      {
        id: 'u1',
        email: 'eve@example.com',
        name: 'eve',
        role: 'user',
        status: 'active',
        auto_groups: [...joins],
        is_service_user: false,
        is_blocked: false,
      },
    ],
  ];
}
