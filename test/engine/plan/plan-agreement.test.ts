// A plan shows what it does: whatever it is made from, its two halves agree.
import { expect, test } from 'vitest';
import { planFault } from '../../../src/engine/plan/planFault.ts';
import { KINDS } from '../../support/files.ts';
import { group, peer, planFor } from '../planning.ts';

test('members that only the base declares are shown if the files no longer declare the set', () => {
  const base = '{ groups: [{ name: a, peers: [cyd] }] }';
  const live = [peer('p1', 'cyd'), group('g1', 'a', { peers: [{ id: 'p1', name: 'cyd' }] })];
  const plan = planFor('{ groups: [{ name: a }] }', live, { base });
  expect(plan.changes).toMatchObject([
    { before: { peers: ['cyd'] }, after: { peers: [] }, fields: [{ removed: ['cyd'] }] },
  ]);
  expect(planFault(plan, KINDS)).toBeNull();
});

test('a field that ends because another replaces it is shown with its last value', () => {
  const route = (fields: string) =>
    `{ routes: [{ network_id: office, network: 10.0.0.0/8, groups: [All], masquerade: true, ${fields} }], groups: [{ name: ops }] }`;
  const ids = { id: 'r1', network_id: 'office', network: '10.0.0.0/8', masquerade: true };
  const live = [
    peer('p1', 'bob'),
    group('g1', 'All'),
    group('g2', 'ops'),
    [
      'route',
      {
        ...ids,
        network_type: 'IPv4',
        metric: 9999,
        enabled: true,
        keep_route: false,
        description: '',
        groups: ['g1'],
        peer: 'p1',
      },
    ] as const,
  ];
  const plan = planFor(
    route('peer_groups: [ops], lifecycle: { was: "office 10.0.0.0/8 peer=bob" }'),
    live,
  );
  const [change] = plan.changes.filter(({ kind }) => kind === 'route');
  expect(change).toMatchObject({ before: { peer: 'bob' }, after: { peer_groups: ['ops'] } });
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(planFault(plan, KINDS)).toBeNull();
});
