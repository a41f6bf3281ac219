// Generated accounts: small, and as hostile as the API allows. Everything that the rules tell apart occurs, and references
// lead nowhere now and then.
import { fc } from '../support/seeded.ts';
import type {
  Account,
  Checks,
  Enrolment,
  Group,
  Network,
  Peer,
  Policy,
  Route,
  Rule,
} from './slow/account.ts';

const MACHINES = ['p0', 'p1', 'p2', 'p3', 'p4'];
const GROUPS = ['gAll', 'g0', 'g1', 'g2', 'g3'];
const RESOURCES = ['r00', 'r01', 'r10'];
const CHECKS = ['c0', 'c1', 'c2'];

const often = (weight: number) =>
  fc.oneof({ arbitrary: fc.constant(true), weight }, { arbitrary: fc.constant(false), weight: 1 });
const rarely = (weight: number) => often(weight).map(value => !value);
const some = <T>(list: readonly T[], maxLength = 3, minLength = 0) =>
  fc.uniqueArray(fc.constantFrom(...list), { minLength, maxLength, size: 'max' });
// None now and then.
const several = <T>(list: readonly T[], maxLength = 3) =>
  fc.oneof(
    { arbitrary: some(list, maxLength, 1), weight: 9 },
    { arbitrary: fc.constant<T[]>([]), weight: 1 },
  );
const refs = (list: readonly string[]) =>
  several(list).map(ids => ids.map(id => ({ id, name: id })));
const optional = <T>(value: fc.Arbitrary<T>, weight = 3) =>
  fc.oneof({ arbitrary: value, weight }, { arbitrary: fc.constant(undefined), weight: 1 });

const SYSTEMS = [
  ['Ubuntu 22.04', '5.15.0-91-generic'],
  ['Debian GNU/Linux 12', '6.1.0'],
  ['Windows 11 10.0.22631', '10.0.22631'],
  ['macOS 14.2', '23.2.0'],
  ['iOS 17.1', ''],
  ['Android 13', '5.10.0'],
] as const;

const peerOf = (id: string, index: number): fc.Arbitrary<Peer> =>
  fc
    .record({
      version: optional(fc.constantFrom('0.40.0', '0.47.9', '0.48.0', '0.59.1', '0.70.2')),
      system: optional(fc.constantFrom(...SYSTEMS)),
      place: optional(fc.constantFrom(['', ''], ['DE', 'Berlin'], ['DE', ''], ['PL', 'Gdynia'])),
      address: optional(fc.constantFrom('203.0.113.1', '203.0.113.6', '10.1.2.3', '')),
      approval_required: rarely(4),
      login_expired: rarely(5),
    })
    .map(({ version, system, place, address, ...rest }) => ({
      id,
      name: `machine-${index}`,
      ip: `100.64.0.${index + 1}`,
      ...rest,
      ...(version !== undefined && { version }),
      ...(system && { os: system[0], kernel_version: system[1] }),
      ...(place && { country_code: place[0] ?? '', city_name: place[1] ?? '' }),
      ...(address !== undefined && { connection_ip: address }),
    }));

const ports = fc.uniqueArray(fc.constantFrom('22', '80', '443', '8000'), {
  minLength: 1,
  maxLength: 3,
});
const ranges = fc.array(
  fc.constantFrom(
    { start: 8000, end: 8000 },
    { start: 8000, end: 8100 },
    { start: 20, end: 80 },
    { start: 1, end: 65535 },
  ),
  { minLength: 1, maxLength: 2 },
);

const single = fc.oneof(
  fc.constantFrom(...MACHINES).map(id => ({ id, type: 'peer' })),
  fc.constantFrom(...RESOURCES).map(id => ({ id, type: 'host' })),
);
const source = fc.oneof(
  { arbitrary: refs(GROUPS).map(sources => ({ sources })), weight: 3 },
  { arbitrary: single.map(sourceResource => ({ sourceResource })), weight: 1 },
);
const destination = fc.oneof(
  { arbitrary: refs(GROUPS).map(destinations => ({ destinations })), weight: 3 },
  { arbitrary: single.map(destinationResource => ({ destinationResource })), weight: 1 },
);
const spoken = fc.oneof(
  fc.constantFrom('all', 'icmp', 'tcp', 'udp', 'netbird-ssh').map(protocol => ({ protocol })),
  fc.record({ protocol: fc.constantFrom('tcp', 'udp', 'netbird-ssh'), ports }),
  fc.record({ protocol: fc.constantFrom('tcp', 'udp'), port_ranges: ranges }),
);

