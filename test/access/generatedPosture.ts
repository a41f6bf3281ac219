// Generated accounts in which posture decides: few machines, of which little is known, and few groups, so that several rules
// with and without posture checks meet between the same machines.
import { fc } from '../support/seeded.ts';
import type {
  Account,
  Check,
  Checks,
  Group,
  Network,
  Peer,
  Policy,
  Route,
  Rule,
} from './slow/account.ts';

/**
 * - `between`: access between machines.
 * - `awaiting`: the same, with a machine that awaits approval and rules through which others know it.
 * - `routed`: network resources and routes as well, with several routing machines.
 */
export type Emphasis = 'between' | 'awaiting' | 'routed';

const MACHINES = ['p0', 'p1', 'p2'];
const AWAITING = 'p2';
const GROUPS = ['g0', 'g1', 'g2'];

const often = (weight: number) =>
  fc.oneof({ arbitrary: fc.constant(true), weight }, { arbitrary: fc.constant(false), weight: 1 });
const rarely = (weight: number) => often(weight).map(value => !value);
const some = <T>(list: readonly T[], maxLength: number, minLength = 1) =>
  fc.uniqueArray(fc.constantFrom(...list), { minLength, maxLength });
const maybe = <T>(one: fc.Arbitrary<T>, weight: number) =>
  fc.oneof(
    { arbitrary: one.map(value => [value]), weight },
    { arbitrary: fc.constant<T[]>([]), weight: 1 },
  );

const groupRefs = fc.oneof(
  {
    arbitrary: some(GROUPS, 2).map(ids => ids.map(id => ({ id, name: id }))),
    weight: 5,
  },
  { arbitrary: fc.constant([{ id: 'gAll', name: 'gAll' }]), weight: 1 },
);

const peer = (id: string, index: number, emphasis: Emphasis): fc.Arbitrary<Peer> =>
  fc
    .record({
      version: fc.constantFrom(undefined, undefined, '0.40.0', '0.70.0', '0.55.0'),
      approval_required: emphasis === 'awaiting' && id === AWAITING ? fc.constant(true) : rarely(5),
    })
    .map(({ version, approval_required }) => ({
      id,
      name: `machine-${index}`,
      ip: `100.64.0.${index + 1}`,
      login_expired: false,
      approval_required,
      os: 'Ubuntu 22.04',
      kernel_version: '5.15.0',
      ...(version !== undefined && { version }),
    }));

const machine = (emphasis: Emphasis) =>
  (emphasis === 'awaiting' ? fc.constant(AWAITING) : fc.constantFrom(...MACHINES)).map(id => ({
    id,
    type: 'peer',
  }));

const resource = fc.constantFrom('r00', 'r01').map(id => ({ id, type: 'host' }));

const rule = (id: string, emphasis: Emphasis): fc.Arbitrary<Rule> =>
  fc
    .record({
      enabled: often(9),
      action: often(emphasis === 'awaiting' ? 1 : 2).map(is => (is ? 'accept' : 'drop')),
      bidirectional: fc.boolean(),
      from: fc.oneof(
        { arbitrary: groupRefs.map(sources => ({ sources })), weight: 5 },
        {
          arbitrary: machine(emphasis).map(sourceResource => ({ sourceResource })),
          weight: emphasis === 'routed' ? 2 : 1,
        },
      ),
      to: fc.oneof(
        { arbitrary: groupRefs.map(destinations => ({ destinations })), weight: 3 },
        {
          arbitrary: machine(emphasis).map(destinationResource => ({ destinationResource })),
          weight: emphasis === 'awaiting' ? 3 : 1,
        },
        {
          arbitrary: resource.map(destinationResource => ({ destinationResource })),
          weight: emphasis === 'routed' ? 1 : 0,
        },
      ),
      ports: some(['22', '80'], 2),
    })
    .map(({ from, to, ...rest }) => ({
      id,
      name: `rule ${id}`,
      protocol: 'tcp',
      ...rest,
      ...from,
      ...to,
    }));

const policy = (id: string, emphasis: Emphasis): fc.Arbitrary<Policy> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`policy ${id}`),
    enabled: often(9),
    source_posture_checks: fc.oneof(
      { arbitrary: fc.constant<string[]>([]), weight: 2 },
      { arbitrary: some(['c0', 'c1'], 2), weight: 3 },
    ),
    rules: fc.oneof(
      { arbitrary: fc.tuple(rule(`${id}0`, emphasis)), weight: 3 },
      { arbitrary: fc.tuple(rule(`${id}0`, emphasis), rule(`${id}1`, emphasis)), weight: 1 },
    ),
  });

const process = (path: string): Checks => ({
  process_check: { processes: [{ linux_path: path }] },
});
const agent = (version: string): Checks => ({ nb_version_check: { min_version: version } });
const check = (id: string): fc.Arbitrary<Check> =>
  fc
    .constantFrom<Checks>(agent('0.50.0'), agent('0.60.0'), process('/a'), process('/b'), {
      ...agent('0.60.0'),
      ...process('/a'),
    })
    .map(checks => ({ id, name: `check-${id}`, checks }));

const served = fc.oneof(
  fc.constantFrom(...MACHINES).map(one => ({ peer: one })),
  some(GROUPS, 2).map(peer_groups => ({ peer_groups })),
);

