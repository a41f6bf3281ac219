// `--no-new-access`: a plan that lets anybody reach more is refused.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import { BEFORE, idOf, NARROWED, refused, SSH, started, TO_COME, WIDENED } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const POSTURE = `posture_checks:
  - name: recent
    checks: { nb_version_check: { min_version: 0.60.0 } }
`;
const CHECKED = `${POSTURE}${BEFORE}    source_posture_checks: [recent]\n`;

test('a plan that only narrows access passes', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED);
    const { code, stdout } = await run('plan', '--no-new-access', '--out', 'plan.json');
    expect([code, stdout]).toEqual([0, expect.stringContaining('--no-new-access: none is gained')]);
    expect((await run('apply', 'plan.json', '--no-new-access', '--yes')).code).toBe(0);
  }));

test.each(
  someOf(
    [
      ['a new rule', BEFORE, WIDENED, 'group/engineers → network_resource/production/orders-db'],
      ['future members', BEFORE, TO_COME, 'group/contractors (future members) → '],
      ['another port', NARROWED, BEFORE, 'group/engineers → group/bastions  tcp/443'],
      [
        'a group that grows',
        BEFORE,
        BEFORE.replace('- name: engineers', '- { name: engineers, peers: [gw] }'),
        'peer/gw → group/bastions',
      ],
      [
        'a posture check that goes',
        CHECKED,
        POSTURE + BEFORE,
        'group/engineers → group/bastions  tcp/22 tcp/443',
      ],
      [
        'one port less, and a posture check',
        CHECKED,
        POSTURE + NARROWED,
        'group/engineers → group/bastions  tcp/22',
      ],
    ],
    3,
  ),
)('--no-new-access refuses %s, even with --allow WIDENS_ACCESS', (_, first, wanted, says) =>
  started(
    account,
    async folder => {
      const { want, run, cwd } = folder;
      await want(wanted);
      const allow = ['--allow', 'WIDENS_ACCESS', '--allow', 'NARROWS_ACCESS', '--no-new-access'];
      const { code, stdout, stderr } = await run('plan', ...allow, '--out', 'plan.json');
      expect([code, existsSync(join(cwd, 'plan.json'))]).toEqual([6, false]);
      expect(stderr).toContain(`  + ${says}`);
      expect(stdout).toContain('--no-new-access: refused');
      await refused(account, folder, ...allow);
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      expect((await refused(account, folder, 'plan.json', '--no-new-access')).stderr).toContain(
        says,
      );
    },
    first,
  ),
);

const ROBOT = `service_users:
  - { name: robot, role: user, auto_groups: [] }
`;
const INVITE = `user_invites:
  - { email: mia@example.com, name: mia, role: user, auto_groups: [contractors] }
`;
const PROVIDER = `identity_providers:
  - { name: okta, type: okta, issuer: https://id.example.com, client_id: me, client_secret: "\${env:SECRET}" }
`;
const KEYS = `setup_keys:
  - { name: servers, type: reusable, expires_in: 86400, usage_limit: 0, auto_groups: [contractors] }
`;

test.each(
  someOf(
    [
      [
        'a role',
        ROBOT.replace('role: user', 'role: admin'),
        'service_user.robot: role admin (was user)',
      ],
      ['a person who joins a group', ROBOT + INVITE, 'joins contractors with every machine'],
      [
        'a token',
        ROBOT.replace(' }', ', tokens: [{ name: ci, expires_in: 30 }] }'),
        ': a new token',
      ],
      ['a way to sign in', ROBOT + PROVIDER, 'identity_provider.okta: a new way to sign in'],
      [
        'a key of a guarded group',
        ROBOT + KEYS,
        'joins contractors with every machine that enrols',
      ],
    ],
    2,
  ),
)('--no-new-access refuses %s as a right, although nobody gains access', (_, wanted, says) =>
  started(
    account,
    async folder => {
      const { want, run } = folder;
      await want(BEFORE + wanted, { 'meshform.yaml': 'guarded: [group/contractors]\n' });
      const { code, stdout, stderr } = await run('plan');
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^Access: \+0 −0 ~0, rights \+\d \(/m);
      expect(stdout).toContain(says);
      expect(stdout + stderr).toContain('RIGHTS');
      expect((await refused(account, folder, '--no-new-access')).stderr).toContain(says);
    },
    BEFORE + ROBOT,
  ),
);

const MACHINE = (ports: string) => `ingress_peers:
  - { peer_id: gw, fallback: true }
peers:
  - name: jump
    ingress_ports: [${ports}]
`;
const SSH_PORT = '{ name: ssh, port_ranges: [{ start: 22, end: 22, protocol: tcp }] }';

test('a port that is opened to the internet counts as new access, and as wider access to a guarded target', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(BEFORE + MACHINE(SSH_PORT), { 'meshform.yaml': 'guarded: [group/bastions]\n' });
    const { code, stdout, stderr } = await run('plan');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('  + internet → peer/jump  tcp/22\n      ingress port "jump/ssh"\n');
    expect(stdout).toContain('because of ingress_peer.gw, ingress_port_allocation.jump/ssh');
    expect(stdout).toContain('--allow WIDENS_GUARDED_ACCESS=group/bastions');
    const { stderr: refusal } = await refused(account, folder, '--no-new-access');
    expect(refusal).toContain('  + internet → peer/jump  tcp/22');
    const allowed = await run('apply', '--yes', '--allow', 'WIDENS_GUARDED_ACCESS=group/bastions');
    expect(allowed.code, allowed.stderr).toBe(0);
    await want(BEFORE + MACHINE(SSH_PORT.replace('}] }', '}], enabled: false }')));
    expect((await run('plan')).stdout).toContain('  − internet → peer/jump  tcp/22');
    await want(BEFORE + MACHINE(SSH_PORT).replace('fallback: true', 'enabled: false'));
    const { stdout: closed } = await run('plan');
    expect(closed).toContain('  − internet → peer/jump  tcp/22');
    expect(closed).toContain('because of ingress_peer.gw\n');
  }));

test('adding a posture check counts as removing access only', () =>
  started(account, async ({ want, run }) => {
    await want(CHECKED);
    expect((await run('apply', '--no-new-access', '--yes')).code).toBe(0);
  }));

test('a saved plan keeps --no-new-access, and is checked against the account at the time of the apply', () =>
  started(account, async folder => {
    const { want, run } = folder;
    const same = SSH.replaceAll('ssh', 'the same');
    await want(BEFORE + same);
    expect((await run('plan', '--no-new-access', '--out', 'plan.json')).code).toBe(0);
    const id = await idOf(account, 'policies', 'ssh');
    await account.call('DELETE', `/api/policies/${id}`);
    const { stderr } = await refused(account, folder, 'plan.json');
    expect(stderr).toContain('  + group/engineers → group/bastions  tcp/22 tcp/443');
  }));

test('--no-new-access refuses a plan if a list is unreadable', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED);
    await account.fault({ path: '/api/routes', effect: 'status', status: 403 });
    const { code, stderr } = await run('plan', '--no-new-access');
    expect(code).toBe(6);
    expect(stderr).toMatch(/there may be more: routes could not be read/);
  }));
