// A lock that files keep without its secret, and that somebody switched off by hand: nobody can switch it on again without the secret.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILES = (password: string) => `groups: [{ name: sales }]
policies: [{ name: ping, rules: [{ name: r, sources: [sales], destinations: [sales], protocol: icmp }] }]
reverse_proxy:
  services:
    - domain: wiki.eu.proxy.test
      name: Wiki
      targets: [{ target: { peer: gate }, port: 8080, protocol: http }]
      auth: { password_auth: { enabled: true${password} } }
`;
const LACK =
  '`auth.password_auth` of proxy_service.wiki.eu.proxy.test is not enabled in the account, and the files declare no `password` for it: nobody could use it';

type Run = (...argv: string[]) => ReturnType<typeof meshform>;

async function withoutLock(tell: (run: Run, account: TestAccount) => Promise<void>): Promise<void> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  const cluster = { address: 'eu.proxy.test', shared: true };
  await account.control('POST', '/emulator/proxy-clusters', cluster);
  await account.enrol('gate');
  await inFolder(async cwd => {
    const env = { ...environmentOf(account), WIKI: 'hunter2-hunter2' };
    const run: Run = (...argv) => meshform(argv, { env, cwd });
    await writeFile(join(cwd, 'network.yaml'), FILES(', password: "${env:WIKI}"'));
    expect(await run('apply', '.', '--yes')).toMatchObject({ code: 0 });
    await writeFile(join(cwd, 'network.yaml'), FILES(''));
    expect(await run('drift', '.')).toMatchObject({ code: 0 });
    const path = '/api/reverse-proxies/services';
    const [service = {}] = (await account.call('GET', path)) as JsonObject[];
    await account.call('PUT', `${path}/${service.id}`, { ...service, auth: {} });
    const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
    const ping = policies.find(({ name }) => name === 'ping');
    await account.call('DELETE', `/api/policies/${ping?.id}`);
    await tell(run, account);
  });
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ');

test('drift reports a removed lock whose secret is unknown, and all other drift', () =>
  withoutLock(async run => {
    const found = await run('drift', '.');
    expect(found.code, found.stderr).toBe(2);
    expect(found.stdout).toContain('proxy_service.wiki.eu.proxy.test');
    expect(found.stdout).toContain('password_auth');
    expect(found.stdout).toContain('policy.ping');
    expect(plain(found.stderr)).toContain(LACK);
    const json = await run('drift', '.', '--format', 'json');
    expect(json.code).toBe(2);
    const document = JSON.parse(json.stdout) as { resource_drift: JsonObject[] };
    expect(document.resource_drift.map(({ address }) => address)).toEqual([
      'policy.ping',
      'proxy_service.wiki.eu.proxy.test',
    ]);
  }));

test('a plan shows all changes, and cannot be applied, if somebody removed a lock whose secret is unknown', () =>
  withoutLock(async (run, account) => {
    const shown = await run('plan', '.');
    expect(shown.code).toBe(3);
    expect(plain(shown.stderr)).toContain(LACK);
    expect(shown.stdout).toContain('password_auth');
    expect(shown.stdout).toContain('ping');
    const json = await run('plan', '.', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({});
    const before = account.requests.length;
    expect(await run('apply', '.', '--yes')).toMatchObject({ code: 3 });
    const written = account.requests.slice(before).filter(({ method }) => method !== 'GET');
    expect(written).toEqual([]);
  }));
