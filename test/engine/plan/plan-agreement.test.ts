// A plan shows what it does: whatever it is made from, its two halves agree.
import { expect, test } from 'vitest';
import { planFault } from '../../../src/engine/plan/planFault.ts';
import { KINDS } from '../../support/files.ts';
import { group, peer, planFor } from '../planning.ts';

test('members that only the base declares are shown where the files no longer name the set', () => {
  const base = '{ groups: [{ name: a, peers: [cyd] }] }';
  const live = [peer('p1', 'cyd'), group('g1', 'a', { peers: [{ id: 'p1', name: 'cyd' }] })];
  const plan = planFor('{ groups: [{ name: a }] }', live, { base });
  expect(plan.changes).toMatchObject([
    { before: { peers: ['cyd'] }, after: { peers: [] }, fields: [{ removed: ['cyd'] }] },
  ]);
  expect(planFault(plan, KINDS)).toBeNull();
});
