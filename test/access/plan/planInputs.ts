// Generated accounts as a plan's two sides: what an account reads like, and files that declare another one.
import type { Json, JsonObject } from '../../../src/model/value.ts';
import type { Read } from '../../engine/planning.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';
import { narrowedPair, posturePair } from '../generatedPosture.ts';
import type {
  Account,
  Network,
  Policy,
  Route,
  Rule,
  Served,
  Service,
  Single,
  Zone,
} from '../slow/account.ts';

/** The domain above those of generated accounts. */
const DOMAIN = 'example.internal';

/** What a service may lead to, by the name of the service: one leads to the same in both accounts, or to something else. */
const drawnServices = fc.oneof(
  { arbitrary: fc.constant<readonly Service[]>([]), weight: 1 },
  {
    arbitrary: fc.uniqueArray(serviceTo(), {
      minLength: 1,
      maxLength: 2,
      selector: ({ id }) => id,
    }),
    weight: 1,
  },
);

function serviceTo(): fc.Arbitrary<Service> {
  return fc
    .record({
      id: fc.constantFrom('s0', 's1'),
      enabled: fc.constantFrom(true, true, true, false),
      target: fc.constantFrom('p0', 'p1', 'p2', 'r00', 'r01', 'r10'),
      host: fc.constantFrom('100.64.0.1', '100.64.0.2', '10.0.0.5', '10.0.0.9'),
      port: fc.constantFrom(22, 443, 9000),
    })
    .map(({ id, enabled, target, host, port }) => ({
      id,
      name: id,
      domain: `${id}.${CLUSTER}`,
      enabled,
      targets: [
        { target_id: target, target_type: '', host, protocol: 'http', port, enabled: true },
      ],
    }));
}

const CLUSTER = 'eu.proxy.test';

/** What the domains of generated accounts may lead to; no place is that of two of them. */
const drawnZone: fc.Arbitrary<Zone> = fc
  .record({
    enabled: fc.constantFrom(true, true, true, false),
    records: fc.subarray(
      [
        ['app', 'A', '10.0.0.5'],
        ['app', 'A', '192.0.2.1'],
        ['one', 'A', '192.0.2.2'],
        ['one', 'AAAA', 'fd00:20::2'],
        ['two', 'CNAME', `three.${DOMAIN}`],
        ['three', 'A', '192.0.2.3'],
      ] as const,
      { maxLength: 3 },
    ),
  })
  .map(({ enabled, records }) => ({
    id: 'z0',
    name: 'zone',
    domain: DOMAIN,
    enabled,
    distribution_groups: ['gAll'],
    records: records.map(recordOf),
  }));

type DrawnRecord = readonly [label: string, type: string, content: string];

const recordOf = ([label, type, content]: DrawnRecord) => ({
  id: `${label.replace('*', 'any')}-${type}-${content.replaceAll(/\W/g, '-')}`,
  name: `${label}.${DOMAIN}`,
  type,
  content,
});

/** A zone within the others. Of the groups that get two of them, one gets no less than the other. */
const innerZone = (id: string, label: string, records: DrawnRecord[]): fc.Arbitrary<Zone> =>
  fc
    .record({
      enabled: fc.constantFrom(true, true, true, false),
      distribution_groups: fc.constantFrom(['g0'], ['g0', 'g1'], ['gAll']),
      records: fc.subarray(records, { minLength: 1 }),
    })
    .map(({ records: drawn, ...zone }) => ({
      id,
      name: label,
      domain: `${label}.${DOMAIN}`,
      ...zone,
      records: drawn.map(recordOf),
    }));

const innerZones = fc
  .tuple(
    innerZone('z1', 'app', [
      ['*.app', 'A', '192.0.2.9'],
      ['db.app', 'A', '192.0.2.10'],
      ['db.app', 'AAAA', 'fd00:20::9'],
    ]),
    innerZone('z2', 'db.app', [
      ['db.app', 'A', '192.0.2.11'],
      ['*.db.app', 'A', '192.0.2.12'],
      ['db.app', 'AAAA', 'fd00:20::12'],
    ]),
  )
  .chain(zones => fc.subarray([...zones], { minLength: 1 }));

const drawnZones = fc
  .tuple(
    fc.oneof(
      { arbitrary: fc.constant<readonly Zone[]>([]), weight: 1 },
      { arbitrary: drawnZone.map(zone => [zone]), weight: 1 },
    ),
    fc.oneof(
      { arbitrary: fc.constant<readonly Zone[]>([]), weight: 1 },
      { arbitrary: innerZones, weight: 2 },
    ),
  )
  .map(zones => zones.flat());