const network: fc.Arbitrary<Network> = fc.record({
  id: fc.constant('n0'),
  name: fc.constant('network-0'),
  resources: fc
    .array(fc.record({ enabled: often(9), groups: groupRefs }), { minLength: 1, maxLength: 2 })
    .map(list =>
      list.map((one, at) => ({
        id: `r0${at}`,
        name: `resource-0${at}`,
        address: `10.0.0.${at + 5}/32`,
        ...one,
      })),
    ),
  routers: fc.tuple(often(9), served).map(([enabled, who]) => [{ id: 't00', enabled, ...who }]),
});

const route: fc.Arbitrary<Route> = fc
  .record({
    served,
    enabled: often(9),
    groups: some(['gAll', ...GROUPS], 2),
    access_control_groups: fc.oneof(fc.constant([]), some(GROUPS, 2)),
  })
  .map(({ served: who, ...rest }) => ({
    id: 'w0',
    network_id: 'route-0',
    network: '172.16.0.0/24',
    ...rest,
    ...who,
  }));

const groups: fc.Arbitrary<Group[]> = fc
  .tuple(...GROUPS.map(() => some(MACHINES, 2, 0)))
  .map(members => [
    { id: 'gAll', name: 'All', peers: MACHINES.map(id => ({ id })) },
    ...members.map((peers, index) => ({
      id: `g${index}`,
      name: `group-${index}`,
      peers: peers.map(id => ({ id })),
    })),
  ]);

const account = (emphasis: Emphasis): fc.Arbitrary<Account> => {
  const isRouted = emphasis === 'routed';
  return fc.record({
    peers: fc.tuple(...MACHINES.map((id, index) => peer(id, index, emphasis))),
    groups,
    policies: fc
      .tuple(...['q0', 'q1', 'q2', 'q3'].map(id => maybe(policy(id, emphasis), 3)))
      .map(list => list.flat()),
    posture_checks: fc.tuple(check('c0'), check('c1')),
    routes: isRouted ? maybe(route, 2) : fc.constant([]),
    networks: isRouted ? maybe(network, 3) : fc.constant([]),
  });
};

/** Two of them: checks are redefined, policies get other checks, ports and actions, come and go, and groups have other members. */
export const posturePair = (emphasis: Emphasis): fc.Arbitrary<readonly [Account, Account]> =>
  fc
    .tuple(
      account(emphasis),
      account(emphasis),
      fc.array(fc.nat(5), { minLength: 30, maxLength: 30 }),
    )
    .map(([before, other, coins]) => {
      let at = 0;
      const coin = () => coins[at++ % coins.length] ?? 0;
      const mixed = <T extends { readonly id: string }>(
        one: readonly T[],
        two: readonly T[],
        most: number,
      ): T[] =>
        idsOf(one, two).flatMap(id => (coin() < most ? two : one).filter(each => each.id === id));
      const policies = idsOf(before.policies, other.policies).flatMap(id => {
        const was = before.policies.find(one => one.id === id);
        const is = other.policies.find(one => one.id === id);
        return changedPolicy(was, is, coin());
      });
      const after: Account = {
        ...before,
        policies,
        groups: mixed(before.groups, other.groups, 2),
        posture_checks: mixed(before.posture_checks, other.posture_checks, 3),
        routes: mixed(before.routes, other.routes, 2),
        networks: mixed(before.networks, other.networks, 2),
      };
      return [before, after] as const;
    });

/** Two of them in which rules keep a part of their ports, behind other checks: losses that may give access to whoever passes these. */
export const narrowedPair: fc.Arbitrary<readonly [Account, Account]> = fc
  .tuple(
    account('between'),
    fc.array(fc.constantFrom(['c0'], ['c1'], ['c0', 'c1'], []), { minLength: 8, maxLength: 8 }),
  )
  .map(([drawn, checks]) => {
    const policies = drawn.policies.slice(0, 2);
    const withChecks = (one: Policy, at: number, ports?: string[]): Policy => ({
      ...one,
      enabled: true,
      source_posture_checks: checks[at % checks.length] ?? [],
      rules: one.rules.map(rule => ({ ...rule, ...(ports && { ports }), action: 'accept' })),
    });
    return [
      {
        ...drawn,
        policies: policies.map((one, at) => withChecks(one, at, ['22', '80'])),
      },
      { ...drawn, policies: policies.map((one, at) => withChecks(one, at + 4)) },
    ];
  });

function changedPolicy(was: Policy | undefined, is: Policy | undefined, draw: number): Policy[] {
  if (draw < 2) return was ? [was] : [];
  if (draw === 2) return is ? [is] : [];
  if (!was || draw === 4) return [];
  if (draw === 3) return [{ ...was, source_posture_checks: is?.source_posture_checks ?? [] }];
  const rules = was.rules.map((one, at): Rule => {
    const { ports = ['80'], action = one.action } = is?.rules[at] ?? {};
    return { ...one, ports, action };
  });
  return [{ ...was, rules }];
}

const idsOf = (...lists: readonly (readonly { readonly id: string }[])[]): string[] => [
  ...new Set(lists.flat().map(({ id }) => id)),
];
