// What somebody allowed in a saved plan is allowed for those whom the plan let in, and not for those who joined their groups since.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { idOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const BEFORE = `groups:
  - { name: production, peers: [web] }
  - { name: engineers, peers: [mia] }
  - { name: empty }
policies:
  - name: Default
    enabled: false
    rules: [{ name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }]
`;
const service = (more: string): string => `${BEFORE}reverse_proxy:
  services:
    - domain: portal.eu.proxy.test
      name: Portal
      targets: [{ target: { peer: web }, port: 8080, protocol: http }]
${more}`;
const PRIVATE = (group: string) =>
  service(`      private: true\n      access_groups: [${group}]\n`);
const SIGN_IN = service(
  '      auth: { bearer_auth: { enabled: true, distribution_groups: [engineers] } }\n',
);
const RULE = `${BEFORE}  - name: web
    rules: [{ name: web, sources: [engineers], destinations: [production], protocol: tcp, ports: ["8080"] }]
`;
const TO_EMPTY = RULE.replace('destinations: [production]', 'destinations: [empty]');

const THRESHOLD = 'access_thresholds: { gained: 0 }\n';
const GUARD = 'guarded: [group/production]\n';
const BY_THRESHOLD = ['--allow', 'WIDENS_ACCESS'];
const BY_GUARD = ['--allow', 'WIDENS_GUARDED_ACCESS=group/production'];

interface Folder {
  readonly account: TestAccount;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
}

async function planned(
  [files, project, allowed]: readonly [string, string, readonly string[]],
  use: (folder: Folder) => Promise<void>,
): Promise<void> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  const cluster = { address: 'eu.proxy.test', shared: true, private: true };
  await account.control('POST', '/emulator/proxy-clusters', cluster);
  for (const name of ['web', 'mia']) await account.enrol(name);
  await inFolder(async cwd => {
    const run = (...words: readonly string[]) =>
      meshform(words, { cwd, env: environmentOf(account) });
    await writeFile(join(cwd, 'network.yaml'), BEFORE);
    const first = await run('apply', '--yes');
    expect(first.code, first.stderr).toBe(0);
    await writeFile(join(cwd, 'network.yaml'), files);
    await writeFile(join(cwd, 'meshform.yaml'), project);
    const saved = await run('plan', '--out', 'plan.json', ...allowed, '--allow', 'SERVICE_PUBLIC');
    expect(saved.code, saved.stderr).toBe(0);
    await use({ account, run });
  });
}

const group = (account: TestAccount, name: string) => idOf(account, 'groups', name);

const joining =
  (name: string, of: string) =>
  async (account: TestAccount): Promise<void> => {
    await account.enrol(name, [await group(account, of)]);
  };

async function replaced(account: TestAccount): Promise<void> {
  await account.enrol('eve');
  const id = await group(account, 'engineers');
  const eve = await idOf(account, 'peers', 'eve');
  await account.call('PUT', `/api/groups/${id}`, { name: 'engineers', peers: [eve] } as never);
}

/** Deletes the machine `mia`, and enrols another one of that name in its place. */
async function enrolledAgain(account: TestAccount): Promise<void> {
  await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'mia')}`);
  await account.enrol('mia', [await group(account, 'engineers')]);
}

async function userJoins(account: TestAccount): Promise<void> {
  const id = await group(account, 'engineers');
  const user = {
    name: 'Eve',
    email: 'eve@example.com',
    role: 'user',
    auto_groups: [id],
    is_service_user: false,
  };
  await account.call('POST', '/api/users', user as never);
}

const JOINED = [
  ['a second caller of a private service', PRIVATE('engineers'), joining('eve', 'engineers')],
  ['the first caller of a private service', PRIVATE('empty'), joining('eve', 'empty')],
  ['another caller instead of one who left', PRIVATE('engineers'), replaced],
  ['a user who signs in', SIGN_IN, userJoins],
  ['a second source of a rule', RULE, joining('eve', 'engineers')],
  ['another source instead of one who left', RULE, replaced],
  ['another source of the same name', RULE, enrolledAgain],
  ['another caller of the same name', PRIVATE('engineers'), enrolledAgain],
] as const;

