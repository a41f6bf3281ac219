// Access while a plan is carried out: the order keeps it between before and after, or the plan names the steps.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const DEFAULT = `policies:
  - name: Default
    enabled: false
    rules:
      - { name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }
`;
const policy = (name: string, from: string, to: string, port: number) => `  - name: ${name}
    rules:
      - { name: one, sources: [${from}], destinations: [${to}], protocol: tcp, ports: ["${port}"] }
`;
const groups = (members: Readonly<Record<string, string>>) =>
  `groups:\n${Object.entries(members)
    .map(
      ([name, peers]) =>
        `  - { name: ${name}, peers: [${peers}], lifecycle: { exact: [peers] } }\n`,
    )
    .join('')}`;

const run = (cwd: string, ...words: string[]) =>
  meshform(words, { cwd, env: environmentOf(account) });

/** The account is as the first file says, and the folder holds the second one. */
const changed = (before: string, after: string, use: (cwd: string) => Promise<void>) =>
  inFolder(async cwd => {
    for (const name of ['mia', 'tom', 'jump']) await account.enrol(name, []);
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    await write(before);
    expect(await run(cwd, 'apply', '--yes')).toMatchObject({ code: 0 });
    await write(after);
    await use(cwd);
  });

const meshformOf = async (cwd: string) =>
  JSON.parse((await run(cwd, 'plan', '--format', 'json')).stdout).meshform;

const actionsOf = (plan: { readonly actions: readonly { readonly id: string }[] }) =>
  plan.actions.map(({ id }) => id);

const MEMBERS = { bastions: 'jump', engineers: 'mia, tom' };
const TWO = groups(MEMBERS) + DEFAULT;

test('the plan names the step and who loses access temporarily if two policies swap ports', () =>
  changed(
    TWO + policy('a', 'engineers', 'bastions', 22) + policy('b', 'engineers', 'bastions', 443),
    TWO + policy('a', 'engineers', 'bastions', 443) + policy('b', 'engineers', 'bastions', 22),
    async cwd => {
      const { stdout, stderr } = await run(cwd, 'plan');
      expect(stdout).toContain(`Access: unchanged
  ! between steps 1 and 2 (3 calls): group/engineers (2 and future members) → group/bastions (1) tcp/22 not reachable
      from "update policy.a" until "update policy.b"
`);
      expect(stderr).toContain(
        'note ACCESS_GAP\n  during the apply, group/engineers → group/bastions tcp/22 is missing from step 1 until step 2',
      );
      const { access, access_steps: steps, actions } = await meshformOf(cwd);
      expect(access.order).toEqual({ status: 'out_of_bounds', left_out: 0, given_up: [] });
      expect(steps).toEqual([
        {
          code: 'ACCESS_GAP',
          from: 'group/engineers',
          to: 'group/bastions',
          ports: ['tcp/22'],
          machines: ['mia', 'tom'],
          members_to_come: ['group/engineers'],
          to_machines: ['jump'],
          from_step: 1,
          from_action: 'update policy.a',
          until_step: 2,
          until_action: 'update policy.b',
          calls: 3,
        },
      ]);
      // Neither may start while the other is under way.
      expect(actions[1].after).toEqual(['update policy.a']);
      expect((await run(cwd, 'plan', '--format', 'markdown')).stdout).toContain('not reachable');
    },
  ));

test('the temporary opening is reported first if a rule and its group swap places', () =>
  changed(
    groups({ bastions: 'jump', engineers: 'mia' }) +
      DEFAULT +
      policy('ssh', 'engineers', 'bastions', 22),
    groups({ bastions: 'jump', engineers: 'tom' }) +
      DEFAULT +
      policy('ssh', 'engineers', 'bastions', 443),
    async cwd => {
      const { stdout, stderr } = await run(cwd, 'plan');
      expect(stdout).toMatch(
        / {2}! between steps 1 and 2 \(\d calls?\): peer\/\w+ \(1\) → group\/bastions[\s\S]*tcp\/\d+\s+reachable,\s+but\s+not\s+before/,
      );
      expect(stderr).toContain('note ACCESS_OPENING');
      const { access_steps: steps } = await meshformOf(cwd);
      expect(steps[0]).toMatchObject({ code: 'ACCESS_OPENING', from_step: 1, until_step: 2 });
    },
  ));

test('the plan reports the changed order if a machine moves to the group that a rule moves to', () =>
  changed(
    groups({ bastions: 'jump', engineers: 'mia', operators: '' }) +
      DEFAULT +
      policy('ssh', 'engineers', 'bastions', 22),
    groups({ bastions: 'jump', engineers: '', operators: 'mia' }) +
      DEFAULT +
      policy('ssh', 'operators', 'bastions', 22),
    async cwd => {
      const plan = await meshformOf(cwd);
      expect(plan.access_steps).toEqual([]);
      expect(plan.access.order.status).toBe('in_bounds');
      expect(actionsOf(plan)).toEqual([
        'update group.operators',
        'update policy.ssh',
        'update group.engineers',
      ]);
      expect(plan.access.order.given_up).toContainEqual({
        earlier: 'update policy.ssh',
        later: 'update group.operators',
        because: 'access',
      });
      const { stdout, stderr } = await run(cwd, 'plan');
      expect(stdout).toContain(
        'Order: update policy.ssh comes before update group.engineers, not in the usual order, so that',
      );
      expect(stderr).not.toContain('ACCESS_GAP');
      expect(await run(cwd, 'apply', '--yes')).toMatchObject({ code: 0 });
    },
  ));

test('a rule that moves to another policy stays in force during the apply', () =>
  changed(
    TWO + policy('a', 'engineers', 'bastions', 22),
    TWO + policy('b', 'engineers', 'bastions', 22),
    async cwd => {
      const { access_steps: steps, access } = await meshformOf(cwd);
      expect(steps).toEqual([]);
      expect(access.order?.status ?? 'in_bounds').toBe('in_bounds');
    },
  ));

const office = (resources: string) => `networks:
  - name: office
    routers: [{ peer: jump, masquerade: true }]
    resources:
${resources}`;

const aimed = (rule: string) => `policies:
  - name: ops
    rules: [{ name: one, sources: [engineers], protocol: tcp, ${rule} }]
`;

test('temporary access to a resource that the apply creates is reported by its name in text, JSON and HTML', () =>
  changed(
    groups({ engineers: 'mia', tools: '' }) +
      office('      - { name: wiki, address: 10.0.0.1, groups: [tools] }\n') +
      aimed('destinations: [tools], ports: ["22"]'),
    groups({ engineers: 'mia', tools: '' }) +
      office(`      - { name: wiki, address: 10.0.0.1, groups: [tools] }
      - { name: grafana, address: 10.0.0.2, groups: [tools] }
`) +
      aimed('destinationResource: { network_resource: office/grafana }, ports: ["443"]'),
    async cwd => {
      const { stdout } = await run(cwd, 'plan', '--html', 'plan.html');
      const { access_steps: steps } = await meshformOf(cwd);
      expect(steps).toMatchObject([
        { code: 'ACCESS_OPENING', to: 'network_resource/office/grafana', ports: ['tcp/22'] },
      ]);
      expect(stdout).toMatch(
        /\(1 and future members\)\s+→\s+network_resource\/office\/grafana\s+10\.0\.0\.2/,
      );
      expect(stdout).not.toContain('id:new');
      const page = await readFile(join(cwd, 'plan.html'), 'utf8');
      expect(page.match(/network_resource\/office\/grafana 10\.0\.0\.2/g)?.length).toBeGreaterThan(
        3,
      );
      expect(page.includes('id:new')).toBe(false);
    },
  ));
