// A declaration does not take the object of another folder by its id.
import { expect, test } from 'vitest';
import { planned } from '../../../src/engine/plan/plan.ts';
import { findEndings } from '../../../src/engine/plan/planEndings.ts';
import { endsWithFiles } from '../../../src/pipeline/planning/endsToPlan.ts';
import { endedAt } from '../../../src/source/endings/endedAt.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { group, planFor, planInput, policy } from '../planning.ts';

const reads = [group('g1', 'team'), group('g2', 'free')];
const others = [{ name: 'appteam', files: desiredOf('groups: [{ name: team }]'), base: [] }];

const codes = (files: string) =>
  planFor(files, reads, { others }).diagnostics.map(({ code, message }) => [code, message]);

test.each([
  ['deleted', 'lifecycle: { id: g1, delete: true }'],
  ['renamed', 'lifecycle: { id: g1 }'],
])('an object that another folder declares is not %s by its id', (_, lifecycle) => {
  expect(codes(`groups: [{ name: foo, ${lifecycle} }]`)).toEqual([
    ['OBJECT_DUPLICATE', 'group.foo would be group.team, which `appteam` declares'],
  ]);
});

test('an object that no other folder declares is renamed by its id', () => {
  expect(codes('groups: [{ name: foo, lifecycle: { id: g2 } }]')).toEqual([]);
});

test('an object that only the base of another folder has may be taken over', () => {
  const base = desiredOf('groups: [{ name: team }]');
  const moved = [{ name: 'appteam', files: [], base, commit: 'c0ffee' }];
  const files = 'groups: [{ name: foo, lifecycle: { id: g1 } }]';
  expect(planFor(files, reads, { others: moved }).diagnostics).toEqual([]);
});

test.each([
  ['that another folder renames', 'g', '', 'x, lifecycle: { was: g }'],
  ['under its former name, which another folder declares', 'k', ', was: k', 'k'],
])('an ended object %s stays, and the other ends are carried out', async (_, name, was, other) => {
  const now = Date.parse('2026-12-03T00:00:00Z');
  const rules = 'rules: [{ name: all, sources: [team], destinations: [free], protocol: all }]';
  const end = 'until: 2026-12-01';
  const text = `policies:\n  - { name: g, lifecycle: { ${end}${was} }, ${rules} }\n  - { name: h, lifecycle: { ${end} }, ${rules} }\n`;
  const { desired, endings } = endedAt(desiredOf(text), KINDS, now);
  const live = [name, 'h'].map(one => policy(one, one, ['g1'], ['g2']));
  const app = {
    name: 'app',
    files: desiredOf(`policies: [{ name: ${other}, ${rules} }]`),
    base: [],
  };
  // Servers of this dialect store each rule as a policy of its own.
  const input = planInput(desired, [...reads, ...live], { others: [app], dialect: 'netbird' });
  const clock = { now, skew: 0, isOnlyReported: false, isEndsOnly: true };
  const { plan } = planned(findEndings(input, { endings, ...clock }).input);
  const { diagnostics } = await endsWithFiles(plan, input);
  expect([...plan.diagnostics, ...diagnostics].map(({ code }) => code)).toEqual(['END_HELD']);
  expect(plan.actions.map(({ verb, address }) => [verb, address])).toEqual([
    ['delete', 'policy.h'],
  ]);
});
