// Routes of files and of the account are the same ones, whatever the account calls them: answers of its API name a route by its network id
// alone, and by its id if others have the same network id.
import { describe, expect, test } from 'vitest';
import type { AccessState, Route } from '../../../src/access/state/accessState.ts';
import { accountOf, observedIn, type Watch } from './observedUse.ts';
import { proposed, tighten } from './tightenedFiles.ts';

const text = (routes: string) => `groups:
  - { name: staff, peers: [ann, bob] }
  - { name: gates, peers: [gw1] }
  - { name: others, peers: [gw2] }
  - { name: office }
peers: [{ name: ann }, { name: bob }, { name: gw1 }, { name: gw2 }]
policies:
  - { name: p, rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [staff], destinations: [office] }] }
  - { name: q, rules: [{ name: r, protocol: icmp, sources: [staff], destinations: [gates, others] }] }
routes:
${routes}`;

const BY = (network: string, by: string, id = 'office') =>
  `  - { network_id: ${id}, network: ${network}, ${by}, groups: [staff], access_control_groups: [office], masquerade: true }\n`;

const FLOW = 'ann > 10.1.0.0/16 tcp/22';

/** The account of files, whose routes have these names and whatever else the account says of them. */
const answered = (files: string, said: (route: Route, at: number) => Route): AccessState => {
  const account = accountOf(files);
  return { ...account, routes: account.routes.map(said) };
};

const byNetworkId = (route: Route): Route => ({ ...route, id: route.key, key: route.networkId });
const byId = (route: Route, at: number): Route => ({ ...route, id: `r${at}`, key: `id:r${at}` });

const found = (
  files: string,
  account: AccessState,
  flows: readonly string[],
  machines: Watch['machines'] = {},
) => {
  const observed = observedIn(account, { flows, machines });
  const result = tighten({ 'n.yaml': files }, { observed });
  return proposed(result).filter(line => / route: /.test(line));
};

test('a route by groups is matched to the account by its network id', () => {
  const files = text(BY('10.1.0.0/16', 'peer_groups: [gates]'));
  const account = answered(files, byNetworkId);
  expect(found(files, account, [FLOW])).toEqual([]);
  expect(found(files, account, [])).toEqual(['office 10.1.0.0/16 gates: remove route: certain']);
});

test('domains and groups may be in another order', () => {
  const domains = (some: string, groups: string) =>
    text(BY('', '').replace('network: , ,', `domains: [${some}], peer_groups: [${groups}],`));
  const files = domains('a.example.com, b.example.com', 'gates, others');
  const account = answered(files, route => ({
    ...byNetworkId(route),
    addresses: route.addresses.toReversed(),
    servers: { groups: route.servers.groups.toReversed() },
  }));
  expect(found(files, account, [])).toEqual([
    expect.stringMatching(/^office .*: remove route: certain$/),
  ]);
});

test('alternatives of one network id are distinguished by their routing peers', () => {
  const files = text(
    BY('10.1.0.0/16', 'peer_groups: [gates]') +
      BY('10.1.0.0/16', 'peer_groups: [others]') +
      BY('10.2.0.0/16', 'peer_groups: [others]'),
  );
  const account = answered(files, byId);
  const swapped = { ...account, routes: account.routes.toReversed() };
  for (const one of [account, swapped])
    expect(found(files, one, [FLOW])).toEqual(['office 10.2.0.0/16 others: remove route: certain']);
});

test('two routes through machines that the account shows by id only are two routes of the account', () => {
  const files = text(BY('10.1.0.0/16', 'peer: gw1') + BY('10.1.0.0/16', 'peer: gw2'));
  const account = answered(files, (route, at) => ({
    ...byId(route, at),
    servers: { machine: `id:m${at}`, groups: [] },
  }));
  const { accountAfter } = tighten(
    { 'n.yaml': files },
    { observed: observedIn(account, { flows: [], days: 1 }) },
  );
  expect(accountAfter.routes.map(({ id, servers }) => [id, servers.machine])).toEqual([
    ['r0', 'id:m0'],
    ['r1', 'id:m1'],
  ]);
});