/** Names that zones within each other answer: whole ones, and short ones that a record makes whole. */
const NAMES = [`app.${DOMAIN}`, `db.app.${DOMAIN}`, 'app', 'db'];

/** Ranges of network resources: one of a network, and one with the addresses of the machines. */
const RANGES = ['10.0.0.0/24', '10.0.0.0/24', '100.64.0.0/24'];

/** The user who enrolled some machines, by the address. */
const OWNER = 'owner@example.com';

/** Some machines of a user, and whether the user is blocked before and after; most accounts have no user. */
const drawnOwners = fc.oneof(
  { arbitrary: fc.constant({ owned: [], blocked: [] }), weight: 2 },
  {
    arbitrary: fc.record({
      owned: fc.subarray(['p0', 'p1', 'p2'], { minLength: 1, maxLength: 2 }),
      blocked: fc.constantFrom([false, true], [true, false], [true, true], [false, false]),
    }),
    weight: 1,
  },
);

interface Owned {
  readonly owned: readonly string[];
  readonly blocked: readonly boolean[];
}

/** The account with the machines of a user. */
function withOwner(account: Account, { owned, blocked }: Owned, at: 0 | 1): Account {
  if (owned.length === 0) return account;
  return {
    ...account,
    peers: account.peers.map(peer =>
      owned.includes(peer.id) ? { ...peer, user_id: OWNER } : peer,
    ),
    users: [{ id: OWNER, email: OWNER, auto_groups: [], is_blocked: blocked[at] === true }],
  };
}

/** Two accounts of the same machines in which every pointer leads somewhere: what files can declare. */
export const plannable = plannableOf(generatedPair);

/** The same, and pairs of accounts in which posture decides. */
export const plannableOfAll = fc.oneof(
  { arbitrary: plannable, weight: 3 },
  ...(['between', 'awaiting', 'routed'] as const).map(emphasis => ({
    arbitrary: plannableOf(posturePair(emphasis)),
    weight: 1,
  })),
);

/** Pairs of accounts with losses that may give access to whoever passes other checks. */
export const plannableNarrowed = plannableOf(narrowedPair);

function plannableOf(
  pair: fc.Arbitrary<readonly [Account, Account]>,
): fc.Arbitrary<readonly [Account, Account]> {
  const drawnMore = fc.record({ services: drawnServices, zones: drawnZones });
  const named = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...RANGES));
  const drawnAll = fc.tuple(pair, drawnMore, drawnMore, named, drawnOwners);
  return drawnAll.map(drawn => {
    const [[before, after], was, is, [name, range], owners] = drawn;
    const withMore = (account: Account, { services, zones }: typeof was): Account => ({
      ...account,
      networks: account.networks.map(network => withAddresses(network, name, range)),
      services: services.flatMap(one => wholeService(one, account)),
      zones: zones.map(zone => wholeZone(zone, account)),
    });
    return [
      withOwner(withMore(whole(before, before), was), owners, 0),
      withOwner(withMore(whole(after, before), is), owners, 1),
    ] as const;
  });
}

/** Domains of a network that are answered by zones within each other, short names, and a range of machines. */
const withAddresses = (network: Network, name: string, range: string): Network => ({
  ...network,
  resources: network.resources.map(one => ({
    ...one,
    address: one.address.replace(`app.${DOMAIN}`, name).replace('10.0.0.0/24', range),
  })),
});

function wholeZone(zone: Zone, { groups }: Account): Zone {
  const isWhole = zone.distribution_groups.every(id => groups.some(group => group.id === id));
  return isWhole ? zone : { ...zone, distribution_groups: ['gAll'] };
}

// The server takes a target for what the account has it as, and asks for an address beside a range only.
function wholeService(service: Service, { peers, networks }: Account): Service[] {
  const [target] = service.targets;
  const resource = networks
    .flatMap(({ resources }) => resources)
    .find(({ id }) => id === target?.target_id);
  const isPeer = peers.some(({ id }) => id === target?.target_id);
  const type = isPeer ? 'peer' : resource && resourceType(resource.address);
  if (target === undefined || type === undefined) return [];
  const { host, ...rest } = target;
  const called = type === 'subnet' && host !== undefined ? { host } : {};
  return [{ ...service, targets: [{ ...rest, ...called, target_type: type }] }];
}

function resourceType(address: string): string {
  if (!address.includes('/')) return 'domain';
  return /\/(32|128)$/.test(address) ? 'host' : 'subnet';
}

