// The access diff of a plan, as people read it: text, JSON and Markdown, and what is read for it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isList, isObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const GROUPS = `groups:
  - name: engineers
  - name: bastions
  - name: contractors
  - name: databases
  - name: gateways
`;
const NETWORKS = `networks:
  - name: production
    resources:
      - { name: orders-db, address: 10.20.0.5, groups: [databases] }
    routers:
      - { peer_groups: [gateways], metric: 100, masquerade: true }
`;
const CLOSED = `policies:
  - name: Default
    enabled: false
    rules:
      - { name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }
`;
const POLICIES = `${CLOSED}  - name: ssh
    rules:
      - { name: ssh, sources: [engineers], destinations: [bastions], protocol: tcp, ports: ["22", "443"] }
`;
const BEFORE = GROUPS + NETWORKS + POLICIES;
const CONTRACTORS = `  - name: contractors pg
    rules:
      - { name: pg, sources: [contractors], destinations: [databases], protocol: tcp, ports: ["5432"] }
`;
const CHANGED = BEFORE.replace('"22", "443"', '"22"').concat(CONTRACTORS);

const MACHINES = [
  ['mia', 'engineers'],
  ['tom', 'engineers'],
  ['jump', 'bastions'],
  ['gw', 'gateways'],
] as const;

const run = (cwd: string, ...words: string[]) =>
  meshform(words, { cwd, env: environmentOf(account) });

/** A folder whose files are applied to an account with a few machines; `write` changes the files. */
const started = (use: (cwd: string, write: (text: string) => Promise<void>) => Promise<void>) =>
  inFolder(async cwd => {
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    await write(BEFORE);
    expect((await run(cwd, 'apply', '--yes')).code).toBe(0);
    const groups = await account.call('GET', '/api/groups');
    const idOf = (name: string) =>
      String(
        (isList(groups) ? groups : []).filter(isObject).find(group => group.name === name)?.id,
      );
    for (const [name, group] of MACHINES) await account.enrol(name, [idOf(group)]);
    await use(cwd, write);
  });

const accessOf = async (cwd: string, ...flags: string[]) =>
  JSON.parse((await run(cwd, 'plan', '--format', 'json', ...flags)).stdout).meshform;

test('the diff shows who gains and who loses access, and names the grant and the cause', () =>
  started(async (cwd, write) => {
    await write(CHANGED);
    const { stdout, stderr } = await run(cwd, 'plan');
    expect(stdout).toContain(`Access: +2 −1 ~0 (2 machines; 0 flows unchanged)
  + group/contractors (future members) → group/databases  tcp/5432
      policy "contractors pg", rule "pg"
      because of policy["contractors pg"]
  + group/contractors (future members) → network_resource/production/orders-db 10.20.0.5/32  tcp/5432
      policy "contractors pg", rule "pg", through peer/gw
      because of policy["contractors pg"]
  − group/engineers (2 and future members) → group/bastions  tcp/22 (was 22, 443)
      policy "ssh", rule "ssh"
      because of policy.ssh
