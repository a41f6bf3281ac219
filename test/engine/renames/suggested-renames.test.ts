// The renames that a plan suggests, as far as the engine decides: which objects belong together, and what would be refused.
import { expect, test } from 'vitest';
import { acceptedRenames } from '../../../src/engine/renames/acceptedRenames.ts';
import type { SuggestedRename } from '../../../src/model/suggestedRename.ts';
import {
  declared,
  group,
  network,
  peer,
  planFor,
  policy,
  type Read,
  resource,
  router,
} from '../planning.ts';

/** The suggestions of a plan: `network.b was: a`. */
function suggested(files: string, reads: readonly Read[]): readonly string[] {
  const { renames } = planFor(files, reads, { suggestRenames: true });
  return (renames?.suggested ?? []).map(
    ({ kind, key, entry }) => `${kind}.${key} ${entry.name}: ${entry.value}`,
  );
}

// Objects that are not renamed and refer to each other, so that the account has more to tell apart than the files.
const CHAIN: readonly Read[] = [0, 1, 2, 3, 4, 5].flatMap((i): Read[] => [
  group(`c${i}`, `chain ${i}`),
  policy(`cp${i}`, `chain ${i}`, [`c${Math.max(0, i - 1)}`], [`c${i}`]),
]);
const ACCOUNT: readonly Read[] = [
  group('g1', 'staff'),
  group('g2', 'gw'),
  group('g3', 'web'),
  network('n1', 'prod'),
  resource('r1', 'n1', 'db', ['g3']),
  router('t1', 'n1', ['g2']),
  policy('p1', 'one', ['g1'], ['g3']),
  ...CHAIN,
];
const files = (
  name: (old: string) => string,
) => `groups: [{ name: staff }, { name: ${name('gw')} }, { name: web }]
networks:
  - name: ${name('prod')}
    resources: [{ name: ${name('db')}, address: 10.0.0.1/32, groups: [web] }]
    routers: [{ peer_groups: [${name('gw')}], metric: 9999, masquerade: true }]
policies:
  - { name: one, rules: [{ name: all, sources: [staff], destinations: [web], protocol: all, bidirectional: false }] }
`;
const OF_NETWORK: Readonly<Record<string, string>> = {
  gw: 'group.new-gw was: gw',
  prod: 'network.new-prod was: prod',
  db: 'network_resource.new-prod/new-db was: db',
};

test.each([[['prod', 'db']], [['prod', 'gw']], [['prod', 'db', 'gw']]])(
  'a network is recognised although %j are renamed together',
  renamed => {
    const text = files(old => (renamed.includes(old) ? `new-${old}` : old));
    const expected = renamed.map(old => OF_NETWORK[old]).sort();
    expect([...suggested(text, ACCOUNT)].sort()).toEqual(expected);
  },
);

test.each(['all', 'web', 'ssl'])(
  'a policy is recognised although its groups are renamed too, and its rule is now called %s',
  rule => {
    const reads = [
      group('g1', 'staff'),
      group('g2', 'servers'),
      policy('p1', 'web', ['g1'], ['g2']),
    ];
    const text = `groups: [{ name: people }, { name: machines }]
policies: [{ name: http, rules: [{ name: ${rule}, sources: [people], destinations: [machines], protocol: all, bidirectional: false }] }]
`;
    expect(suggested(text, reads)).toEqual([
      'group.people was: staff',
      'group.machines was: servers',
      'policy.http was: web',
    ]);
  },
);

const ROUTE: Read = [
  'route',
  {
    id: 't1',
    network_id: 'r1',
    network: '10.9.0.0/16',
    network_type: 'IPv4',
    description: '',
    peer_groups: ['g2'],
    groups: ['g1'],
    metric: 100,
    masquerade: true,
    enabled: true,
    keep_route: false,
  },
];
const route = (id: string, gateways: string, lifecycle = '') =>
  `groups: [{ name: staff }, { name: ${gateways} }]
routes:
  - { network_id: ${id}, network: 10.9.0.0/16, peer_groups: [${gateways}], groups: [staff], metric: 100, masquerade: true, enabled: true, keep_route: false${lifecycle} }
`;
const OF_ROUTE: readonly Read[] = [group('g1', 'staff'), group('g2', 'gw'), ROUTE];

test('a route with another name is bound by its id, also if its group was renamed too', () => {
  expect(suggested(route('r2', 'gw'), OF_ROUTE)).toEqual(['route.r2 10.9.0.0/16 gw id: t1']);
  expect(suggested(route('r2', 'gates'), OF_ROUTE)).toEqual([
    'group.gates was: gw',
    'route.r2 10.9.0.0/16 gates id: t1',
  ]);
  const bound = route('r2', 'gw', ', lifecycle: { id: t1 }');
  const { changes, diagnostics } = planFor(bound, OF_ROUTE);
  expect(diagnostics).toEqual([]);
  expect(changes.map(({ type, key }) => `${type} ${key}`)).toContain('update r2 10.9.0.0/16 gw');
});

test('a route that only the name of a renamed group identifies needs no entry', () => {
  expect(suggested(route('r1', 'gates'), OF_ROUTE)).toEqual(['group.gates was: gw']);
});

test('objects that nothing tells apart are listed although nothing refers to them', () => {
  const reads = [0, 1, 2].map(i => group(`g${i}`, `old ${i}`));
  const { renames } = planFor('groups: [{ name: a }, { name: b }, { name: c }]', reads, {
    suggestRenames: true,
  });
  expect(renames).toMatchObject({
    suggested: [],
    alike: [{ former: ['group["old 0"]', 'group["old 1"]', 'group["old 2"]'], by: 'was' }],
  });
});

test('new and old objects of a kind that nothing connects are listed', () => {
  const devs = group('g1', 'devs', { peers: ['p1'] });
  const reads = [peer('p1', 'ada'), devs, group('g2', 'gone'), network('n1', 'prod')];
  const text = 'groups: [{ name: new }, { name: gone, lifecycle: { delete: true } }]';
  const { renames } = planFor(text, reads, { suggestRenames: true });
  expect(renames).toMatchObject({
    suggested: [],
    alike: [],
    unproven: [{ created: ['group.new'], former: ['group.devs'] }],
  });
});

test('renames with which the plan has a new error are refused, and the others are not', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const desired = names.map(name => declared('group', name));
  const renames = desired.map(({ kind, key, at }): SuggestedRename => {
    const entry = { name: 'was', value: `old ${key}` } as const;
    return { kind, key, at, former: `group.old-${key}` as never, entry, isDeclared: false };
  });
  const old = { code: 'OBJECT_IN_THE_WAY', severity: 'error', message: 'known before' } as const;
  const { suggested: accepted, refused } = acceptedRenames(renames, {
    desired,
    diagnostics: [old],
    findingsFor: objects => {
      const isIn = objects.some(({ key, lifecycle }) => String(key) === 'c' && lifecycle.was);
      return isIn ? [old, { ...old, message: 'c is in the way' }] : [old];
    },
  });
  expect(accepted.map(({ key }) => String(key))).toEqual(['a', 'b', 'd', 'e']);
  expect(refused.map(({ rename, because }) => [String(rename.key), because])).toEqual([
    ['c', 'c is in the way'],
  ]);
});
