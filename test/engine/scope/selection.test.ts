// A run that is limited to some objects: what is not selected is not compared, not made, not deleted, and not forgotten.
import { describe, expect, test } from 'vitest';
import { readScope } from '../../../src/engine/scope/readScope.ts';
import { namedBy, selected } from '../../../src/engine/scope/selection.ts';
import type { Selection } from '../../../src/engine/types/selection.ts';
import { kindName } from '../../../src/model/names.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { group, network, type Options, planFor, policy, type Read, resource } from '../planning.ts';

const FILES = `{
  groups: [{ name: a }, { name: b }],
  networks: [{ name: n, description: new, resources: [{ name: db, address: 10.0.0.9, groups: [a] }] }],
  policies: [{ name: p, description: new, rules: [{ name: all, protocol: all, sources: [a], destinations: [a] }] }],
}`;
const READS: readonly Read[] = [
  group('ga', 'a'),
  network('n1', 'n'),
  resource('r1', 'n1', 'db', ['ga']),
  policy('p1', 'p', ['ga'], ['ga']),
  group('gx', 'x'),
];

function changes(select: Selection, files = FILES, reads = READS, options: Options = {}) {
  const plan = planFor(files, reads, { select, ...options });
  return plan.diagnostics.length > 0
    ? plan.diagnostics.map(({ code, message }) => `${code} ${message}`)
    : plan.changes.map(({ type, kind, key }) => `${type} ${kind}.${key}`);
}

describe('a name in a selection', () => {
  const isSelected = (select: Selection, kind: string, key: string) =>
    selected(select, KINDS)({ kind: kindName(kind), key });

  test.each([
    ['engineers', true],
    ['group/engineers', true],
    ['groups/engineers', true],
    ['policy/engineers', false],
    ['eng*', true],
    ['group/*', true],
    ['engineer', false],
    ['e.*', false],
  ])('%s selects group.engineers: %s', (name, is) => {
    expect(isSelected({ only: [name] }, 'group', 'engineers')).toBe(is);
    expect(isSelected({ except: [name] }, 'group', 'engineers')).toBe(!is);
  });

  test.each([
    ['network/office', true],
    ['office/db', true],
    ['network_resource/office/*', true],
    ['networks.resources/office/db', true],
    ['network/offic', false],
    ['db', false],
  ])('%s selects the children of network.office: %s', (name, is) => {
    expect(isSelected({ only: [name] }, 'network_resource', 'office/db')).toBe(is);
  });
});

describe('a selection limits a run', () => {
  test('a selection limits a run by kind', () => {
    expect(changes({})).toHaveLength(4);
    expect(changes({ kinds: ['policies'] })).toEqual(['update policy.p']);
    expect(changes({ kinds: ['group', 'networks.resources'] })).toEqual([
      'create group.b',
      'update network_resource.n/db',
    ]);
  });

  test('a selection limits a run to some objects and their children', () => {
    expect(changes({ only: ['network/n', 'b'] })).toEqual([
      'create group.b',
      'update network.n',
      'update network_resource.n/db',
    ]);
  });

  test('a selection limits a run to all objects except some', () => {
    expect(changes({ except: ['network/*', 'policy/p'] })).toEqual(['create group.b']);
    expect(changes({ kinds: ['policy'], except: ['p'] })).toEqual([]);
  });

  test('a selection limits the deletions of a run too', () => {
    const options: Options = { prune: 'unmanaged' };
    expect(changes({ kinds: ['group'] }, FILES, READS, options)).toEqual([
      'create group.b',
      'delete group.x',
    ]);
    expect(changes({ except: ['group/x'] }, FILES, READS, options)).not.toContain('delete group.x');
    const doomed = FILES.replace('{ name: b }', '{ name: x, lifecycle: { delete: true } }');
    expect(changes({ kinds: ['policy'] }, doomed)).toEqual(['update policy.p']);
    expect(changes({ only: ['x'] }, doomed)).toEqual(['delete group.x']);
  });
});