const ruleOf = (id: string): fc.Arbitrary<Rule> =>
  fc
    .record({
      enabled: often(4),
      action: often(4).map(accepts => (accepts ? 'accept' : 'drop')),
      bidirectional: fc.boolean(),
      source,
      destination,
      spoken,
    })
    .map(({ source: from, destination: to, spoken: what, ...rest }) => ({
      id,
      name: `rule ${id}`,
      ...rest,
      ...from,
      ...to,
      ...what,
    }));

const policyOf = (id: string): fc.Arbitrary<Policy> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`policy ${id}`),
    enabled: often(5),
    source_posture_checks: fc.oneof(
      { arbitrary: fc.constant([]), weight: 2 },
      { arbitrary: some([...CHECKS, 'gone'], 2), weight: 1 },
    ),
    rules: fc.oneof(
      { arbitrary: fc.tuple(ruleOf(`${id}0`)), weight: 3 },
      { arbitrary: fc.tuple(ruleOf(`${id}0`), ruleOf(`${id}1`)), weight: 1 },
    ),
  });

const action = fc.constantFrom('allow', 'deny');
const checks: fc.Arbitrary<Checks> = fc.oneof(
  fc
    .constantFrom('0.50.0', '0.60.0')
    .map(version => ({ nb_version_check: { min_version: version } })),
  fc
    .uniqueArray(
      fc.constantFrom(
        ['linux', { min_kernel_version: '5.19.0' }] as const,
        ['windows', { min_kernel_version: '10.0.22000' }] as const,
        ['darwin', { min_version: '14' }] as const,
        ['ios', { min_version: '17.2' }] as const,
        ['android', { min_version: '13' }] as const,
      ),
      { minLength: 1, maxLength: 4, selector: ([system]) => system },
    )
    .map(entries => ({ os_version_check: Object.fromEntries(entries) })),
  fc.record({
    geo_location_check: fc.record({
      action,
      locations: fc.array(
        fc.constantFrom<{ country_code: string; city_name?: string }>(
          { country_code: 'DE' },
          { country_code: 'PL', city_name: 'Gdynia' },
          { country_code: 'DE', city_name: 'Berlin' },
        ),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  }),
  fc.record({
    peer_network_range_check: fc.record({
      action,
      ranges: some(['203.0.113.0/30', '203.0.113.4/30', '10.0.0.0/8'], 2),
    }),
  }),
  fc.constant({ process_check: { processes: [{ linux_path: '/usr/bin/agent' }] } }),
);

const served = fc.oneof(
  fc.constantFrom(...MACHINES).map(peer => ({ peer })),
  several(GROUPS, 2).map(peer_groups => ({ peer_groups })),
);

const networkOf = (at: number): fc.Arbitrary<Network> =>
  fc.record({
    id: fc.constant(`n${at}`),
    name: fc.constant(`network-${at}`),
    resources: fc
      .array(
        fc.record({
          address: fc.constantFrom(
            '10.0.0.5/32',
            '10.0.0.0/24',
            'app.example.internal',
            'fd00:20::5/128',
            'fd00:20::/64',
          ),
          enabled: often(5),
          groups: refs(GROUPS),
        }),
        { maxLength: at === 0 ? 2 : 1, minLength: 1 },
      )
      .map(list =>
        list.map((one, index) => ({
          id: `r${at}${index}`,
          name: `resource-${at}${index}`,
          ...one,
        })),
      ),
    routers: fc
      .array(fc.tuple(often(4), served), { maxLength: 2, size: 'max' })
      .map(list =>
        list.map(([enabled, who], index) => ({ id: `t${at}${index}`, enabled, ...who })),
      ),
  });

const target = fc.oneof(
  fc
    .constantFrom('172.16.0.0/24', '10.0.0.0/24', 'fd00:20::/64', '::/0')
    .map(network => ({ network })),
  fc.constant({ domains: ['one.example.internal', 'two.example.internal'] }),
);

const routeOf = (at: number): fc.Arbitrary<Route> =>
  fc
    .record({
      network_id: fc.constantFrom('route-0', 'route-1'),
      enabled: often(5),
      target,
      served,
      groups: several(GROUPS),
      access_control_groups: fc.oneof(fc.constant([]), several(GROUPS, 2)),
    })
    .map(({ target: what, served: who, ...rest }) => ({ id: `w${at}`, ...rest, ...what, ...who }));

const groups = (): fc.Arbitrary<Group[]> =>
  fc.tuple(...GROUPS.slice(1).map(() => several(MACHINES, 4))).map(members => [
    { id: 'gAll', name: 'All', peers: MACHINES.map(id => ({ id })) },
    ...members.map((peers, index) => ({
      id: `g${index}`,
      name: `group-${index}`,
      peers: peers.map(id => ({ id })),
    })),
  ]);

const enrolments = (prefix: string): fc.Arbitrary<Enrolment[]> =>
  fc.array(some(GROUPS.slice(1)), { maxLength: 1 }).map(list =>
    list.map((auto_groups, index) => ({
      id: `${prefix}${index}`,
      name: `${prefix}-${index}`,
      auto_groups,
      ...(prefix === 'u' && { email: `${prefix}-${index}@example.com` }),
    })),
  );

const upTo = <T>(count: number, make: (at: number) => fc.Arbitrary<T>, least = 0) =>
  fc
    .tuple(
      fc.integer({ min: least, max: count }),
      ...Array.from({ length: count }, (_, at) => make(at)),
    )
    .map(([length, ...list]) => list.slice(0, Number(length)) as T[]);

// Omits some objects, so that references to them are dangling.
const mostOf = <T>(list: fc.Arbitrary<readonly T[]>) =>
  fc
    .tuple(list, fc.array(rarely(9), { minLength: 8, maxLength: 8 }))
    .map(([all, isGone]) => all.filter((_, at) => isGone[at] !== true));

/** One account. */
export const generatedAccount: fc.Arbitrary<Account> = fc.record({
  peers: mostOf(fc.tuple(...MACHINES.map(peerOf))),
  groups: mostOf(groups()),
  policies: upTo(5, at => policyOf(`q${at}`), 2),
  posture_checks: upTo(CHECKS.length, at =>
    checks.map(one => ({ id: `c${at}`, name: `check-${at}`, checks: one })),
  ),
  routes: upTo(2, routeOf, 1),
  networks: upTo(2, networkOf, 1),
  setup_keys: enrolments('k'),
  users: enrolments('u'),
});

/** Two accounts, or one account before and after a change: each object of the second is that of one of two generated ones. */
export const generatedPair: fc.Arbitrary<readonly [Account, Account]> = fc
  .tuple(
    generatedAccount,
    generatedAccount,
    fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
  )
  .map(([before, other, coins]) => {
    let at = 0;
    const isChanged = () =>
      coins[at++ % coins.length] === true && coins[at++ % coins.length] === true;
    const mixed = <T extends { readonly id: string }>(
      one: readonly T[],
      two: readonly T[],
    ): T[] => {
      const ids = [...new Set([...one, ...two].map(({ id }) => id))];
      return ids.flatMap(id => (isChanged() ? two : one).filter(object => object.id === id));
    };
    const after: Account = {
      peers: mixed(before.peers, other.peers),
      groups: mixed(before.groups, other.groups),
      policies: mixed(before.policies, other.policies),
      posture_checks: mixed(before.posture_checks, other.posture_checks),
      routes: mixed(before.routes, other.routes),
      networks: mixed(before.networks, other.networks),
      setup_keys: mixed(before.setup_keys ?? [], other.setup_keys ?? []),
      users: mixed(before.users ?? [], other.users ?? []),
    };
    return [before, after] as const;
  });
