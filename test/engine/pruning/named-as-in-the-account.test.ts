// A deletion is shown, allowed and refused under the name that the object has in the account.
import { expect, test } from 'vitest';
import { group, planFor, policy } from '../planning.ts';

const reads = [group('g1', 'team'), group('g2', 'b'), policy('p1', 'keep', ['g1', 'g2'], ['g2'])];
const keep = `policies:
  - name: keep
    rules: [{ name: all, protocol: all, bidirectional: false, sources: [b], destinations: [b] }]`;

test.each([
  ['its id', 'id: g1'],
  ['a former name', 'was: team'],
])('a declaration with another name deletes by %s', (_, by) => {
  const files = `groups: [{ name: b }, { name: foo, lifecycle: { ${by}, delete: true } }]\n${keep}`;
  const plan = planFor(files, reads);
  const [deleted] = plan.changes.filter(({ type }) => type === 'delete');
  expect(deleted).toMatchObject({ address: 'group.team', notes: ['declared as `group/foo`'] });
  expect(JSON.stringify(plan.changes.filter(({ type }) => type === 'update'))).not.toContain('foo');
});

test('an object whose name another declaration takes is deleted under its id', () => {
  const files =
    'groups: [{ name: b }, { name: team }, { name: foo, lifecycle: { id: g1, delete: true } }]';
  const { changes } = planFor(files, [group('g1', 'team'), group('g2', 'b')]);
  expect(changes.map(({ address, type }) => [address, type])).toEqual([
    ['group.id:g1', 'delete'],
    ['group.team', 'create'],
  ]);
});