describe('an object outside the selection', () => {
  test('is counted', () => {
    const { unselected, declared } = planFor(FILES, READS, { select: { kinds: ['network'] } });
    expect({ unselected, declared }).toEqual({ unselected: 4, declared: 1 });
    expect(planFor(FILES, READS)).not.toHaveProperty('unselected');
  });

  test('keeps the objects that it refers to in the account, whatever the files declare', () => {
    const files = 'groups: [{ name: b }]\npolicies: []';
    const lettingGo = `${files.split('\n')[0]}\npolicies: [{ name: p, rules: [{ name: all, protocol: all, sources: [b], destinations: [b] }] }]`;
    const reads = [group('ga', 'a'), group('gb', 'b'), policy('p1', 'p', ['ga'], ['ga'])];
    const options: Options = { prune: 'unmanaged' };
    expect(changes({ kinds: ['group'] }, lettingGo, reads, options)).toEqual([]);
    expect(changes({}, lettingGo, reads, options)).toEqual(['delete group.a', 'update policy.p']);
  });

  test('cannot be referenced before it exists', () => {
    const files =
      'groups: [{ name: c }]\nnetworks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [c] }] }]';
    expect(changes({ kinds: ['network', 'network_resource'] }, files, [])).toEqual([
      'REF_UNKNOWN the account has no group `c`, and the declared group `c` is not part of this run',
    ]);
  });

  test('cannot get children before it exists', () => {
    const files = 'networks: [{ name: n, routers: [{ peer_groups: [All], masquerade: true }] }]';
    const reads = [group('g0', 'All')];
    expect(changes({ kinds: ['network_router'] }, files, reads)).toEqual([
      'REF_UNKNOWN the account has no network `n`, and the declared network `n` is not part of this run',
    ]);
    expect(changes({ kinds: ['network_router'] }, files, [...reads, network('n1', 'n')])).toEqual([
      'create network_router.n/All',
    ]);
  });

  test('keeps its name in the account', () => {
    const files =
      'groups: [{ name: c, lifecycle: { was: a } }]\nnetworks: [{ name: n, description: new, resources: [{ name: db, address: 10.0.0.1/32, groups: [c] }] }]';
    expect(changes({ kinds: ['network', 'network_resource'] }, files)).toEqual([
      'update network.n',
    ]);
  });

  test('never keeps a reference to an object that is replaced', () => {
    const files = `{
      groups: [{ name: a }],
      networks: [{ name: n }, { name: m, resources: [{ name: db, address: 10.0.0.1, groups: [a], lifecycle: { was: n/db } }] }],
      policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinationResource: { network_resource: m/db } }] }],
    }`;
    const pointing = policy('p1', 'p', ['ga'], [], {
      rules: [
        {
          id: 'p1-1',
          name: 'all',
          enabled: true,
          action: 'accept',
          bidirectional: false,
          protocol: 'all',
          sources: ['ga'],
          destinationResource: { id: 'r1', type: 'host' },
        },
      ],
    });
    const reads = [...READS.slice(0, 3), network('n2', 'm'), pointing];
    expect(changes({ kinds: ['network_resource'] }, files, reads)).toEqual([
      'OBJECT_POINTED_AT network_resource.m/db must be created again, but policy.p refers to it and is not part of this run',
    ]);
    expect(changes({ kinds: ['network_resource', 'policy'] }, files, reads)).toEqual([
      'replace network_resource.m/db',
      'update policy.p',
    ]);
  });
});

test.each<[Selection, string]>([
  [{ only: ['grop/a'] }, '`grop/a` is neither declared nor in the account'],
  [{ except: ['policy/a'] }, '`policy/a` is neither declared nor in the account'],
  [{ kinds: ['polices'] }, '`polices` is not a kind'],
])('a name that matches no object is an error: %j', (select, message) => {
  expect(changes(select)).toEqual([`SELECTION_UNKNOWN ${message}`]);
});

test('only the lists that the selection needs are read', () => {
  const select = { only: ['network_resource/n/db'] };
  const { kinds, parents } = readScope(KINDS, desiredOf(FILES), [], 'none', select);
  expect([...kinds].sort()).toEqual(['group', 'network', 'network_resource']);
  expect(parents.get(kindName('network_resource'))).toBe('all');
});

test('a pattern of any length, with any number of stars, is matched without a regular expression', () => {
  const long = namedBy([`${'a*'.repeat(20_000)}b`], KINDS);
  expect(long({ kind: kindName('group'), key: 'a'.repeat(30_000) })).toBe(false);
  const starred = namedBy(['*-eu-*', 'x*x', 'p[1]*'], KINDS);
  const names = ['a-eu-b', '-eu-', 'eu', 'xx', 'x', 'xyx', 'p[1]', 'p1'];
  expect(names.filter(key => starred({ kind: kindName('group'), key }))).toEqual([
    'a-eu-b',
    '-eu-',
    'xx',
    'xyx',
    'p[1]',
  ]);
});