function whole(account: Account, { peers }: Account): Account {
  const there = (list: readonly { readonly id: string }[]) => new Set(list.map(({ id }) => id));
  const named = account.groups.filter(({ name }) => name !== 'All');
  const all = { id: 'gAll', name: 'All', peers: peers.map(({ id }) => ({ id })) };
  const machines = there(peers);
  const groups = there([all, ...named]);
  const judging = account.posture_checks.filter(
    ({ checks: { peer_network_range_check: range } }) => range?.ranges.length !== 0,
  );
  const checks = there(judging);
  const networks = account.networks.map(network => wholeNetwork(network, machines, groups));
  const resources = there(networks.flatMap(one => one.resources));
  const has = (single: Single | undefined) =>
    single !== undefined && (single.type === 'peer' ? machines : resources).has(single.id);
  const rulesOf = (rules: readonly Rule[]) =>
    rules.flatMap((rule): Rule[] => {
      const { sources, destinations, sourceResource, destinationResource, ...rest } = rule;
      const from = (sources ?? []).filter(({ id }) => groups.has(id));
      const to = (destinations ?? []).filter(({ id }) => groups.has(id));
      const isFrom = has(sourceResource) && sourceResource?.type === 'peer';
      const isTo = has(destinationResource);
      if ((from.length === 0 && !isFrom) || (to.length === 0 && !isTo)) return [];
      if (rest.protocol === 'netbird-ssh') return [];
      return [
        {
          ...rest,
          ...(isFrom && sourceResource ? { sourceResource } : { sources: from }),
          ...(isTo && destinationResource ? { destinationResource } : { destinations: to }),
        },
      ];
    });
  return {
    peers,
    groups: [
      all,
      ...named.map(group => ({
        ...group,
        peers: (group.peers ?? []).filter(({ id }) => machines.has(id)),
      })),
    ],
    policies: account.policies.flatMap((policy): Policy[] => {
      const rules = rulesOf(policy.rules);
      if (rules.length === 0) return [];
      return [
        {
          ...policy,
          rules,
          source_posture_checks: policy.source_posture_checks.filter(id => checks.has(id)),
        },
      ];
    }),
    posture_checks: judging,
    routes: distinct(
      account.routes.flatMap(route => {
        const { peer, peer_groups = [], groups: receivers, access_control_groups = [] } = route;
        const [serving, receiving, controlling] = [
          peer_groups,
          receivers,
          access_control_groups,
        ].map(list => list.filter(id => groups.has(id)));
        const isServed = peer === undefined ? (serving?.length ?? 0) > 0 : machines.has(peer);
        if (!isServed || !receiving || receiving.length === 0) return [];
        const made = {
          ...route,
          ...(peer === undefined && { peer_groups: serving ?? [] }),
          groups: receiving,
          access_control_groups: controlling ?? [],
        };
        return [{ ...made, id: routeName(made, id => id) }];
      }),
    ),
    networks,
  };
}

function distinct<T extends { readonly id: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map(one => [one.id, one])).values()];
}

function wholeNetwork(
  network: Network,
  machines: ReadonlySet<string>,
  groups: ReadonlySet<string>,
): Network {
  const isOne = (at: number, list: readonly { readonly address: string }[]) =>
    list.findIndex(({ address }) => address === list[at]?.address) === at;
  const resources = network.resources.map(resource => ({
    ...resource,
    groups: resource.groups.filter(({ id }) => groups.has(id)),
  }));
  // Routers have no names: what serves as one tells it apart.
  const served = new Set<string>();
  const routers = network.routers.flatMap(router => {
    const { peer, peer_groups = [] } = router;
    const serving = peer_groups.filter(id => groups.has(id));
    const isServed = peer === undefined ? serving.length > 0 : machines.has(peer);
    const name = [peer, ...serving].join();
    if (!isServed || served.has(name)) return [];
    served.add(name);
    const made = { ...router, ...(peer === undefined && { peer_groups: serving }) };
    return [{ ...made, id: `${network.id} ${serverName(made, id => id)}` }];
  });
  return {
    ...network,
    resources: resources.filter((_, at) => isOne(at, resources)),
    routers: routers.slice(0, 1),
  };
}

/** What tells a router apart in its network: who serves as it. */
export function serverName(
  { peer, peer_groups = [] }: Served,
  name: (id: string) => string,
): string {
  return peer === undefined ? peer_groups.map(name).sort().join() : name(peer);
}

/** What tells a route apart. */
export function routeName(route: Route, name: (id: string) => string): string {
  const { network_id, network, domains = [] } = route;
  return [network_id, network ?? domains.join(), serverName(route, name)].join(' ');
}

