// Drawn accounts with services of the reverse proxy, as the API answers them: every lock, limit and kind of target, and what takes
// part in nothing, such as objects that are gone, disabled or waiting.
import { fc } from '../seeded.ts';
import type { RawPeer, RawResource, RawRouter, RawService, RawTarget } from './evaluateServices.ts';

/** What the API answers beyond what the evaluator looks at. */
interface Called {
  readonly id: string;
  readonly name: string;
}

interface DrawnPolicy extends Called {
  readonly enabled: boolean;
  readonly rules: readonly object[];
}

export interface DrawnAccount {
  accounts: { settings: { peer_login_expiration_enabled: boolean } }[];
  groups: (Called & { peers: Called[] })[];
  peers: (RawPeer & Called)[];
  users: (Called & {
    email: string;
    auto_groups: string[];
    is_blocked: boolean;
    is_service_user: boolean;
  })[];
  networks: (Called & {
    resources: (RawResource & Called & { address: string; groups: Called[] })[];
    routers: (RawRouter & { id: string })[];
  })[];
  policies: DrawnPolicy[];
  /** The status of the list of services, and the list. */
  services: { status: number; body: RawService[] };
}

const PEERS = ['p0', 'p1', 'p2', 'p3'];
const ROUTING = ['g0', 'g1'];
const GROUPS = [...ROUTING, 'g2', 'g3'];
const PEOPLE = ['u0', 'u1'];
/** The last one may be a service user, who enrols no machine. */
const USERS = [...PEOPLE, 'u2'];
/** Nothing has this id. */
const GONE = 'gone';

const RESOURCES = {
  host: ['10.20.0.5/32', '10.20.0.6/32'],
  subnet: ['10.30.0.0/16', '10.40.0.0/16'],
  domain: ['wiki.example.com', '*.apps.example.com'],
};
type ResourceType = keyof typeof RESOURCES;

const often = (weight: number) =>
  fc.oneof({ arbitrary: fc.constant(true), weight }, { arbitrary: fc.constant(false), weight: 1 });
const rarely = (weight: number) => often(weight).map(value => !value);
const some = <T>(list: readonly T[], maxLength = 3, minLength = 0) =>
  fc.uniqueArray(fc.constantFrom(...list), { minLength, maxLength });
const called = (id: string): Called => ({ id, name: `${id}-name` });
const groupIds = fc.oneof(
  { arbitrary: some(GROUPS, 2, 1), weight: 8 },
  { arbitrary: some([...GROUPS, 'gAll', GONE], 2, 1), weight: 3 },
);

/** The overlay range of the account is private, unless somebody chose another one. */
const FIRST = ['100.64.0', '100.64.0', '100.64.0', '10.7.0', '172.20.0', '192.168.9', '198.18.0'];

const peerOf = (id: string, at: number, first: string): fc.Arbitrary<RawPeer & Called> =>
  fc.record({
    ...fixed(called(id)),
    ip: fc.constant(`${first}.${at + 1}`),
    ipv6: fc.constantFrom('', '', '', `fd00:1::${at + 1}`, `2001:db8::${at + 1}`),
    user_id: fc.constantFrom('', ...PEOPLE),
    approval_required: rarely(5),
    login_expiration_enabled: fc.boolean(),
    login_expired: rarely(12),
  });

function fixed<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  const entries = Object.entries(values).map(([name, value]) => [name, fc.constant(value)]);
  return Object.fromEntries(entries);
}

const users = fc.tuple(
  ...USERS.map(id =>
    fc.record({
      ...fixed({ ...called(id), email: `${id}@example.com` }),
      auto_groups: some([...GROUPS, GONE], 2),
      is_blocked: rarely(6),
      is_service_user: PEOPLE.includes(id) ? fc.constant(false) : fc.boolean(),
    }),
  ),
);

