// `fleet plan` shows each plan once, with the accounts that have it.
import { expect, test } from 'vitest';
import { readKinds } from '../../../src/kinds/registry.ts';
import { fleetPlanComment } from '../../../src/report/fleet/fleetPlanComment.ts';
import { fleetPlanText } from '../../../src/report/fleet/fleetPlanText.ts';
import { groupsOfPlans } from '../../../src/report/fleet/planGroups.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { git } from '../../support/git.ts';
import { inFleet } from './fleetFolder.ts';
import { savedPlanFrom } from './plannedAccounts.ts';

/** What is alike: created, and called after the account. */
const ALIKE = `groups:
  - name: admins
  - name: "office \${var:OFFICE}"
`;

const FLEET = `accounts:
  - from: msp_tenants
    credentials: msp
    layers: [baseline, "customers/\${account.name}"]
    vars: { OFFICE: "\${account.name}" }
`;

const files = { 'fleet.yaml': FLEET, 'baseline/base.yaml': ALIKE };

test('similar tenants form one group even if objects contain the account’s name, and unusual tenants come last', async () => {
  await inFleet({ tenants: 12, files }, async ({ fleet, write, domain }) => {
    await write({
      [`customers/${domain(3)}/own.yaml`]: 'groups: [{ name: third }]\n',
      [`customers/${domain(7)}/own.yaml`]: 'groups: [{ name: seventh }]\n',
    });
    const { stdout, code } = await fleet(['plan']);
    expect(code).toBe(0);
    const [first, ...lines] = stdout.split('\n');
    expect(first).toBe('12 accounts: 10 with one plan, 2 with other plans in 2 groups');
    expect(lines.slice(0, 3)).toEqual([
      `  Plan: 2 to add, 0 to change, 0 to destroy.  ${domain(1)}, ${domain(2)}, ${domain(4)} and 7 more`,
      `  Plan: 3 to add, 0 to change, 0 to destroy.  ${domain(3)}`,
      `  Plan: 3 to add, 0 to change, 0 to destroy.  ${domain(7)}`,
    ]);
    expect(stdout.match(/# group\.admins will be created/g)).toHaveLength(3);
  });
});

test('tenants whose objects have different ids form one group, also in a plan that changes and deletes', async () => {
  await inFleet({ tenants: 4, files: { ...files } }, async ({ fleet, write, folder }) => {
    const flags = ['--prune', 'removed', '--base', 'auto', '--record-base'];
    await fleet(['plan', ...flags, '--out', 'plans']);
    expect((await fleet(['apply', 'plans', '--yes'])).code).toBe(0);
    await write({ 'baseline/base.yaml': 'groups: [{ name: admins }]\n' });
    git(folder, 'commit', '--quiet', '--all', '--message', 'No offices');
    const { stdout } = await fleet(['plan', ...flags, '--format', 'json']);
    const { groups } = JSON.parse(stdout) as { groups: { accounts: string[] }[] };
    expect(groups.map(({ accounts }) => accounts.length)).toEqual([4]);
  });
});

test('500 plans of which 12 differ make 13 groups, and a comment under 60 kB', () => {
  const planned = savedPlanFrom(500, n => (n % 41 === 40 ? `odd ${n}` : 'alike'));
  const groups = groupsOfPlans(planned, readKinds());
  expect(groups).toHaveLength(13);
  expect(groups[0]?.accounts).toHaveLength(488);
  const report = { planned, unplanned: [], rates: new Map(), kinds: readKinds() };
  expect(fleetPlanText(report, PLAIN).split('\n')[0]).toBe(
    '500 accounts: 488 with one plan, 12 with other plans in 12 groups',
  );
  expect(new TextEncoder().encode(fleetPlanComment(report)).length).toBeLessThan(60_000);
});