test.each([
  ...JOINED.map(([what, files, change]) => [what, files, THRESHOLD, BY_THRESHOLD, change] as const),
  ...JOINED.map(([what, files, change]) => [what, files, GUARD, BY_GUARD, change] as const),
  [
    'the first machine of a destination',
    TO_EMPTY,
    THRESHOLD,
    BY_THRESHOLD,
    joining('eve', 'empty'),
  ] as const,
])('%s is not what the plan showed (%#)', (_, files, project, allowed, change) =>
  planned([files, project, allowed], async ({ account, run }) => {
    expect((await run('plan', 'check', 'plan.json')).code).toBe(0);
    await change(account);
    expect((await run('plan', 'check', 'plan.json')).code).toBe(6);
    const { code, stdout, stderr } = await run('apply', 'plan.json', '--yes');
    expect([code, stdout + stderr]).toEqual([6, expect.stringContaining(allowed[1] ?? '')]);
    expect(stderr).toMatch(
      /(peer\/eve|user\/eve@example.com|another peer\/mia) has joined since the plan/,
    );
    const now = await run('apply', 'plan.json', '--yes', ...allowed);
    expect(now.code, now.stderr).toBe(0);
  }),
);

const newKey = async (account: TestAccount): Promise<void> => {
  const auto_groups = [await group(account, 'engineers')];
  const key = { name: 'k9', type: 'reusable', expires_in: 86_400, auto_groups, usage_limit: 0 };
  await account.call('POST', '/api/setup-keys', key as never);
};

async function isInvited(account: TestAccount): Promise<void> {
  const auto_groups = [await group(account, 'engineers')];
  const invite = { name: 'Eve', email: 'eve@example.com', role: 'user', auto_groups };
  await account.call('POST', '/api/users/invites', { ...invite, expires_in: 86_400 } as never);
}

test.each([
  ['a setup key', newKey, 'setup_key/k9'],
  ['an invitation', isInvited, 'user/eve@example.com'],
  ['a user', userJoins, 'user/eve@example.com'],
])('%s whose machines will join a source is not what the plan showed', (_, change, name) =>
  planned([RULE, GUARD, BY_GUARD], async ({ account, run }) => {
    await change(account);
    expect((await run('plan', 'check', 'plan.json')).code).toBe(6);
    const { code, stderr } = await run('apply', 'plan.json', '--yes');
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining(`${name} (future members) has joined since the plan`),
    ]);
    expect((await run('apply', 'plan.json', '--yes', ...BY_GUARD)).code).toBe(0);
  }),
);

test('an answer about the account counts invitations as future members, until they expire', () =>
  planned([RULE, '', []], async ({ account, run }) => {
    await isInvited(account);
    expect((await run('apply', '--yes')).code).toBe(0);
    const words = ['access', 'from', 'user/eve@example.com', '--live'];
    const now = await run(...words);
    expect([now.code, now.stdout]).toEqual([0, expect.stringContaining('group/production')]);
    await account.control('POST', '/emulator/clock', { advance: 100_000 });
    const later = await run(...words);
    expect(later.stdout + later.stderr).not.toContain('group/production');
  }));

const CHECKED = `posture_checks:
  - { name: recent, checks: { nb_version_check: { min_version: 0.99.0 } } }
${RULE.replace('  - name: web\n', '  - name: web\n    source_posture_checks: [recent]\n')}`;

test('a machine that failed a posture check, and passes it now, is not what the plan showed', () =>
  planned([CHECKED, GUARD, BY_GUARD], async ({ account, run }) => {
    const groups = [await group(account, 'engineers')];
    await account.control('POST', '/emulator/peers', { name: 'eve', version: '0.66.0', groups });
    const first = await run('apply', '--yes', '--only', 'posture_check/recent');
    expect(first.code, first.stderr).toBe(0);
    const saved = await run('plan', '--out', 'checked.json', '--kinds', 'policy', ...BY_GUARD);
    expect(saved.code, saved.stderr).toBe(0);
    expect((await run('plan', 'check', 'checked.json')).code).toBe(0);
    const id = await idOf(account, 'posture-checks', 'recent');
    const checks = { nb_version_check: { min_version: '0.1.0' } };
    const loosened = { name: 'recent', description: '', checks };
    await account.call('PUT', `/api/posture-checks/${id}`, loosened as never);
    expect((await run('plan', 'check', 'checked.json')).code).toBe(6);
    const { code, stderr } = await run('apply', 'checked.json', '--yes');
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining('peer/eve passes posture checks since the plan'),
    ]);
    expect((await run('apply', 'checked.json', '--yes', ...BY_GUARD)).code).toBe(0);
  }));

test.each([
  ['a private service', PRIVATE('engineers')],
  ['a rule', RULE],
])('%s is applied although somebody left meanwhile', (_, files) =>
  planned([files, THRESHOLD, BY_THRESHOLD], async ({ account, run }) => {
    const id = await group(account, 'engineers');
    await account.call('PUT', `/api/groups/${id}`, { name: 'engineers', peers: [] } as never);
    await account.enrol('somebody else');
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  }),
);
