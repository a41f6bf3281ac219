// Proxy tokens: shown once, never changed, and revoked where others are deleted: the server keeps them in its list.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { desiredOf } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';

async function newAccount(): Promise<TestAccount> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  return account;
}

const token = (name: string, more = '') => `{ name: ${name}${more} }`;
const files = (...tokens: readonly string[]) =>
  `reverse_proxy:\n  tokens: [${tokens.join(', ')}]\n`;

const tokensOf = async (account: TestAccount) =>
  ((await account.call('GET', '/api/reverse-proxies/proxy-tokens')) as JsonObject[]).map(
    ({ name, revoked }) => [name, revoked],
  );

test('a token that is removed from the files is revoked, and then ignored', async () => {
  const account = await newAccount();
  const two = desiredOf(files(token('edge'), token('lab', ', expires_in: 3600')));
  await reconcile(account, two);
  expect((await plan(account, two)).changes).toEqual([]);
  const one = desiredOf(files(token('lab', ', expires_in: 3600')));
  const { result } = await reconcile(account, one, { base: two, prune: 'removed' });
  expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
  expect(await tokensOf(account)).toEqual(
    expect.arrayContaining([
      ['edge', true],
      ['lab', false],
    ]),
  );
  const after = await plan(account, one, { base: one, prune: 'unmanaged' });
  expect(after.changes).toEqual([]);
  // The name is free again: a revoked token is no token.
  const { plan: again } = await reconcile(account, two, { base: one });
  expect(again.changes.map(({ type, address }) => `${type} ${address}`)).toEqual([
    'create proxy_token.edge',
  ]);
});

test('a new lifetime means a new token, which exists before the old one is revoked', async () => {
  const account = await newAccount();
  const before = desiredOf(files(token('edge', ', expires_in: 3600')));
  await reconcile(account, before);
  const after = desiredOf(files(token('edge', ', expires_in: 7200')));
  const { plan: made, result } = await reconcile(account, after);
  expect(made.actions.map(({ verb }) => verb)).toEqual(['create', 'delete']);
  expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
  expect((await plan(account, after)).changes).toEqual([]);
});

test('the token is sent to the place for secrets, and to no output', async () => {
  const account = await newAccount();
  await inFolder(async folder => {
    await writeFile(join(folder, 'network.yaml'), files(token('edge')));
    const run = (...argv: string[]) =>
      meshform(argv, { cwd: folder, env: { PATH: '/usr/bin:/bin', ...environmentOf(account) } });
    const refused = await run('apply', '--yes', '--dialect', 'netbird');
    expect(refused.stdout).toContain('REVEALS_SECRET');
    expect(await tokensOf(account)).toEqual([]);
    const made = await run(
      'apply',
      '--yes',
      '--dialect',
      'netbird',
      '--secrets-to',
      'file:kept.jsonl',
    );
    expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
    const kept = await readFile(join(folder, 'kept.jsonl'), 'utf8');
    expect(kept).toMatch(/"nbx_\w{36}"/);
    const secret = /nbx_\w{36}/.exec(kept)?.[0] ?? '';
    expect(made.stdout + made.stderr).not.toContain(secret);
  });
});
