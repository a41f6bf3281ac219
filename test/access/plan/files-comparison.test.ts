// What an edit of files changes of the access that they describe.
import { expect, test } from 'vitest';
import { filesComparison } from '../../../src/access/plan/filesComparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { declaredChanges } from '../../../src/engine/declared/declaredChanges.ts';
import { desiredOf, KINDS } from '../../support/files.ts';

function accessChanges(before: string, after: string, areCausesExact = true) {
  const sides = { before: desiredOf(before), after: desiredOf(after) };
  const edits = declaredChanges(sides.before, sides.after, KINDS);
  const changes = edits.map(({ change }) => change);
  return planAccess(
    { changes },
    filesComparison({ ...sides, edits, areCausesExact }, serverForm()),
  );
}

const files = (ports: string, more = '') => `
groups: [{ name: staff }, { name: servers }]
policies:
  - name: ssh
    rules: [{ name: ssh, sources: [staff], destinations: [servers], protocol: tcp, ports: [${ports}] }]
${more}`;

const WEB = `  - name: web
    rules: [{ name: web, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }]`;

test('gained and lost access each have their cause', () => {
  const gained = accessChanges(files('"22"'), files('"22"', WEB));
  expect(gained.changes).toMatchObject([
    {
      change: 'gained',
      from: 'group/staff',
      to: 'group/servers',
      ports_after: ['22', '443'],
      causes: ['policy.web'],
    },
  ]);
  const lost = accessChanges(files('"22"', WEB), files('"22"'));
  expect(lost.changes).toMatchObject([
    { change: 'lost', ports_after: ['22'], causes: ['policy.web'] },
  ]);
});

test('the cause among several edits is the edit without which the change would not happen', () => {
  const { changes } = accessChanges(
    files('"22"'),
    `${files('"22"', WEB)}\nnetworks: [{ name: unrelated }]`,
  );
  expect(changes.map(({ causes }) => causes)).toEqual([['policy.web']]);
});

test('every edit that may be involved is named as a possible cause under time pressure', () => {
  const after = `${files('"22"', WEB)}\nnetworks: [{ name: unrelated }]`.replace(
    '{ name: staff }',
    '{ name: staff, peers: [x] }',
  );
  const { changes } = accessChanges(files('"22"'), `peers: [{ name: x }]\n${after}`, false);
  expect(changes.flatMap(one => (one.one_of ? [one.causes] : []))).toContainEqual(
    expect.arrayContaining(['group.staff', 'policy.web']),
  );
  expect(changes.flatMap(({ causes }) => causes)).not.toContain('network.unrelated');
});

test('a renamed group keeps its access', () => {
  const before = files('"22"');
  const after = before
    .replace('{ name: staff }', '{ name: people, lifecycle: { was: staff } }')
    .replace('sources: [staff]', 'sources: [people]');
  expect(accessChanges(before, after)).toMatchObject({ status: 'unchanged', changes: [] });
  const renamedOnly = before
    .replace('{ name: staff }', '{ name: people }')
    .replace('sources: [staff]', 'sources: [people]');
  expect(accessChanges(before, renamedOnly).changes.map(({ change }) => change)).toEqual([
    'gained',
    'lost',
  ]);
});

test('an edit without effect is reported with its reason', () => {
  const all = `  - name: everything
    rules: [{ name: all, sources: [staff], destinations: [servers], protocol: all }]
`;
  const { status, no_effect = [] } = accessChanges(
    files('"22"', all),
    files('"22"', `${all}${WEB}`),
  );
  expect(status).toBe('unchanged');
  expect(no_effect.flatMap(({ changes }) => changes)).toEqual(['policy.web']);
});
