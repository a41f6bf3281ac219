// What ends soon, what is overdue, and what the files mean at another time.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const FILES = `
groups:
  - { name: staff, peers: [ada, { name: bob, until: 2026-12-01 }] }
  - { name: servers, peers: [db] }
policies:
  - name: web
    rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }]
  - name: grant
    lifecycle: { until: 2026-12-10T12:00:00Z }
    rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }]
access_tests:
  - name: nobody logs in
    from: group/staff
    deny: ["group/servers:tcp/22"]
`;

const applied = (use: Parameters<typeof withEndedFolder>[0]) =>
  withEndedFolder(async folder => {
    for (const name of ['ada', 'bob', 'db']) await folder.account.enrol(name);
    await folder.write({ 'a.yaml': FILES });
    expect((await folder.run(['apply', 'network', '--yes', '--no-tests'])).code).toBe(0);
    await use(folder);
  });

test('a plan lists objects that expire within the given time, and nothing later', () =>
  applied(async ({ run }) => {
    const soon = await run(['plan', 'network', '--no-tests', '--expiring', '2d']);
    expect(soon.stdout).toContain(
      'Expires soon\n\n  `bob` in `peers` of group staff, until 2026-12-02',
    );
    expect(soon.stdout).not.toContain('grant, until');
    const later = await run([
      'plan',
      'network',
      '--no-tests',
      '--expiring',
      '2w',
      '--format',
      'json',
    ]);
    expect(JSON.parse(later.stdout).meshform.endings.expiring).toMatchObject([
      { key: 'staff', member: 'bob' },
      { key: 'grant', until: '2026-12-10T12:00:00Z' },
    ]);
    const now = await run(['plan', 'network', '--no-tests', '--expiring', '1m']);
    expect(now.stdout).toContain('Expires soon\n\n  nothing');
    expect((await run(['plan', 'network', '--expiring', '14'])).code).toBe(64);
  }));

test('drift reports overdue expiries, also with a base, and they cannot be acknowledged', () =>
  applied(async ({ run, at, write, folder }) => {
    expect((await run(['drift', 'network', '--metrics', 'drift.prom'])).code).toBe(0);
    expect(await readFile(join(folder, 'drift.prom'), 'utf8')).toMatch(/overdue\{.*\} 0\n/);
    await write({
      'meshform.yaml':
        'acknowledge: [{ object: policy/grant, reason: known, until: 2027-01-01 }]\n',
    });
    at('2026-12-11T00:00:00Z');
    for (const base of [[], ['--base', './network']]) {
      const { code, stdout } = await run(['drift', 'network', '--metrics', 'drift.prom', ...base]);
      expect(code).toBe(2);
      expect(stdout).toContain('policy.grant has expired, but is still in the account');
      expect(stdout).toContain('group.staff has members that have expired');
      expect(stdout).toContain('2 of these overdue');
    }
    expect(await readFile(join(folder, 'drift.prom'), 'utf8')).toMatch(/overdue\{.*\} 2\n/);
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    expect((await run(['drift', 'network'])).code).toBe(0);
  }));

test('drift reports the expired member of a group that cannot be written, and not the group', () =>
  applied(async ({ run, at, write, account }) => {
    await write({
      'a.yaml': FILES.replace(
        'until: 2026-12-01 }]',
        'until: 2026-12-01 }], lifecycle: { exact: [peers] }',
      ),
    });
    const peers = (await account.call('GET', '/api/peers')) as readonly {
      id: string;
      name: string;
    }[];
    await account.call('PUT', `/api/peers/${peers.find(({ name }) => name === 'ada')?.id}`, {
      name: 'other',
      ssh_enabled: false,
      login_expiration_enabled: false,
      inactivity_expiration_enabled: false,
    });
    at('2026-12-05T00:00:00Z');
    const { code, stdout, stderr } = await run(['drift', 'network']);
    expect(code).toBe(2);
    expect(stderr).toContain('group.staff stays as it is');
    expect(stdout).toMatch(
      /# group\.staff has members that have expired\n.*\n\s+~ peers\n\s+\+ "bob"\n/,
    );
    expect(stdout).not.toContain('group.staff has expired');
    expect(stdout).toContain('1 changed, 1 missing, 0 not removed, 1 of these overdue');
  }));

test('access tests and questions are answered for the present, or for a given time', () =>
  applied(async ({ run, at }) => {
    expect((await run(['test', 'network'])).code).toBe(6);
    expect((await run(['test', 'network', '--at', '2026-12-10T12:00:00Z'])).code).toBe(0);
    expect((await run(['test', 'network', '--at', '2026-12-10T12:00:00+01:00'])).code).toBe(6);
    expect((await run(['test', 'network', '--at', '2026-12-11'])).code).toBe(0);
    expect((await run(['test', 'network', '--at', '2026-12-10T12:00'])).code).toBe(64);
    const asked = ['access', 'from', 'peer/bob', 'network'];
    expect((await run(asked)).stdout).toContain('tcp/443');
    expect((await run([...asked, '--at', '2026-12-02'])).stdout).not.toContain('tcp/443');
    expect((await run(['access', '--live', '--at', '2026-12-02'])).code).toBe(64);
    at('2026-12-11T00:00:00Z');
    expect((await run(['test', 'network'])).code).toBe(0);
    expect((await run(['test', 'network', '--at', '2026-12-10'])).code).toBe(6);
  }));