const groups = fc
  // For the model a group without machines has members to come, which would route.
  .tuple(...GROUPS.map(id => some(PEERS, 3, ROUTING.includes(id) ? 1 : 0)))
  .map(members => [
    { ...called('gAll'), name: 'All', peers: PEERS.map(called) },
    ...members.map((peers, at) => ({ ...called(`g${at}`), peers: peers.map(called) })),
  ]);

const router: fc.Arbitrary<RawRouter & { id: string }> = fc.oneof(
  fc.record({
    id: fc.constant('t0'),
    enabled: often(4),
    peer: fc.constantFrom(...PEERS),
    peer_groups: fc.constant(null),
  }),
  fc.record({
    id: fc.constant('t0'),
    enabled: often(4),
    peer: fc.constant(''),
    peer_groups: some(ROUTING, 2, 1),
  }),
);

/** The first network has the first resource of each type, the second one the second. */
const networkOf = (at: number) =>
  fc
    .tuple(
      fc.tuple(...TYPES.map(() => often(5))),
      fc.tuple(often(8), router).map(([isThere, one]) => (isThere ? [one] : [])),
    )
    .map(([enabled, routers]) => ({
      ...called(`n${at}`),
      resources: TYPES.map((type, index) => ({
        ...called(resourceId(type, at)),
        address: RESOURCES[type][at] ?? '',
        enabled: enabled[index] === true,
        groups: [],
      })),
      routers,
    }));

const TYPES = Object.keys(RESOURCES) as ResourceType[];
const resourceId = (type: ResourceType, at: number): string => `r-${type}-${at}`;

const options: fc.Arbitrary<NonNullable<RawTarget['options']>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  { arbitrary: fc.constant({ direct_upstream: true }), weight: 1 },
);

const place = fc.oneof(
  ...[...PEERS, GONE].map(target_id => fc.constant({ target_type: 'peer', target_id })),
  ...[0, 1].flatMap(at =>
    TYPES.map(type => {
      const target = { target_type: type as string, target_id: resourceId(type, at) };
      const host = `10.${30 + at * 10}.0.9`;
      return fc.constant(type === 'subnet' ? { ...target, host } : target);
    }),
  ),
  fc.constant({ target_type: 'host', target_id: GONE, host: 'unknown' }),
  fc.constant({ target_type: 'cluster', target_id: 'eu.proxy.test', host: 'localhost' }),
);

const targetOf = (isHttp: boolean): fc.Arbitrary<RawTarget> =>
  fc
    .tuple(
      place,
      fc.record({
        port: isHttp ? fc.constantFrom(0, 0, 8080, 8081, 443) : fc.constantFrom(22, 5432, 65535),
        protocol: isHttp ? fc.constantFrom('http', 'https', 'tcp') : fc.constantFrom('tcp', 'udp'),
        enabled: isHttp ? often(5) : fc.constant(true),
        options,
      }),
    )
    .map(([where, rest]) => ({ ...where, ...rest }));

const lock = fc.option(fc.record({ enabled: fc.boolean() }), { nil: undefined, freq: 2 });
const header = fc.record({
  enabled: fc.boolean(),
  header: fc.constantFrom('Authorization', 'X-Key'),
});
const auth = fc
  .record({
    password_auth: lock,
    pin_auth: lock,
    header_auths: fc.option(fc.array(header, { maxLength: 2 }), { nil: undefined, freq: 2 }),
    bearer_auth: fc.option(
      fc.record({
        enabled: often(2),
        distribution_groups: fc.oneof(groupIds, groupIds, fc.constant(null), fc.constant([])),
      }),
      { nil: undefined },
    ),
  })
  .map(present);

