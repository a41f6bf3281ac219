// A rename that the files do not tell of: when the plan asks, what it says to write, and who would be lost.
import { describe, expect, test } from 'vitest';
import {
  group,
  network,
  type Options,
  peer,
  planFor,
  policy,
  type Read,
  resource,
} from '../planning.ts';

const PEERS = [peer('p1', 'ada'), peer('p2', 'bob'), peer('p3', 'cyd')];

/** The hints of a plan by the key of the new object, without the evidence. */
const hints = (...given: Parameters<typeof planFor>) =>
  Object.fromEntries(
    planFor(...given).changes.flatMap(({ key, notes }) =>
      notes
        .filter(note => note.startsWith('renamed?'))
        .map(note => [key, note.slice('renamed? add '.length, note.indexOf(', as in'))]),
    ),
  );

const devs = (peers: string[], more = {}): Read => group('g1', 'devs', { peers, ...more });
const POLICY = (sources: string) =>
  `policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [${sources}], destinations: [servers] }] }]`;

describe('a deleted group and a new group look alike', () => {
  const unmanaged: Options = { prune: 'unmanaged' };

  test('two groups look alike if they share half of the members of the smaller group', () => {
    const files = 'groups: [{ name: developers, peers: [ada] }]';
    expect(hints(files, [...PEERS, devs(['p1', 'p2', 'p3'])], unmanaged)).toEqual({
      developers: '`was: devs`',
    });
  });

  test('two groups look alike if objects refer to the new group instead of the old group', () => {
    const files = `{ groups: [{ name: developers }, { name: servers }], ${POLICY('developers')} }`;
    const reads = [devs([]), group('g2', 'servers'), policy('q1', 'p', ['g1'], ['g2'])];
    expect(hints(files, reads, unmanaged)).toEqual({ developers: '`was: devs`' });
    const { changes } = planFor(files, reads, unmanaged);
    expect(changes.find(({ key }) => key === 'developers')?.notes).toEqual([
      'renamed? add `was: devs`, as in `lifecycle: { was: devs }`: group.devs is deleted and looks like this object (policy.p now refers to this object)',
    ]);
  });

  test('the rename is suggested if the files themselves delete the old group', () => {
    const files =
      'groups: [{ name: developers, peers: [ada] }, { name: devs, lifecycle: { delete: true } }]';
    const { changes } = planFor(files, [...PEERS, devs(['p1'])]);
    expect(changes.find(({ key }) => key === 'developers')?.notes).toEqual([
      expect.stringContaining('`lifecycle: { was: devs }`, and remove its own entry: group.devs'),
    ]);
  });

  test('the rename is suggested if the old group is left alone, and most of its members are in the new group', () => {
    const files = 'groups: [{ name: developers, peers: [ada, bob] }]';
    expect(hints(files, [...PEERS, devs(['p1', 'p2'])])).toEqual({ developers: '`was: devs`' });
    expect(hints(files, [...PEERS, devs(['p1', 'p2', 'p3'])])).toEqual({
      developers: '`was: devs`',
    });
    const one = 'groups: [{ name: oncall, peers: [ada] }]';
    expect(hints(one, [...PEERS, devs(['p1', 'p2', 'p3'])])).toEqual({});
  });

  test('the suggested name is in quotes if it needs them', () => {
    const files = 'groups: [{ name: developers, peers: [ada] }]';
    const reads = [...PEERS, group('g1', 'devs: all', { peers: ['p1'] })];
    expect(hints(files, reads, unmanaged)).toEqual({ developers: '`was: "devs: all"`' });
  });

  test.each([
    ['${var:TEAM}', '`was: "$${var:TEAM}"`'],
    ['devs ${each.key}', '`was: "devs $${each.key}"`'],
    ['devs ${office.value.name', '`was: "devs $${office.value.name"`'],
  ])('the hint is written so that %j is read as that name', (name, hint) => {
    const files = 'groups: [{ name: developers, peers: [ada] }]';
    const reads = [...PEERS, group('g1', name, { peers: ['p1'] })];
    expect(hints(files, reads, unmanaged)).toEqual({ developers: hint });
  });
});

describe('no rename is suggested', () => {
  const unmanaged: Options = { prune: 'unmanaged' };

  test('no rename is suggested if the two groups have nothing in common', () => {
    const files = 'groups: [{ name: developers, peers: [bob] }]';
    expect(hints(files, [...PEERS, devs(['p1'])], unmanaged)).toEqual({});
    expect(hints('groups: [{ name: developers }]', [devs([])], unmanaged)).toEqual({});
  });

  test('no rename is suggested if a group is split into equal parts, or two groups become one', () => {
    const split = 'groups: [{ name: x, peers: [ada] }, { name: y, peers: [bob] }]';
    expect(hints(split, [...PEERS, devs(['p1', 'p2'])], unmanaged)).toEqual({});
    const merged = 'groups: [{ name: x, peers: [ada, bob] }]';
    const two = [...PEERS, devs(['p1']), group('g2', 'ops', { peers: ['p2'] })];
    expect(hints(merged, two, unmanaged)).toEqual({});
  });

  test('no rename is suggested if `was` states it, and for objects that another system owns', () => {
    const files = 'groups: [{ name: developers, peers: [ada], lifecycle: { was: devs } }]';
    expect(hints(files, [...PEERS, devs(['p1'])], unmanaged)).toEqual({});
    const plain = 'groups: [{ name: developers, peers: [ada] }]';
    expect(hints(plain, [...PEERS, devs(['p1'], { issued: 'jwt' })], unmanaged)).toEqual({});
  });

  test('no rename is suggested for kinds whose names never change', () => {
    const key: Read = [
      'setup_key',
      {
        id: 'k1',
        name: 'old',
        type: 'reusable',
        auto_groups: ['g1'],
        usage_limit: 3,
        revoked: false,
      },
    ];
    const files =
      '{ groups: [{ name: a }], setup_keys: [{ name: new, type: reusable, expires_in: 86400, auto_groups: [a], usage_limit: 3 }] }';
    expect(hints(files, [group('g1', 'a'), key], unmanaged)).toEqual({});
  });
});

