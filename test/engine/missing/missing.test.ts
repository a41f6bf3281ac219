// What a plan does without an object that somebody deleted: a set can lose it, and nothing that is written ever means more.
import { expect, test } from 'vitest';
import type { MissingObject } from '../../../src/model/missingObjects.ts';
import type { Key } from '../../../src/model/names.ts';
import { kindName } from '../../../src/model/names.ts';
import { group, peer, planFor, type Read } from '../planning.ts';

const deleted = (kind: string, key: string): MissingObject => ({
  kind: kindName(kind),
  key: key as Key,
  fate: { type: 'deleted', by: 'ada@example.com', when: '2026-03-01T09:30:00Z' },
});

const renamed = (kind: string, key: string): MissingObject => ({
  kind: kindName(kind),
  key: key as Key,
  fate: { type: 'renamed', to: 'other' },
});

const READS: Read[] = [group('g1', 'a'), group('g2', 'b'), peer('p1', 'stays')];

/** What is planned, and what stays as it is. */
function without(files: string, ...missing: readonly MissingObject[]) {
  const { actions, diagnostics, changes } = planFor(files, READS, { missing });
  const ofCode = (wanted: string) => diagnostics.filter(({ code }) => code === wanted);
  return {
    errors: diagnostics.filter(({ severity }) => severity === 'error'),
    written: actions.map(({ address }) => address),
    fields: Object.fromEntries(changes.map(({ address, after }) => [address, after])),
    held: ofCode('OBJECT_HELD').map(({ message }) => message.split(' ')[0]),
    missing: ofCode('OBJECT_MISSING').length,
  };
}

const policy = (rule: string, more = '') =>
  `groups: [{ name: a }, { name: b }]\npolicies: [{ name: p${more}, rules: [{ name: r, protocol: all, ${rule} }] }]\n`;

test('a group loses a deleted member', () => {
  const found = without('groups: [{ name: a, peers: [gone, stays] }]', deleted('peer', 'gone'));
  expect(found).toMatchObject({ errors: [], written: ['group.a'], held: [], missing: 1 });
  expect(found.fields).toMatchObject({ 'group.a': { peers: ['stays'] } });
});

test('a group that loses all of its members is empty', () => {
  const found = without('groups: [{ name: c, peers: [gone] }]', deleted('peer', 'gone'));
  expect(found).toMatchObject({ errors: [], written: ['group.c'], held: [] });
});

test('a rule loses one of several sources', () => {
  const files = policy('sources: [a, lost], destinations: [b]');
  const found = without(files, deleted('group', 'lost'));
  expect(found).toMatchObject({ errors: [], written: ['policy.p'], held: [] });
  expect(JSON.stringify(found.fields)).not.toContain('lost');
});

test.each([
  ['its only source', policy('sources: [lost], destinations: [b]'), deleted('group', 'lost')],
  [
    'a single reference',
    policy('sources: [a], destinationResource: { peer: gone }'),
    deleted('peer', 'gone'),
  ],
  [
    'a posture check, without which it would admit more',
    `${policy('sources: [a], destinations: [b]', ', source_posture_checks: [lost, kept]')}posture_checks: [{ name: kept, checks: { nb_version_check: { min_version: 0.40.0 } } }]\n`,
    deleted('posture_check', 'lost'),
  ],
  [
    'a renamed group, which the account still admits',
    policy('sources: [a, lost], destinations: [b]'),
    renamed('group', 'lost'),
  ],
])('a policy that would lose %s is not written', (_, files, missing) => {
  const found = without(files, missing);
  expect(found.errors).toEqual([]);
  expect(found.written).not.toContain('policy.p');
  expect(found).toMatchObject({ held: ['policy.p'], missing: 1 });
});

test('a route keeps its access control groups, or is not written', () => {
  const route =
    'groups: [{ name: a }]\nroutes: [{ network_id: r, network: 10.0.0.0/24, peer_groups: [a], groups: [a], access_control_groups: [a, lost], masquerade: false, keep_route: false, metric: 100 }]\n';
  expect(without(route, deleted('group', 'lost'))).toMatchObject({
    errors: [],
    written: [],
    held: [expect.stringMatching(/^route/)],
  });
});

test('an object is written without a reference to an object that is not created', () => {
  const files = `groups: [{ name: a }]
networks: [{ name: n, routers: [{ peer: gone, masquerade: false, metric: 1 }], resources: [{ name: r, address: 10.0.0.1, groups: [a] }] }]
`;
  const found = without(files, deleted('peer', 'gone'));
  expect(found.errors).toEqual([]);
  expect(found.written).toEqual(['network.n', 'network_resource.n/r']);
  expect(found.held).toEqual([expect.stringMatching(/^network_router/)]);
});

test('a declared machine that was deleted is reported, and is the only error', () => {
  const files =
    'groups: [{ name: a, peers: [gone] }]\npeers: [{ name: gone, ssh_enabled: true }]\n';
  expect(without(files, deleted('peer', 'gone'))).toMatchObject({
    errors: [],
    written: [],
    held: [],
    missing: 1,
  });
});

test('a typing error beside it stays an error, with its place', () => {
  const files = 'groups:\n  - name: a\n    peers:\n      - gone\n      - stayz\n';
  const { diagnostics } = planFor(files, READS, { missing: [deleted('peer', 'gone')] });
  expect(diagnostics.map(({ code, at }) => [code, at?.line])).toEqual([
    ['OBJECT_MISSING', 4],
    ['REF_UNKNOWN', 5],
  ]);
});