`);
    expect(stderr).toContain('note ACCESS_GAINED');
    expect(stderr).toContain(
      'note ACCESS_LOST\n  the plan narrows access: group/engineers → group/bastions (2 pairs of a',
    );
    const markdown = (await run(cwd, 'plan', '--format', 'markdown')).stdout;
    expect(markdown).toContain('**Access: +2 −1 ~0 (2 machines; 0 flows unchanged)**');
    expect(markdown).toContain(
      '| − | `group/engineers` | `group/bastions` | tcp/22 (was 22, 443) |',
    );
    const { access, access_changes: changes } = await accessOf(cwd);
    expect(access).toMatchObject({
      status: 'changed',
      machines: 2,
      pairs: { gained: 1, lost: 2 },
      unread: [],
    });
    expect(changes.at(-1)).toEqual({
      change: 'lost',
      from: 'group/engineers',
      to: 'group/bastions',
      protocol: 'tcp',
      ports_before: ['22', '443'],
      ports_after: ['22'],
      machines: ['mia', 'tom'],
      members_to_come: ['group/engineers'],
      to_machines: ['jump'],
      to_members_to_come: ['group/bastions'],
      via: [{ policy: 'ssh', rule: 'ssh' }],
      causes: ['policy.ssh'],
    });
  }));

test('a saved plan shows its access diff again', () =>
  started(async (cwd, write) => {
    await write(CHANGED);
    const planned = await run(cwd, 'plan', '--out', 'plan.json');
    const access = (text: string) =>
      text.slice(text.indexOf('Access:'), text.indexOf('because of policy.ssh'));
    const shown = await run(cwd, 'show', 'plan.json');
    expect(shown.code).toBe(0);
    expect(access(shown.stdout)).toBe(access(planned.stdout));
    expect((await run(cwd, 'apply', 'plan.json', '--yes')).code).toBe(0);
  }));

test('the plan always has an access line, and reads nothing more if access is unchanged', () =>
  started(async (cwd, write) => {
    const asked = account.requests.length;
    const { stdout } = await run(cwd, 'plan');
    expect(stdout).toMatch(/^Access: unchanged$/m);
    expect(account.requests.slice(asked).map(({ path }) => path)).not.toContain('/api/routes');
    await write(BEFORE.replace('- name: engineers', '- name: engineers\n  - name: idle'));
    expect((await run(cwd, 'plan')).stdout).toMatch(/^Access: unchanged$/m);
  }));

test('an account that has only its initial objects is reported as a new account, without hazards of access', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), BEFORE);
    const { stdout, stderr } = await run(cwd, 'plan');
    expect(stdout).toMatch(/^Access: new account, 1 flow$/m);
    expect(stderr).not.toContain('_ACCESS');
  }));

test('the whole account is compared, however the run is limited', () =>
  started(async (cwd, write) => {
    await write(CHANGED);
    const { access_changes: changes } = await accessOf(cwd, '--only', 'policy/contractors pg');
    expect(changes.map(({ to }: { to: string }) => to)).toEqual([
      'group/databases',
      'network_resource/production/orders-db',
    ]);
  }));

test('an unreadable list is named, and never silently hides a part of the diff', () =>
  started(async (cwd, write) => {
    await write(CHANGED);
    await account.fault({ path: '/api/routes', effect: 'status', status: 403 });
    const { stdout, code } = await run(cwd, 'plan');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Access: .*, as far as it could be read$/m);
    expect(stdout).toContain('Not read: routes (');
  }));

test('the digest covers the access diff: a saved plan with a different diff is refused', () =>
  started(async (cwd, write) => {
    await write(CHANGED);
    const file = join(cwd, 'plan.json');
    await run(cwd, 'plan', '--out', file);
    const saved = JSON.parse(await readFile(file, 'utf8'));
    const forged = [
      { access_changes: [] },
      { access: { ...saved.meshform.access, status: 'unchanged' } },
      { access: { ...saved.meshform.access, flows: 99 } },
    ];
    for (const part of forged) {
      const meshform = { ...saved.meshform, ...part };
      await writeFile(file, JSON.stringify({ ...saved, meshform }));
      const words = [
        ['show', file],
        ['apply', file, '--digest', saved.meshform.digest, '--yes'],
      ];
      for (const argv of words) {
        const { code, stderr, stdout } = await run(cwd, ...argv);
        expect([code, stdout], stderr).toEqual([3, '']);
      }
    }
  }));

test('a policy of several rules is evaluated by the parts that the server keeps', async () => {
  await account.close();
  account = await startAccount({ dialect: 'netbird' });
  const rule = (name: string, port: string) =>
    `      - { name: ${name}, sources: [engineers], destinations: [bastions], protocol: tcp, ports: ["${port}"] }\n`;
  const policy = (...rules: string[]) =>
    `${GROUPS}${CLOSED}  - name: in\n    rules:\n${rules.join('')}`;
  await inFolder(async cwd => {
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    await write(policy(rule('ssh', '22'), rule('web', '443')));
    expect((await run(cwd, 'apply', '--yes')).code).toBe(0);
    const asked = ['access', 'from', 'group/engineers', 'to', 'group/bastions'];
    const live = await run(cwd, ...asked, '--live');
    expect(live.stdout).toContain('policy "in / web", rule "web"');
    const files = await run(cwd, ...asked, '--dialect', 'netbird');
    expect(flowsIn(files.stdout)).toBe(flowsIn(live.stdout));
    await write(policy(rule('ssh', '22'), rule('web', '8443')));
    const { access_changes: changes } = await accessOf(cwd);
    expect(changes).toMatchObject([
      {
        from: 'group/engineers',
        to: 'group/bastions',
        protocol: 'tcp',
        ports_before: ['22', '443'],
        ports_after: ['22', '8443'],
        causes: ['policy["in / web"]'],
      },
    ]);
  });
});

const flowsIn = (text: string): string => text.slice(0, text.indexOf('Evaluated:'));
