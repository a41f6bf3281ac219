// What servers of dialect netbird allow beyond the specification, and what `validate` says of it where a project fixes a dialect.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTransport } from '../../src/api/transport/transport.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import { isObject, type Json } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { desiredOf } from '../support/files.ts';
import { apply, plan } from '../support/reconcile.ts';

async function accountOf(dialect: Dialect): Promise<TestAccount> {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  return account;
}

async function settled(account: TestAccount, files: string, dialect: Dialect): Promise<void> {
  const desired = desiredOf(files);
  const made = await plan(account, desired, { dialect });
  expect(made.diagnostics).toEqual([]);
  const { outcomes } = await apply(account, made, { dialect });
  expect(outcomes.map(({ status }) => status)).toEqual(made.actions.map(() => 'done'));
  expect((await plan(account, desired, { dialect })).changes).toEqual([]);
}

const key = (seconds: number) =>
  `setup_keys:\n  - { name: k, type: reusable, expires_in: ${seconds} }\n`;

test.each([0, 1, 3600, 40_000_000])('a setup key of %i seconds on netbird', async seconds => {
  const account = await accountOf('netbird');
  await settled(account, key(seconds), 'netbird');
});

test('a key that never expires is exported as such, and is neither expired nor renewed', async () => {
  const account = await accountOf('netbird');
  await settled(account, key(0), 'netbird');
  const env = environmentOf(account);
  const now = Date.parse('2026-01-02T03:04:05Z');
  const { stdout, code } = await meshform(['export', '--dialect', 'netbird', '--out', '-'], {
    env,
    now,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('expires_in: 0\n')]);
  const renewed = desiredOf(key(0).replace(' }', ', lifecycle: { renew_before: 30d } }'));
  const made = await plan(account, renewed, { dialect: 'netbird', now });
  expect(made.changes).toEqual([]);
});

test.each([
  ['spec', key(0), /`expires_in` of setup_key\.k must be from 86400 to 31536000/],
  ['spec', 'peers:\n  - { name: p, ipv6: fd00::1 }\n', /`ipv6` of peer\.p .*dialect `spec`/],
  [
    'netbird',
    'policies:\n  - name: p\n    lifecycle: { id: x }\n    rules:\n      - { name: a, sources: [All], destinations: [All], protocol: tcp }\n      - { name: b, sources: [All], destinations: [All], protocol: udp }\n',
    /DIALECT_UNSUPPORTED/,
  ],
])(
  'validate reports what a project of dialect %s cannot contain',
  async (dialect, text, sentence) => {
    await inFolder(async folder => {
      writeFileSync(join(folder, 'a.yaml'), text);
      expect((await meshform(['validate', folder])).code).toBe(0);
      writeFileSync(join(folder, 'meshform.yaml'), `dialect: ${dialect}\n`);
      const ended = await meshform(['validate', folder]);
      expect(ended.code).toBe(3);
      expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(sentence);
    });
  },
);

test('validate reports what a dialect refuses along with what every server refuses', async () => {
  await inFolder(async folder => {
    writeFileSync(join(folder, 'a.yaml'), `${key(0)}groups:\n  - { name: g, peeers: [] }\n`);
    writeFileSync(join(folder, 'meshform.yaml'), 'dialect: spec\n');
    const { code, stdout } = await meshform(['validate', folder]);
    expect(code).toBe(3);
    expect(stdout).toContain('SCHEMA_UNKNOWN_FIELD');
    expect(stdout).toContain('DIALECT_UNSUPPORTED');
  });
});

test('the addresses of a peer can be declared on netbird, and are not exported', async () => {
  const account = await accountOf('netbird');
  const peer = await account.enrol('p');
  const taken = isObject(peer) ? String(peer.ipv6) : '';
  const ipv6 = taken.replace(/[0-9a-f]+$/, 'abcd').toUpperCase();
  await settled(account, `peers:\n  - { name: p, ipv6: "${ipv6}" }\n`, 'netbird');
  const { stdout } = await meshform(['export', '--dialect', 'netbird', '--out', '-'], {
    env: environmentOf(account),
  });
  expect(stdout).toContain('name: p');
  expect(stdout).not.toMatch(/\bipv?6?:/);
});

test.each(['spec', 'netbird'] as const)('a zone in an address is ignored, %s', async dialect => {
  const account = await accountOf(dialect);
  const files =
    'networks:\n  - name: n\n    resources:\n      - { name: r, address: "fe80::1%eth0", groups: [] }\n';
  await settled(account, files, dialect);
});

test('a token from an identity provider is sent as a bearer token', async () => {
  const account = await startAccount({ bearerTokens: true });
  onTestFinished(() => account.close());
  const made: Json = await account.control('POST', '/emulator/access-tokens', {});
  const token = isObject(made) ? String(made.access_token) : '';
  const transport = readTransport({ ...account.transport, token });
  expect(await transport.get('/api/groups')).toEqual([expect.objectContaining({ name: 'All' })]);
});

test('a field that only changes for the peer of a user is reported before anything is written', async () => {
  const account = await accountOf('spec');
  await account.enrol('server');
  const files = 'peers:\n  - { name: server, login_expiration_enabled: true }\n';
  const { diagnostics, actions } = await plan(account, desiredOf(files));
  expect(diagnostics.map(({ code }) => code)).toEqual(['OBJECT_NEEDS']);
  expect(actions).toEqual([]);
});
