// A declaration does not take the object of another folder by its id.
import { expect, test } from 'vitest';
import { desiredOf } from '../../support/files.ts';
import { group, planFor } from '../planning.ts';

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