/** The account as the API answers it. */
export function readsOf(account: Account): Read[] {
  const body = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject & { id: string };
  return [
    ...account.peers.map((one): Read => ['peer', body(one)]),
    ...(account.users ?? []).map(
      (one): Read => ['user', { role: 'user', name: one.id, is_service_user: false, ...body(one) }],
    ),
    ...account.groups.map((one): Read => ['group', { issued: 'api', ...body(one) }]),
    ...account.policies.map(
      (one): Read => [
        'policy',
        { description: '', ...body({ ...one, rules: one.rules.map(asRead) }) },
      ],
    ),
    ...account.posture_checks.map(
      (one): Read => ['posture_check', { description: '', ...body(one) }],
    ),
    ...account.networks.flatMap(({ resources, routers, ...network }) => [
      ['network', { description: '', ...body(network) }] satisfies Read,
      ...resources.map(
        (one): Read => ['network_resource', { description: '', ...body(one) }, network.id],
      ),
      ...routers.map(
        (one): Read => [
          'network_router',
          { ...body(one), metric: 9999, masquerade: true },
          network.id,
        ],
      ),
    ]),
    ...account.routes.map(
      (one): Read => [
        'route',
        { ...body(one), description: '', metric: 9999, masquerade: true, keep_route: true },
      ],
    ),
    ...(account.services ?? []).map(
      (one): Read => ['proxy_service', { mode: 'http', auth: {}, ...body(one) }],
    ),
    ...(account.zones ?? []).flatMap(({ records, ...zone }): Read[] => [
      ['dns_zone', { enable_search_domain: false, records: [], ...body(zone) }],
      ...records.map((one): Read => ['dns_record', { ttl: 300, ...body(one) }, zone.id]),
    ]),
    ['proxy_cluster', { id: CLUSTER, address: CLUSTER }],
  ];
}

const asRead = (rule: Rule): JsonObject => JSON.parse(JSON.stringify({ description: '', ...rule }));

/** Files that declare the account, all of it but its machines. */
export function fileOf(account: Account): string {
  const { peers, groups, posture_checks, networks } = account;
  const named = [...peers, ...groups, ...posture_checks].map(({ id, name }) => [id, name] as const);
  const names = new Map(named);
  const name = (id: string) => names.get(id) ?? id;
  const resources = new Map(
    networks.flatMap(network =>
      network.resources.map(one => [one.id, `${network.name}/${one.name}`] as const),
    ),
  );
  const single = (one: Single | undefined): Json | undefined =>
    one &&
    (one.type === 'peer'
      ? { peer: name(one.id) }
      : { network_resource: resources.get(one.id) ?? '' });
  const list = (all: readonly { readonly id: string }[] | null | undefined) =>
    all?.map(({ id }) => name(id));
  const server = (one: { readonly peer?: string; readonly peer_groups?: readonly string[] }) => ({
    ...(one.peer !== undefined && { peer: name(one.peer) }),
    ...(one.peer === undefined && { peer_groups: (one.peer_groups ?? []).map(name) }),
    metric: 9999,
    masquerade: true,
  });
  return JSON.stringify({
    reverse_proxy: {
      services: (account.services ?? []).map(({ id: _, targets, ...service }) => ({
        ...service,
        targets: targets.map(({ target_id: id, target_type: type, ...target }) => ({
          ...target,
          target: single({ id, type }),
        })),
      })),
    },
    dns: {
      zones: (account.zones ?? []).map(({ id: _, records, ...zone }) => ({
        ...zone,
        distribution_groups: zone.distribution_groups.map(name),
        records: records.map(({ id: __, ...record }) => record),
      })),
    },
    users: (account.users ?? []).map(({ id, ...user }) => ({ ...user, name: id, role: 'user' })),
    groups: groups
      .filter(group => group.name !== 'All')
      .map(group => ({
        name: group.name,
        peers: list(group.peers) ?? [],
        lifecycle: { exact: ['peers'] },
      })),
    posture_checks: posture_checks.map(one => ({ name: one.name, checks: one.checks })),
    policies: account.policies.map(policy => ({
      name: policy.name,
      enabled: policy.enabled,
      source_posture_checks: policy.source_posture_checks.map(name),
      rules: policy.rules.map(({ id: _, ...rule }) => ({
        ...rule,
        sources: list(rule.sources),
        destinations: list(rule.destinations),
        sourceResource: single(rule.sourceResource),
        destinationResource: single(rule.destinationResource),
      })),
    })),
    networks: networks.map(network => ({
      name: network.name,
      resources: network.resources.map(({ id: _, ...one }) => ({
        ...one,
        groups: list(one.groups),
      })),
      routers: network.routers.map(one => ({ enabled: one.enabled, ...server(one) })),
    })),
    routes: account.routes.map(route => ({
      network_id: route.network_id,
      enabled: route.enabled,
      keep_route: true,
      ...(route.network === undefined ? { domains: route.domains } : { network: route.network }),
      groups: route.groups.map(name),
      access_control_groups: (route.access_control_groups ?? []).map(name),
      ...server(route),
    })),
  });
}