const sometimes = <T>(value: T) => fc.constantFrom(undefined, undefined, value);
/** Some of these together are the whole internet of a family. */
const NETWORKS: string[][] = [
  ['192.0.2.0/24'],
  ['192.0.2.0/24', '0.0.0.0/1'],
  ['8000::/1', '3000::/4'],
  ['0.0.0.0/0', '::/0'],
  ['0.0.0.0/1', '128.0.0.0/1'],
  ['192.0.0.0/3', '0.0.0.0/1', '128.0.0.0/2'],
  ['3000::/4', '2000::/4', '192.0.2.0/24'],
];
const limits = fc.record({
  allowed_cidrs: fc.constantFrom(undefined, undefined, ...NETWORKS),
  blocked_cidrs: sometimes(['198.51.100.0/24']),
  allowed_countries: fc.constantFrom<(string[] | undefined)[]>(undefined, ['DE']),
  blocked_countries: sometimes(['KP']),
  crowdsec_mode: fc.constantFrom(undefined, undefined, 'off', 'observe', 'enforce'),
});
const restrictions = fc.option(limits.map(present), { nil: undefined });

/** The API leaves out what is not set. */
function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const serviceOf = (at: number): fc.Arbitrary<RawService> => {
  const own = { id: `s${at}`, name: `service ${at}`, domain: `s${at}.example.com` };
  const shared = { enabled: often(5), access_restrictions: restrictions };
  const http = fc.record({
    ...fixed({ ...own, mode: 'http' }),
    ...shared,
    private: fc.constant(false),
    // They are kept, unused, when the service is no longer private.
    access_groups: fc.option(groupIds, { nil: undefined, freq: 2 }),
    targets: fc.array(targetOf(true), { minLength: 1, maxLength: 3 }),
    auth,
  });
  // A private service has no sign-in, and its other locks are ignored.
  const hidden = fc.tuple(http, groupIds).map(([service, access_groups]) => {
    const { bearer_auth: _, ...locks } = service.auth;
    return { ...service, private: true, access_groups, auth: locks };
  });
  const byPort = fc.record({
    ...fixed(own),
    ...shared,
    mode: fc.constantFrom('tcp', 'udp', 'tls'),
    private: fc.constant(false),
    targets: targetOf(false).map(one => [one]),
    auth: fc.constant({}),
  });
  const any = fc.oneof(
    { arbitrary: http, weight: 4 },
    { arbitrary: hidden, weight: 2 },
    { arbitrary: byPort, weight: 1 },
  );
  return any.map(service => present(service) as RawService);
};

const services = fc.integer({ min: 1, max: 3 }).chain(count => {
  const all = Array.from({ length: count }, (_, at) => serviceOf(at));
  return fc.tuple(...all) as fc.Arbitrary<RawService[]>;
});

// No policy can forbid what a service opens.
const dropping = fc
  .tuple(fc.boolean(), fc.constantFrom(...PEERS), fc.boolean())
  .map(([isThere, target, toAll]): DrawnPolicy[] => {
    const to = toAll
      ? { destinations: [called('gAll')] }
      : { destinationResource: { id: target, type: 'peer' } };
    const rule = { id: 'q0', name: 'drop', enabled: true, action: 'drop', protocol: 'all' };
    const rules = [{ ...rule, bidirectional: true, sources: [called('gAll')], ...to }];
    return isThere ? [{ ...called('q0'), enabled: true, rules }] : [];
  });

/** One account. */
export const drawnAccount: fc.Arbitrary<DrawnAccount> = fc.constantFrom(...FIRST).chain(first =>
  fc.record({
    accounts: fc
      .boolean()
      .map(peer_login_expiration_enabled => [{ settings: { peer_login_expiration_enabled } }]),
    groups,
    peers: fc.tuple(...PEERS.map((id, at) => peerOf(id, at, first))),
    users,
    networks: fc.tuple(networkOf(0), networkOf(1)),
    policies: dropping,
    services: fc.record({
      status: fc.oneof(
        { arbitrary: fc.constant(200), weight: 30 },
        { arbitrary: fc.constantFrom(403, 404), weight: 1 },
      ),
      body: services,
    }),
  }),
);
