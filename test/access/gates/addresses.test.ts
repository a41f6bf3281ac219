// A guard, a test or a question about a network resource is about its addresses: no road around the object goes unnoticed.
import { describe, expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesIn, reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { pictureOf } from '../../../src/access/picture/picture.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { selectorFindings } from '../../../src/access/tests/selectors.ts';
import { uncoveredPolicies } from '../../../src/access/tests/uncoveredPolicies.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { flowText } from '../../../src/model/access/accessFindings.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { Json } from '../../../src/model/value.ts';
import { recordOf, resourceAt, routeTo, stateWith } from './roads.ts';
import { TEST, written } from './writtenTest.ts';

const DB = 'network_resource/production/orders-db';
const deny = (to: string): AccessTest => ({
  ...TEST,
  from: written('group/laptops'),
  deny: [written(to)],
});
const onlyFrom = (to: string): AccessTest => ({
  ...TEST,
  to: written(to),
  onlyFrom: [written('group/admins')],
});

function failedLines(state: AccessState, one: AccessTest): readonly string[] {
  const { verdicts, diagnostics } = judgeTests(reachesIn(state), [one]);
  expect(diagnostics).toEqual([]);
  return verdicts.flatMap(({ failures }) => failures.map(({ line }) => line));
}

/** The policies without which no line of a test has another verdict. */
function uncoveredIn(state: AccessState, one: AccessTest): readonly string[] {
  const mutated = state.policies.map(policy => {
    const others = state.policies.filter(other => other !== policy);
    const disabled = { ...policy, isEnabled: false };
    const states = [others, [...others, disabled]].map(policies => ({ ...state, policies }));
    return { policy: policy.key, states };
  });
  return uncoveredPolicies(state, mutated, [one]);
}

/** Why laptops do not reach the database, without the names of what grants access. */
function missesOfDb(state: AccessState) {
  const [from, to] = ['group/laptops', DB].map(checkedSelector);
  if (from === undefined || to === undefined) throw new Error('two selectors');
  const answer = answerQuestion(state, { from, to, why: true });
  if (!('flows' in answer)) throw new Error('the selectors match');
  return (answer.misses ?? []).map(({ code, message }) => ({ code, message }));
}

const gainedAt = (before: AccessState, after: AccessState, to: string) =>
  movedAt('gained', [before, after], to);

function movedAt(
  side: 'gained' | 'lost',
  [before, after]: readonly [AccessState, AccessState],
  to: string,
): readonly string[] {
  const pool = rowPool();
  const [was, is] = worldsOf([before, after]).map(world => reachesOf(world, pool));
  if (was === undefined || is === undefined) throw new Error('two worlds');
  return movedAccess({ before: was, after: is }, side, { to: checkedSelector(to) }).map(flowText);
}

const copyAt = (address: string): Json => resourceAt('r2', 'copy', address, 'g5');
const network = (range: string): Json => routeTo({ network: range });
const domains = (...names: string[]): Json => routeTo({ domains: names });

interface Road {
  readonly says: string;
  readonly address?: string;
  readonly resources?: readonly Json[];
  readonly routes?: readonly Json[];
  readonly records?: readonly Json[];
}

const ROADS: readonly Road[] = [
  { says: 'a route to the address', routes: [network('10.20.0.5/32')] },
  { says: 'a route to a range that covers it', routes: [network('10.20.0.0/16')] },
  { says: 'an exit node', routes: [network('0.0.0.0/0')] },
  { says: 'the address in the form of IPv6', routes: [network('::ffff:10.20.0.5/128')] },
  { says: 'a range in the form of IPv6', routes: [network('::ffff:10.20.0.0/112')] },
  { says: 'the address in the form for NAT64', routes: [network('64:ff9b::10.20.0.5/128')] },
  { says: 'a range that has all addresses for NAT64', routes: [network('64:ff9b::/64')] },
  { says: 'the address for a local NAT64', routes: [network('64:ff9b:1::10.20.0.5/128')] },
  { says: 'a wide range of IPv6', routes: [network('2000::/3')] },
  { says: 'the address in the form of 6to4', routes: [network('2002:a14:5::/48')] },
  { says: 'an address behind 6to4', routes: [network('2002:a14:5:1::7/128')] },
  { says: 'a range in the form of 6to4', resources: [copyAt('2002:a14::/32')] },
  { says: 'all of 6to4', routes: [network('2002::/16')] },
  { says: 'the address as a client of Teredo', routes: [network('2001::f5eb:fffa/128')] },
  { says: 'the address in the former form of IPv6', resources: [copyAt('::10.20.0.5/128')] },
  { says: 'a range in the former form of IPv6', routes: [network('::10.20.0.0/112')] },
  {
    says: 'the address of a guarded form of 6to4',
    address: '2002:a14:5::/48',
    routes: [network('10.20.0.0/16')],
  },
  {
    says: 'a domain whose record is the address in the form of 6to4',
    resources: [copyAt('db.internal')],
    records: [recordOf('db.internal', 'AAAA', '2002:a14:5::1')],
  },
  { says: 'a second resource with the address', resources: [copyAt('10.20.0.5/32')] },
  { says: 'a second resource with a range that covers it', resources: [copyAt('10.0.0.0/8')] },
  {
    says: 'a route to a part of the range',
    address: '10.20.0.0/24',
    routes: [network('10.20.0.7/32')],
  },
  {
    says: 'a second resource in the range',
    address: '10.20.0.0/24',
    resources: [copyAt('10.20.0.128/25')],
  },
  {
    says: 'an exit node of IPv6',
    address: '2001:db8::5/128',
    routes: [network('::/0')],
  },
  {
    says: 'a second resource with the domain',
    address: 'db.example.com',
    resources: [copyAt('DB.example.com')],
  },
  {
    says: 'a wildcard that covers the domain',
    address: 'db.example.com',
    resources: [copyAt('*.example.com')],
  },
  {
    says: 'a domain that a wildcard covers',
    address: '*.example.com',
    resources: [copyAt('db.eu.example.com')],
  },
  {
    says: 'a second name of a route',
    address: 'db.example.com',
    routes: [domains('wiki.example.com', 'db.example.com')],
  },
  {
    says: 'the domain in another spelling',
    address: 'xn--bcher-kva.example.com',
    routes: [domains('bücher.example.com')],
  },
  {
    says: 'an exit node beside a domain',
    address: 'db.example.com',
    routes: [network('0.0.0.0/0')],
  },
  {
    says: 'a domain whose record is the address',
    resources: [copyAt('db.internal')],
    records: [recordOf('DB.internal', 'A', '10.20.0.5')],
  },
  {
    says: 'a domain of a route whose record is the address',
    routes: [domains('db.internal')],
    records: [recordOf('db.internal', 'A', '::ffff:10.20.0.5')],
  },
  {
    says: 'a domain whose record is an address of IPv6',
    address: '2001:db8::5/128',
    resources: [copyAt('db.internal')],
    records: [recordOf('db.internal', 'AAAA', '2001:db8::5')],
  },
  {
    says: 'a domain that leads there through two other names',
    resources: [copyAt('a.internal')],
    records: [
      recordOf('a.internal', 'CNAME', 'b.internal'),
      recordOf('b.internal', 'CNAME', 'c.internal'),
      recordOf('c.internal', 'A', '10.20.0.5'),
    ],
  },
  {
    says: 'a domain with a record of a wildcard',
    resources: [copyAt('a.b.internal')],
    records: [recordOf('*.internal', 'A', '10.20.0.5')],
  },
  {
    says: 'a wildcard that covers a name with a record',
    resources: [copyAt('*.internal')],
    records: [recordOf('a.b.internal', 'CNAME', '10.20.0.5')],
  },
  {
    says: 'another name of the domain',
    address: 'db.example.com',
    resources: [copyAt('db.internal')],
    records: [recordOf('db.internal', 'CNAME', 'db.example.com')],
  },
  {
    says: 'a resource at the address that the domain leads to',
    address: 'db.internal',
    resources: [copyAt('10.20.0.5/32')],
    records: [recordOf('db.internal', 'A', '10.20.0.5')],
  },
  {
    says: 'a record that another name shares',
    address: 'db.internal',
    resources: [copyAt('other.internal')],
    records: [
      recordOf('db.internal', 'A', '10.20.0.5'),
      recordOf('other.internal', 'A', '10.20.0.5'),
    ],
  },
  { says: 'an exit node of a router', address: '0.0.0.0/0', routes: [network('0.0.0.0/1')] },
];

const FORMS = [DB, 'network/production', 'group/databases', `${DB}:tcp/5432`];

describe.each(ROADS)('$says', road => {
  const { address = '10.20.0.5/32', resources = [], routes = [], records = [] } = road;
  const before = stateWith({ address, records });
  const after = stateWith({ address, resources, routes, records });

  test.each(FORMS)('fails the tests of %s', to => {
    expect(failedLines(before, deny(to))).toEqual([]);
    expect(failedLines(after, deny(to))).toEqual(['deny']);
    expect(failedLines(before, onlyFrom(to))).toEqual([]);
    expect(failedLines(after, onlyFrom(to))).toEqual(['only_from']);
  });

  test.each(FORMS)('is a gain at the guarded %s', to => {
    expect(gainedAt(before, before, to)).toEqual([]);
    expect(gainedAt(before, after, to)).not.toEqual([]);
    expect(gainedAt(after, before, to)).toEqual([]);
  });

  test('is in the answer about the resource, and on its page', () => {
    const from = checkedSelector('group/laptops');
    const to = checkedSelector(DB);
    const answer = answerQuestion(after, { from, to, why: false });
    expect('flows' in answer && answer.flows.length).toBeGreaterThan(0);
    const picture = pictureOf(after, { from, to });
    expect('matrix' in picture && picture.matrix.cells.flat()).not.toEqual([]);
  });

  test('is what the coverage of a test depends on', () => {
    const opening = routes.length > 0 ? 'policy q2' : 'policy q3';
    for (const one of [deny(DB), onlyFrom(DB)]) {
      expect(uncoveredIn(before, one)).toContain(opening);
      expect(uncoveredIn(after, one)).not.toContain(opening);
    }
  });

  test('does not explain why the resource itself is not reached', () => {
    const [was, is] = [before, after].map(missesOfDb);
    expect(was).not.toEqual([]);
    // A second resource with the address of the first one delivers that too.
    const isSame = resources.some(one => JSON.stringify(one).includes(JSON.stringify(address)));
    expect(is).toEqual(isSame ? [] : was);
  });

  test.skipIf(routes.length === 0)('a route does not replace the resource', () => {
    const allow = { ...TEST, from: written('group/laptops'), allow: [written(`${DB}:tcp/5432`)] };
    expect(failedLines(after, allow)).toEqual(['allow']);
  });
});

const BESIDE: readonly Road[] = [
  { says: 'a route beside it', routes: [network('10.20.1.0/24')] },
  { says: 'a route of the other family', routes: [network('2001:db8::/32')] },
  { says: 'another address in the form of 6to4', routes: [network('2002:a14:6::/48')] },
  { says: 'another client of Teredo', routes: [network('2001::f5eb:fff9/128')] },
  { says: 'another address in the former form', routes: [network('::10.20.0.6/128')] },
  { says: 'the loopback address of IPv6', address: '0.0.0.0/8', routes: [network('::1/128')] },
  { says: 'a second resource beside it', resources: [copyAt('10.20.0.4/32')] },
  { says: 'another domain', address: 'db.example.com', resources: [copyAt('wiki.example.com')] },
  { says: 'a wildcard below', address: 'db.example.com', resources: [copyAt('*.db.example.com')] },
  {
    says: 'a record of another address',
    resources: [copyAt('db.internal')],
    records: [recordOf('db.internal', 'A', '10.20.0.6')],
  },
  {
    says: 'a wildcard beside a record of the name',
    resources: [copyAt('db.internal')],
    records: [recordOf('db.internal', 'A', '10.20.0.6'), recordOf('*.internal', 'A', '10.20.0.5')],
  },
  {
    says: 'a record of another name',
    resources: [copyAt('db.internal')],
    records: [recordOf('other.internal', 'A', '10.20.0.5')],
  },
  {
    says: 'names that lead to each other',
    resources: [copyAt('a.internal')],
    records: [
      recordOf('a.internal', 'CNAME', 'b.internal'),
      recordOf('b.internal', 'CNAME', 'a.internal'),
    ],
  },
  {
    says: 'an address beside a domain',
    address: 'db.example.com',
    routes: [network('10.0.0.0/8')],
  },
  {
    says: 'a private range and an exit node',
    address: '0.0.0.0/0',
    routes: [network('10.0.0.0/8')],
  },
];

test.each(BESIDE)('$says opens nothing', road => {
  const { address = '10.20.0.5/32', resources = [], routes = [], records = [] } = road;
  const before = stateWith({ address, records });
  const after = stateWith({ address, resources, routes, records });
  expect(failedLines(after, deny(DB))).toEqual([]);
  expect(gainedAt(before, after, DB)).toEqual([]);
});

test('removing an exit node is not a loss of the resource behind it, and removing the resource is', () => {
  const open = stateWith({ routes: [network('0.0.0.0/0')] });
  const closed = { ...open, policies: open.policies.filter(({ key }) => key !== 'policy q1') };
  expect(movedAt('lost', [open, stateWith({})], DB)).toEqual([]);
  expect(movedAt('lost', [open, closed], DB)).toEqual([`group/admins → ${DB}`]);
});

test('a path that a test excepts opens nothing', () => {
  const after = stateWith({ routes: [network('0.0.0.0/0')] });
  const except = [written('route/road')];
  expect(failedLines(after, { ...deny(DB), except })).toEqual([]);
  expect(failedLines(after, { ...onlyFrom(DB), except })).toEqual([]);
  expect(failedLines(after, { ...deny('route/road'), except })).toEqual(['deny']);
});

describe('the exceptions of a test hide nothing else', () => {
  const exit = routeTo({ network: '0.0.0.0/0' });
  const failures = (routes: readonly Json[], names: readonly string[] = ['route/road']) => {
    const test = { ...deny(DB), except: names.map(written) };
    return failedLines(stateWith({ routes }), test);
  };

  test.each([
    ['another range', { ...routeTo({ network: '10.20.0.0/16' }), id: 'w2' }],
    ['another routing machine', { ...exit, id: 'w2', peer: 'p3' }],
  ])('%s under the same network id', (_, other) => {
    expect(failures([exit])).toEqual([]);
    expect(failures([exit, other])).toEqual(['deny']);
    expect(failures([exit, { ...other, enabled: false }])).toEqual([]);
    expect(failures([exit, other], ['route/id:w1'])).toEqual(['deny']);
    expect(failures([exit, other], ['route/id:w1', 'route/id:w2'])).toEqual([]);
  });

  test('a second network resource at the same address', () => {
    const copy = resourceAt('r2', 'copy', '10.20.0.5/32', 'g5');
    const state = stateWith({ resources: [copy] });
    const own = [written(DB)];
    expect(failedLines(state, { ...deny('10.20.0.5'), except: own })).toEqual(['deny']);
  });

  test('only routes and network resources are excepted, with all of their ports', () => {
    const found = (text: string) =>
      selectorFindings([{ ...TEST, ...deny(DB), except: [written(text)] }]).map(one => one.message);
    expect(found('route/road')).toEqual([]);
    expect(found(DB)).toEqual([]);
    for (const text of [
      'all',
      'group/laptops',
      'network/production',
      '10.0.0.0/8',
      'route/road:tcp/22',
    ])
      expect(found(text)).toEqual([expect.stringContaining('cannot be in `except`')]);
  });
});

test('an address that a resource had before a plan stays guarded', () => {
  const before = stateWith({});
  const after = stateWith({ address: '10.20.9.9/32', routes: [network('10.20.0.5/32')] });
  expect(gainedAt(before, after, DB)).toContain('group/laptops → route/road');
});

describe('a changed DNS record', () => {
  const resources = [copyAt('db.internal')];
  const elsewhere = [recordOf('db.internal', 'A', '10.9.9.9', 'e1')];
  const there = [recordOf('db.internal', 'A', '10.20.0.5', 'e1')];
  const before = stateWith({ resources, records: elsewhere });
  const after = stateWith({ resources, records: there });

  // The network has both resources.
  const alone = FORMS.filter(to => to !== 'network/production');
  test.each(alone)('opens the guarded %s', to => {
    expect(gainedAt(before, after, to)).toEqual([
      'group/laptops → network_resource/production/copy',
    ]);
    expect(movedAt('lost', [before, after], to)).toEqual([]);
    expect(failedLines(before, deny(to))).toEqual([]);
    expect(failedLines(after, deny(to))).toEqual(['deny']);
  });

  test('a changed record of a guarded domain is a gain and a loss at that domain', () => {
    const copy = 'network_resource/production/copy';
    expect(gainedAt(before, after, copy)).toEqual([`group/laptops → ${copy}`]);
    expect(movedAt('lost', [before, after], copy)).toEqual([`group/laptops → ${copy}`]);
  });

  test('a record of a zone that is enabled changes the access', () => {
    const idle = stateWith({ resources, records: there, isAnswered: false });
    expect(gainedAt(before, idle, DB)).toEqual([]);
    expect(gainedAt(idle, after, DB)).toEqual(['group/laptops → network_resource/production/copy']);
  });

  test('a record that is reached through another name changes the access', () => {
    const chain = (to: string) => [
      recordOf('db.internal', 'CNAME', 'a.internal', 'e1'),
      recordOf('a.internal', 'A', to, 'e2'),
    ];
    const [was, is] = ['10.9.9.9', '10.20.0.5'].map(to =>
      stateWith({ resources, records: chain(to) }),
    );
    if (!was || !is) throw new Error('two states');
    expect(gainedAt(was, is, DB)).toEqual(['group/laptops → network_resource/production/copy']);
  });

  test('a record that changes together with a new resource at its address is one gain', () => {
    const gains = gainedAt(stateWith({}), after, DB);
    expect(gains).toEqual(['group/laptops → network_resource/production/copy']);
  });

  test('a record that keeps its addresses changes nothing', () => {
    const renamed = stateWith({
      resources,
      records: [...there, recordOf('other.internal', 'A', '10.20.0.5')],
    });
    expect(gainedAt(after, renamed, DB)).toEqual([]);
  });
});

describe('a path to the overlay address of a machine', () => {
  const before = stateWith({});
  const targets = ['peer/admin', 'group/admins', 'group/admins:tcp/5432', '100.64.0.3', 'fd00::3'];
  const overlay = [
    ['a network resource at it', { resources: [copyAt('100.64.0.3/32')] }],
    ['a route to a range with it', { routes: [network('100.64.0.0/10')] }],
    ['a network resource at its address of IPv6', { resources: [copyAt('fd00::3/128')] }],
    ['a route to a range of IPv6 with it', { routes: [network('fd00::/64')] }],
    [
      'a domain with a record of it',
      {
        resources: [copyAt('admin.internal')],
        records: [recordOf('admin.internal', 'A', '100.64.0.3')],
      },
    ],
  ] as const;

  const roads = overlay.flatMap(([says, road]) => targets.map(to => [says, to, road] as const));
  test.each(roads)('%s opens %s', (_, to, road) => {
    const after = stateWith(road);
    expect(gainedAt(before, after, to)).not.toEqual([]);
    expect(failedLines(before, deny(to))).toEqual([]);
    expect(failedLines(after, deny(to))).toEqual(['deny']);
  });

  test.each([
    ['an exit node', '0.0.0.0/0'],
    ['an exit node of IPv6', '::/0'],
    ['another overlay address', '100.64.0.9/32'],
  ])('%s does not open it', (_, range) => {
    const after = stateWith({ routes: [network(range)] });
    expect(gainedAt(before, after, 'group/admins')).toEqual([]);
    expect(failedLines(after, deny('group/admins'))).toEqual([]);
  });
});

describe('a machine that gets another overlay address', () => {
  const AT_UNUSED = '100.64.0.77';
  const moved = (road: Parameters<typeof stateWith>[0], ip = AT_UNUSED) =>
    stateWith({ ...road, ips: { p3: ip } });
  const roads = [
    ['a network resource at it', { resources: [copyAt(`${AT_UNUSED}/32`)] }],
    ['a route to a range with it', { routes: [network('100.64.0.64/26')] }],
    [
      'a domain with a record of it',
      {
        resources: [copyAt('admin.internal')],
        records: [recordOf('admin.internal', 'A', AT_UNUSED)],
      },
    ],
  ] as const;
  const targets = ['peer/admin', 'group/admins', 'group/admins:tcp/5432', AT_UNUSED];

  const cases = roads.flatMap(([says, road]) => targets.map(to => [says, to, road] as const));
  test.each(cases)('%s opens %s', (_, to, road) => {
    expect(gainedAt(stateWith(road), moved(road), to)).toHaveLength(1);
    expect(movedAt('lost', [stateWith(road), moved(road)], 'peer/admin')).toEqual([]);
  });

  test.each(roads)('%s is a change of access', (_, road) => {
    const pairs = (before: AccessState, after: AccessState) => {
      const pool = rowPool();
      const [was, is] = worldsOf([before, after]).map(world => reachesOf(world, pool));
      if (was === undefined || is === undefined) throw new Error('two worlds');
      const { gained, lost } = accessChanges(was, is);
      return { gained, lost };
    };
    expect(pairs(stateWith(road), moved(road))).toEqual({ gained: 1, lost: 0 });
    expect(pairs(moved(road), stateWith(road))).toEqual({ gained: 0, lost: 1 });
  });

  test('a new overlay address inside an open range, and beside every path, changes nothing', () => {
    const wide = { routes: [network('100.64.0.0/10')] };
    expect(gainedAt(stateWith(wide), moved(wide), 'peer/admin')).toEqual([]);
    const road = { resources: [copyAt(`${AT_UNUSED}/32`)] };
    expect(gainedAt(stateWith(road), moved(road, '100.64.0.78'), 'peer/admin')).toEqual([]);
    const exit = { routes: [network('0.0.0.0/0')] };
    expect(gainedAt(stateWith(exit), moved(exit), 'peer/admin')).toEqual([]);
  });

  test('is reached by whoever reached the machine that had the address before', () => {
    const road = { resources: [copyAt('100.64.0.3/32')] };
    const swapped = stateWith({ ...road, ips: { p2: '100.64.0.3', p3: '100.64.0.2' } });
    expect(gainedAt(stateWith(road), swapped, 'peer/gateway')).toHaveLength(1);
  });
});

describe('the name of a machine in the DNS of the account', () => {
  const before = stateWith({});
  const roads = [
    ['a network resource at it', { resources: [copyAt('Admin.netbird.selfhosted')] }],
    ['a network resource at an additional name', { resources: [copyAt('ops.netbird.selfhosted')] }],
    ['a wildcard that covers it', { resources: [copyAt('*.netbird.selfhosted')] }],
    ['a route to it', { routes: [domains('admin.netbird.selfhosted')] }],
    [
      'a domain that leads to it',
      {
        resources: [copyAt('db.internal')],
        records: [recordOf('db.internal', 'CNAME', 'admin.netbird.selfhosted')],
      },
    ],
  ] as const;
  const targets = ['peer/admin', 'group/admins', 'group/admins:tcp/5432', '100.64.0.3'];
  const cases = roads.flatMap(([says, road]) => targets.map(to => [says, to, road] as const));
  test.each(cases)('%s opens %s', (_, to, road) => {
    const after = stateWith(road);
    expect(gainedAt(before, after, to)).not.toEqual([]);
    expect(failedLines(after, deny(to))).toEqual(['deny']);
  });

  test('means the machine as a destination', () => {
    const open = stateWith({ resources: [copyAt('100.64.0.3/32')] });
    expect(gainedAt(before, open, 'admin.netbird.selfhosted')).toHaveLength(1);
    expect(failedLines(open, deny('ops.netbird.selfhosted'))).toEqual(['deny']);
    expect(failedLines(before, deny('admin.netbird.selfhosted'))).toEqual([]);
  });

  test('the DNS name of another machine opens nothing', () => {
    const after = stateWith({ resources: [copyAt('gateway.netbird.selfhosted')] });
    expect(gainedAt(before, after, 'peer/admin')).toEqual([]);
    expect(failedLines(after, deny('group/admins'))).toEqual([]);
  });

  test('leads to the machine whatever its address', () => {
    const road = { resources: [copyAt('admin.netbird.selfhosted')] };
    const moved = stateWith({ ...road, ips: { p3: '100.64.0.77' } });
    expect(gainedAt(stateWith(road), moved, 'peer/admin')).toEqual([]);
  });
});