describe('alternatives that nobody used', () => {
  const one = BY('10.1.0.0/16', 'peer_groups: [gates]');
  const other = BY('10.1.0.0/16', 'peer_groups: [others]');
  const files = text(one + other);
  const account = answered(files, byId);

  test('are removed together', () => {
    expect(found(files, account, [])).toEqual([
      'office 10.1.0.0/16 gates: remove route: certain',
      'office 10.1.0.0/16 others: remove route: certain',
    ]);
  });

  test('stay together if a test needs one of them', () => {
    const tests =
      'access_tests: [{ name: t, from: group/staff, allow: ["route/office:tcp/22"] }]\n';
    expect(found(files + tests, account, [])).toEqual([]);
  });

  test('are unknown together if one of their routing machines was silent', () => {
    const machines = { gw2: { reported: [1] } };
    expect(found(files, account, [], machines)).toEqual([
      'office 10.1.0.0/16 gates: remove route: unknown',
      'office 10.1.0.0/16 others: remove route: unknown',
    ]);
  });

  test('are removed except the one that its owner keeps', () => {
    const kept = text(one + other.replace(' }\n', ', lifecycle: { keep_access: floods } }\n'));
    expect(found(kept, answered(kept, byId), [])).toEqual([
      'office 10.1.0.0/16 gates: remove route: certain',
    ]);
  });
});

describe('an object that makes a kept destination work', () => {
  const kept = (lifecycle: string) =>
    text(
      BY('10.1.0.0/16', 'peer_groups: [gates]').replace(
        ' }\n',
        `, lifecycle: { ${lifecycle} } }\n`,
      ),
    );

  test.each([
    ['keep_access: floods', 'lifecycle', 'floods'],
    ['break_glass: true', 'break-glass', 'break-glass object'],
    ['protect: true', 'protect', 'protected'],
  ])(
    'is kept with a route with `%s`: the rules of its groups, and those to its router',
    (lifecycle, by, reason) => {
      const files = kept(lifecycle);
      const observed = observedIn(answered(files, byId), { flows: [] });
      const result = tighten({ 'n.yaml': files }, { observed });
      expect(proposed(result)).toEqual([]);
      const because = `route "office 10.1.0.0/16 gates" needs it: ${reason}`;
      expect(result.kept.map(one => [one.finding.object.key, one.by, one.reason])).toEqual(
        expect.arrayContaining([
          ['p', by, because],
          ['q', by, because],
        ]),
      );
    },
  );

  test('is kept with a network resource', () => {
    const files = `groups: [{ name: staff, peers: [ann] }, { name: gate, peers: [gw] }, { name: x }]
peers: [{ name: ann }, { name: gw }]
networks:
  - name: n
    resources: [{ name: r1, address: 10.0.0.1, groups: [x], lifecycle: { keep_access: floods } }]
    routers: [{ peer_groups: [gate], masquerade: true }]
policies:
  - { name: p, rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [staff], destinations: [x] }] }
`;
    const observed = observedIn(accountOf(files), { flows: [] });
    const result = tighten({ 'n.yaml': files }, { observed });
    expect(proposed(result)).toEqual([]);
    expect(result.kept.map(one => one.reason)).toEqual([
      'network resource "n/r1" needs it: floods',
    ]);
  });
});

test('a rule that distributes a route is unknown as long as the use of the route is', () => {
  const files = text(BY('10.1.0.0/16', 'peer_groups: [gates]')).replace(
    'sources: [staff], destinations: [gates, others]',
    'sources: [gates], destinations: [staff]',
  );
  const account = answered(files, byId);
  const findings = (machines: Required<Watch>['machines']) => {
    const observed = observedIn(account, { flows: [], machines });
    return tighten({ 'n.yaml': files }, { observed });
  };
  expect(proposed(findings({}))).toContain('q/r: remove policy: certain');
  const silent = findings({ gw1: { reported: [1] } });
  expect(proposed(silent)).toContain('q/r: remove policy: unknown');
  expect(silent.after).toEqual({ 'n.yaml': files });
  const rule = silent.objects.find(({ object }) => object.key === 'q');
  expect(rule?.findings[0]?.reason).toContain('route "office 10.1.0.0/16 gates" needs it: ');
});

describe('a narrow route that nobody used', () => {
  const OPEN = `  - { network_id: wide, network: 10.0.0.0/8, peer_groups: [others], groups: [staff], masquerade: true }\n`;
  const narrow = BY('10.1.0.0/16', 'peer_groups: [gates]');

  test('stays if a wider route admits more to its addresses', () => {
    const files = text(narrow + OPEN);
    const flows = ['ann > 10.0.0.0/8 tcp/80'];
    expect(found(files, answered(files, byId), flows)).toEqual([]);
  });

  test('is removed if a wider route admits no more, or is an exit node', () => {
    const flows = ['ann > 10.0.0.0/8 tcp/22'];
    const same = text(narrow + BY('10.0.0.0/8', 'peer_groups: [others]', 'wide'));
    const removed = ['office 10.1.0.0/16 gates: remove route: certain'];
    expect(found(same, answered(same, byId), flows)).toEqual(removed);
    const exit = text(narrow + OPEN.replace('10.0.0.0/8', '0.0.0.0/0'));
    expect(found(exit, answered(exit, byId), ['ann > 0.0.0.0/0 tcp/80'])).toEqual(removed);
  });
});