describe('other kinds follow the same rules', () => {
  const unmanaged: Options = { prune: 'unmanaged' };

  test('a network by its children, which are not asked about again', () => {
    const files =
      'networks: [{ name: hq, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }]';
    const reads = [network('n1', 'office'), resource('r1', 'n1', 'db')];
    expect(hints(files, reads, unmanaged)).toEqual({ hq: '`was: office`' });
  });

  test('a resource by its address; in another network by its name, as parent/name', () => {
    const files = (name: string) =>
      `networks: [{ name: n }, { name: m, resources: [{ name: ${name}, address: 10.0.0.1, groups: [] }] }]`;
    const reads = [network('n1', 'n'), network('n2', 'm'), resource('r1', 'n2', 'old')];
    expect(hints(files('new'), reads, unmanaged)).toEqual({ 'm/new': '`was: old`' });
    const moved = [network('n1', 'n'), network('n2', 'm'), resource('r1', 'n1', 'db')];
    expect(hints(files('db'), moved, unmanaged)).toEqual({ 'm/db': '`was: n/db`' });
  });

  test('a policy by its rules; not by a description that others have too', () => {
    const files = (name: string, ports = '') =>
      `{ groups: [{ name: a }, { name: b }], policies: [{ name: ${name}, description: ours, rules: [{ name: all, protocol: ${ports === '' ? 'all' : 'tcp'}, sources: [a], destinations: [b]${ports} }] }] }`;
    const more = { description: 'ours' };
    const reads = [group('g1', 'a'), group('g2', 'b'), policy('q1', 'old', ['g1'], ['g2'], more)];
    expect(hints(files('new'), reads, unmanaged)).toEqual({ new: '`was: old`' });
    const third = policy('q2', 'third', ['g2'], ['g1'], more);
    expect(hints(files('new', ', ports: ["22"]'), [...reads, third], unmanaged)).toEqual({});
  });
});

describe('members that joined by enrolment', () => {
  const losses = (...given: Parameters<typeof planFor>) =>
    planFor(...given).actions.flatMap(({ hazards, verb }) =>
      hazards.flatMap(({ code, message, allowed }) =>
        code === 'LOSES_MEMBERS' ? [`${verb}${allowed ? ' allowed' : ''}: ${message}`] : [],
      ),
    );
  const reads = [...PEERS, devs(['p1', 'p2', 'p3'])];
  const base = 'groups: [{ name: devs, peers: [ada] }]';

  test('are a separate hazard with their number, if their group is deleted', () => {
    expect(losses('groups: [{ name: x }]', reads, { prune: 'removed', base })).toEqual([
      'delete: 2 members of group.devs joined by enrolment: no file declares them, and they lose their membership when the set is deleted',
    ]);
    expect(losses('groups: [{ name: x }]', reads, { prune: 'unmanaged' })).toEqual([
      expect.stringContaining('3 members of group.devs'),
    ]);
    const declared = 'groups: [{ name: devs, peers: [ada, bob], lifecycle: { delete: true } }]';
    expect(losses(declared, reads)).toEqual([expect.stringContaining('1 member of group.devs')]);
  });

  test('exclude those that the likely successor declares', () => {
    const files = 'groups: [{ name: developers, peers: [ada, bob] }]';
    expect(losses(files, reads, { prune: 'unmanaged' })).toEqual([
      expect.stringContaining('1 member of group.devs'),
    ]);
  });

  test('are allowed by that hazard’s code, and not by another', () => {
    const files = 'groups: [{ name: x }]';
    const with_ = (code: 'LOSES_MEMBERS' | 'DELETES_OBJECT') =>
      losses(files, reads, { prune: 'unmanaged', allow: [{ code }] })[0]?.split(':')[0];
    expect([with_('DELETES_OBJECT'), with_('LOSES_MEMBERS')]).toEqual(['delete', 'delete allowed']);
  });

  test('are none if the base declared all, the group is empty, or it is renamed', () => {
    const whole = 'groups: [{ name: devs, peers: [ada, bob, cyd] }]';
    expect(losses('groups: [{ name: x }]', reads, { prune: 'removed', base: whole })).toEqual([]);
    expect(losses('groups: [{ name: x }]', [devs([])], { prune: 'unmanaged' })).toEqual([]);
    const renamed = 'groups: [{ name: x, lifecycle: { was: devs } }]';
    expect(losses(renamed, reads, { prune: 'unmanaged' })).toEqual([]);
  });
});
