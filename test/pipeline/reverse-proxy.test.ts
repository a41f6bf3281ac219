// The reverse proxy: domains of the account and the clusters that serve them.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, meshform } from '../support/cli.ts';
import { desiredOf, loadFiles } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';

async function newAccount(...clusters: readonly string[]): Promise<TestAccount> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  for (const address of clusters) await connect(account, address);
  return account;
}

const connect = (account: TestAccount, address: string) =>
  account.control('POST', '/emulator/proxy-clusters', { address, shared: true });

const domain = (name: string, cluster: string) =>
  desiredOf(`reverse_proxy: { domains: [{ domain: ${name}, target_cluster: ${cluster} }] }`);

const domainsOf = async (account: TestAccount) =>
  ((await account.call('GET', '/api/reverse-proxies/domains')) as JsonObject[])
    .filter(({ type }) => type === 'custom')
    .map(({ domain: name, target_cluster }) => [name, target_cluster]);

describe('domains', () => {
  test('another cluster is another object; the addresses of clusters in the list are none', async () => {
    const account = await newAccount('eu.proxy.test', 'us.proxy.test');
    const before = domain('apps.example.com', 'eu.proxy.test');
    await reconcile(account, before);
    expect((await plan(account, before, { base: before, prune: 'unmanaged' })).changes).toEqual([]);
    const after = domain('apps.example.com', 'us.proxy.test');
    const { plan: made, result } = await reconcile(account, after, { base: before });
    // The server knows a domain once, so the old one goes first.
    expect(made.actions.map(({ verb }) => verb)).toEqual(['delete', 'create']);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(await domainsOf(account)).toEqual([['apps.example.com', 'us.proxy.test']]);
    const none = await reconcile(account, [], { base: after, prune: 'removed' });
    expect(none.result.outcomes.map(({ status }) => status)).toEqual(['done']);
    expect(await domainsOf(account)).toEqual([]);
  });

  test('a cluster that is not connected is a fault before the first write', async () => {
    const account = await newAccount('eu.proxy.test');
    const made = await plan(account, domain('apps.example.com', 'ue.proxy.test'));
    expect(made.diagnostics).toMatchObject([
      {
        code: 'REF_UNKNOWN',
        message: 'the proxy cluster `ue.proxy.test` exists neither in the files nor in the account',
        hint: 'did you mean `eu.proxy.test`?',
      },
    ]);
  });

  test('a cluster that went away leaves its domains as they are', async () => {
    const account = await newAccount();
    const own = { address: 'own.proxy.test', shared: false };
    await account.control('POST', '/emulator/proxy-clusters', own);
    const files = domain('apps.example.com', 'own.proxy.test');
    await reconcile(account, files);
    await account.call('DELETE', '/api/reverse-proxies/clusters/own.proxy.test');
    const made = await plan(account, files);
    expect(made.changes).toEqual([]);
    expect(made.diagnostics).toMatchObject([
      {
        severity: 'warning',
        message: 'the account refers to a proxy cluster `own.proxy.test` that it does not list',
      },
    ]);
  });

  test('domains that differ only in case, and a cluster in the files, are faults', () => {
    const twice = loadFiles({
      'a.yaml':
        'reverse_proxy: { domains: [{ domain: a.example.com, target_cluster: x }, { domain: A.example.com, target_cluster: x }] }',
    });
    expect(twice.diagnostics.map(({ severity }) => severity)).toContain('error');
    const cluster = loadFiles({
      'a.yaml': 'reverse_proxy: { clusters: [{ address: eu.proxy.test }] }',
    });
    expect(cluster.diagnostics.map(({ severity }) => severity)).toContain('error');
  });

  test('an export lists the clusters, which files can only refer to', async () => {
    const account = await newAccount('eu.proxy.test');
    await reconcile(account, domain('apps.example.com', 'eu.proxy.test'));
    const { stdout, code } = await meshform(['export', '--dialect', 'netbird', '--out', '-'], {
      env: environmentOf(account),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('target_cluster: eu.proxy.test');
    expect(stdout).toContain('Left out: proxy cluster eu.proxy.test: it appears by itself');
  });
});
