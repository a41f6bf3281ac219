// What files under `grants/` may say of what other files declare: nothing, in any layer.
import { describe, expect, test } from 'vitest';
import { readKinds } from '../../../src/kinds/registry.ts';
import { readerOf } from '../../../src/source/load.ts';
import type { Inputs } from '../../../src/source/values/externalInputs.ts';

const inputs: Inputs = { env: () => 'there', file: () => 'there', vars: new Map() };
const reader = readerOf(readKinds());

const BASE = `sets: { teams: { red: { machines: [root] } } }
groups:
  - { name: admins, peers: [root] }
  - { name: db }
  - { name: "team \${each.key}", for_each: teams, peers: "\${each.value.machines}" }
policies:
  - name: no access
    rules: [{ name: d, action: drop, sources: [admins], destinations: [db], protocol: all }]
networks:
  - name: prod
    resources: [{ name: orders, address: 10.0.0.5, groups: [db] }]
`;
const UNTIL = 'lifecycle: { until: 2030-01-01 }';

interface Given {
  readonly file: string;
  readonly order: number;
  readonly text: string;
}

/** The errors of files, of which those named `grants` are grants. */
function faultsOf(...given: readonly Given[]) {
  const sources = given.map(({ file, order, text }) => ({
    file,
    text,
    layer: { order, fromLastLayer: `${order}` },
    isGrant: file.startsWith('grants'),
  }));
  const { diagnostics, desired } = reader.read(sources, inputs);
  const faults = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at, message }) => `${at?.file}:${at?.line}:${at?.column} ${code} ${message}`);
  return { faults, names: desired.map(({ kind, key }) => `${kind} ${key}`) };
}

const base: Given = { file: 'base.yaml', order: 0, text: BASE };

describe('a file of grants cannot', () => {
  test.each([
    ['add a member to a group', 'groups: [{ name: admins, peers: [m] }]', 'the group `admins`'],
    [
      'add a member that ends',
      'groups: [{ name: admins, peers: [{ name: m, until: 2030-01-01 }] }]',
      'the group `admins`',
    ],
    ['end a group', `groups: [{ name: admins, ${UNTIL}, peers: [m] }]`, 'the group `admins`'],
    ['name a group', 'groups: [{ name: admins }]', 'the group `admins`'],
    [
      'omit a policy',
      'policies: [{ name: no access, lifecycle: { omit: true } }]',
      'the policy `no access`',
    ],
    [
      'override a policy',
      'policies: [{ name: no access, enabled: false, lifecycle: { override: true, until: 2030-01-01 } }]',
      'the policy `no access`',
    ],
    [
      'override a child',
      'networks: [{ name: prod, resources: [{ name: orders, address: 0.0.0.0/0, lifecycle: { override: true } }] }]',
      'the network resource `orders`',
    ],
    ['add to a set', 'sets: { teams: { evil: { machines: [m] } } }', 'the set `teams`'],
    ['take out of a set', 'sets: { teams: { red: null } }', 'the set `teams`'],
  ])('%s of an earlier layer', (_, text, what) => {
    const { faults } = faultsOf(base, { file: 'grants.yaml', order: 1, text });
    expect(faults).toEqual([expect.stringMatching(/^grants\.yaml:1:\d+ GRANT_REFUSED /)]);
    expect(faults[0]).toContain(`${what} is declared elsewhere`);
  });

  test.each([0, 1])('lend a template, in layer %d', order => {
    const text = BASE.replace('peers: [root] }', 'extends: more }');
    const { faults } = faultsOf(
      { ...base, text },
      { file: 'grants.yaml', order, text: 'templates: [{ name: more, peers: [m] }]' },
    );
    expect(faults).toEqual([expect.stringMatching(/^base\.yaml:3:.* GRANT_REFUSED .*`more`/)]);
  });

  test.each([0, 1])('lend a set, in layer %d', order => {
    const [set = '', ...rest] = BASE.split('\n');
    const { faults } = faultsOf(
      { ...base, text: rest.join('\n') },
      { file: 'grants.yaml', order, text: set },
    );
    expect(faults).toEqual([expect.stringMatching(/^base\.yaml:4:.* GRANT_REFUSED .*`red`/)]);
  });
});

test('no other file overrides what a file of grants declares', () => {
  const grant = { file: 'grants.yaml', order: 0, text: `groups: [{ name: tmp, ${UNTIL} }]` };
  const text = 'groups: [{ name: tmp, peers: [m], lifecycle: { override: true, until: null } }]';
  expect(faultsOf(grant, { file: 'later.yaml', order: 1, text }).faults).toEqual([
    expect.stringMatching(/^later\.yaml:1:\d+ GRANT_REFUSED .*`tmp` is declared under/),
  ]);
});

test.each([0, 1])('a file of grants has no access tests, in layer %d', order => {
  const text = `groups: [{ name: tmp, ${UNTIL} }]
access_tests: [{ name: t, from: group/admins, allow: [group/db] }]
`;
  const { faults } = faultsOf(base, { file: 'grants.yaml', order, text });
  expect(faults).toEqual([
    expect.stringMatching(/^grants\.yaml:2:\d+ GRANT_REFUSED `access_tests` is under/),
  ]);
});

test('a file of grants uses templates and sets of other files, and its own', () => {
  const text = `templates: [{ name: own, enabled: true }]
sets: { mine: [x] }
policies:
  - name: tmp \${each.key}
    for_each: teams
    extends: [shared, own]
    ${UNTIL}
  - name: tmp \${each.key}
    for_each: mine
    extends: shared
    ${UNTIL}
`;
  const shared = `templates:
  - name: shared
    rules: [{ name: r, sources: [admins], destinations: [db], protocol: icmp }]
`;
  const { faults, names } = faultsOf(
    { ...base, text: `${BASE}${shared}` },
    { file: 'grants.yaml', order: 1, text },
  );
  expect(faults).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['policy tmp red', 'policy tmp x']));
});

test('a file of grants may add children with an expiry to an object of an earlier layer', () => {
  const text = `networks: [{ name: prod, resources: [{ name: tmp, address: 10.0.0.6, groups: [db], ${UNTIL} }] }]`;
  const { faults, names } = faultsOf(base, { file: 'grants.yaml', order: 1, text });
  expect(faults).toEqual([]);
  expect(names).toContain('network_resource prod/tmp');
});
