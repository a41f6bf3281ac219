// The reverse proxy: domains of the account and the clusters that serve them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Desired } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
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

const hideAuditLog = (account: TestAccount) =>
  account.fault({
    method: 'GET',
    path: '/api/events/audit',
    effect: 'status',
    status: 403,
    times: 100,
  });

describe('domains', () => {
  test('a different cluster means a different object; the addresses of clusters in the list are not domains', async () => {
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

  test('a saved plan deletes nothing if the cluster of the new domain has been disconnected meanwhile', () =>
    inFolder(async cwd => {
      const account = await newAccount('eu.proxy.test', 'us.proxy.test');
      const run = (...words: string[]) => meshform(words, { cwd, env: environmentOf(account) });
      const write = (cluster: string) =>
        writeFile(
          join(cwd, 'a.yaml'),
          `reverse_proxy: { domains: [{ domain: apps.test, target_cluster: ${cluster} }] }\n`,
        );
      const allowed = ['REPLACES_OBJECT', 'GAP'].flatMap(code => ['--allow', code]);
      await write('eu.proxy.test');
      expect((await run('apply', '.', '--yes')).code).toBe(0);
      await write('us.proxy.test');
      expect((await run('plan', '.', '--out', 'p.json', ...allowed)).code).toBe(0);
      const isOnline = (online: boolean) =>
        account.control('POST', '/emulator/proxy-clusters', {
          address: 'us.proxy.test',
          shared: true,
          online,
        });
      await isOnline(false);
      for (const words of [
        ['plan', 'check', 'p.json'],
        ['apply', 'p.json', '--yes'],
      ]) {
        const { code, stderr } = await run(...words);
        expect([code, stderr]).toEqual([3, expect.stringContaining('OBJECT_NEEDS')]);
      }
      expect(await domainsOf(account)).toEqual([['apps.test', 'eu.proxy.test']]);
      await isOnline(true);
      expect((await run('apply', 'p.json', '--yes')).code).toBe(0);
      expect(await domainsOf(account)).toEqual([['apps.test', 'us.proxy.test']]);
    }));

  test('a service stays with the cluster of a domain that gets a different cluster, and a warning says how to move it', async () => {
    const account = await newAccount('eu.proxy.test', 'us.proxy.test');
    await account.enrol('web');
    const files = (cluster: string, name = 'wiki') =>
      desiredOf(`reverse_proxy:
  domains: [{ domain: apps.example.com, target_cluster: ${cluster} }]
  services:
    - { domain: ${name}.apps.example.com, name: wiki, auth: { bearer_auth: { enabled: true } }, targets: [{ target: { peer: web }, port: 80, protocol: http }] }
`);
    const staying = async (desired: readonly Desired[], base: readonly Desired[]) =>
      (await plan(account, desired, { base, prune: 'removed' })).diagnostics.filter(
        ({ code }) => code === 'STAYS_ELSEWHERE',
      );
    const before = files('eu.proxy.test');
    await reconcile(account, before);
    expect(await staying(before, before)).toEqual([]);
    const after = files('us.proxy.test');
    expect(await staying(after, before)).toMatchObject([
      {
        severity: 'warning',
        message:
          'proxy_service.wiki.apps.example.com stays with eu.proxy.test, although its domain now belongs to us.proxy.test: the server chooses only when an object is created or gets another domain',
      },
    ]);
    await reconcile(account, after, { base: before, prune: 'removed' });
    expect(await staying(after, after)).toHaveLength(1);
    const [service] = (await account.call('GET', '/api/reverse-proxies/services')) as JsonObject[];
    await account.call('DELETE', `/api/reverse-proxies/services/${service?.id}`);
    await reconcile(account, after, { base: after });
    expect(await staying(after, after)).toEqual([]);
  });

  test('a service below two clusters, of which either may be chosen, has no warning', async () => {
    const account = await newAccount('eu.proxy.test', 'x.eu.proxy.test');
    await account.enrol('web');
    const files = desiredOf(`reverse_proxy:
  services:
    - { domain: wiki.x.eu.proxy.test, name: wiki, auth: { bearer_auth: { enabled: true } }, targets: [{ target: { peer: web }, port: 80, protocol: http }] }
`);
    await reconcile(account, files);
    const { diagnostics } = await plan(account, files, { base: files });
    expect(diagnostics.filter(({ code }) => code === 'STAYS_ELSEWHERE')).toEqual([]);
  });

  test('a disconnected cluster is an error before the first write', async () => {
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

  test('a cluster that was removed does not affect its domains', async () => {
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

  test('domains that differ only in case, and a cluster in the files, are errors', () => {
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

describe('services', () => {
  const PIN = '{ enabled: true, pin: "${env:PIN}" }';
  const service = (more: string, target = '{ peer: web }') => `
groups: [{ name: engineers }]
reverse_proxy:
  services:
    - domain: wiki.eu.proxy.test
      name: Wiki
      targets: [{ target: ${target}, port: 8080, protocol: http }]
      ${more}
`;
  const ENV = { env: { PIN: '4711', OTHER: '0815' } };

  async function withMachine(): Promise<TestAccount> {
    const account = await newAccount('eu.proxy.test');
    await account.enrol('web');
    return account;
  }

  const live = async (account: TestAccount) =>
    ((await account.call('GET', '/api/reverse-proxies/services')) as JsonObject[])[0] ?? {};
  const bodies = (account: TestAccount) =>
    account.requests.filter(({ method, path }) => method === 'PUT' && path.includes('/services/'))
      .length;

  test('an omitted field keeps its live value, in auth too; a declared lock is sent with its secret', async () => {
    const account = await withMachine();
    const first = desiredOf(
      service(`private: false
      access_groups: [engineers]
      access_restrictions: { allowed_cidrs: [192.0.2.0/24], blocked_countries: [KP] }
      auth: { pin_auth: ${PIN}, password_auth: { enabled: true, password: "\${env:OTHER}" } }`),
    );
    await reconcile(account, first, ENV);
    expect((await plan(account, first, ENV)).changes).toEqual([]);
    const before = await live(account);
    const less = desiredOf(
      service(`pass_host_header: true
      auth: { bearer_auth: { enabled: true, distribution_groups: [engineers] } }`),
    );
    const { plan: made, result } = await reconcile(account, less, ENV);
    expect(made.changes.map(({ address }) => address)).toEqual([
      'proxy_service.wiki.eu.proxy.test',
    ]);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
    const after = await live(account);
    expect(after).toMatchObject({
      access_groups: before.access_groups ?? null,
      access_restrictions: before.access_restrictions ?? null,
      auth: {
        pin_auth: { enabled: true },
        password_auth: { enabled: true },
        bearer_auth: { enabled: true },
      },
    });
    expect((await plan(account, less, ENV)).changes).toEqual([]);
    expect(bodies(account)).toBe(1);
  });

  test('headers that differ only in case are one lock: declared twice they are an error with its place', () => {
    const header = (name: string) => `{ enabled: true, header: ${name}, value: "\${env:PIN}" }`;
    const files = service(`auth: { header_auths: [${header('X-A')}, ${header('x-a')}] }`);
    const { diagnostics } = loadFiles({ 'n.yaml': files });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        code: 'OBJECT_DUPLICATE',
        severity: 'error',
        message: '`header` means the same as in member 1 of this list: `x-a`',
        hint: 'members of this list are identified by header',
        at: { file: 'n.yaml', line: 8 },
      },
    ]);
  });

  test.each([
    [true, false],
    [false, true],
    [true, true],
  ])(
    'services whose headers somebody stored twice (%s, %s) are sent with the enabled headers as read',
    async (...enabled) => {
      const account = await withMachine();
      await reconcile(account, desiredOf(service('')));
      const { id, name, domain: at, mode, targets } = await live(account);
      const header_auths = enabled.map((isOn, i) => ({
        enabled: isOn,
        header: ['X-A', 'x-a'][i] ?? '',
        value: `v${i}`,
      }));
      const body = { name, domain: at, mode, enabled: true, targets, auth: { header_auths } };
      await account.call('PUT', `/api/reverse-proxies/services/${id}`, body as JsonObject);
      const { result } = await reconcile(account, desiredOf(service('rewrite_redirects: true')));
      expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
      const kept = header_auths.filter(one => one.enabled).map(one => ({ ...one, value: '' }));
      expect(await live(account)).toMatchObject({
        rewrite_redirects: true,
        auth: { header_auths: kept },
      });
      const declared = desiredOf(
        service(`rewrite_redirects: true
      auth: { header_auths: [{ enabled: true, header: X-A, value: "\${env:PIN}" }] }`),
      );
      await reconcile(account, declared, ENV);
      // Another value of a header that is declared once would still open the service.
      expect(await live(account)).toMatchObject({ auth: { header_auths: [{ enabled: true }] } });
      expect((await plan(account, declared, ENV)).changes).toEqual([]);
    },
  );

  test('a lock that is enabled needs its secret, and a disabled lock is not sent back', async () => {
    const account = await withMachine();
    const open = desiredOf(service('auth: { pin_auth: { enabled: false } }'));
    await reconcile(account, open, ENV);
    const closing = desiredOf(service('auth: { pin_auth: { enabled: true } }'));
    expect((await plan(account, closing, ENV)).diagnostics).toMatchObject([
      {
        code: 'SECRET_UNDEFINED',
        severity: 'error',
        message:
          '`auth.pin_auth` of proxy_service.wiki.eu.proxy.test is not enabled in the account, and the files declare no `pin` for it: nobody could use it',
      },
    ]);
    const secret = desiredOf(service(`auth: { pin_auth: ${PIN} }`));
    await reconcile(account, secret, ENV);
    expect((await plan(account, closing, ENV)).changes).toEqual([]);
    await reconcile(account, open, ENV);
    const other = desiredOf(service('rewrite_redirects: true'));
    await reconcile(account, other, ENV);
    expect((await live(account)).auth).toEqual({});
  });

  test.each([
    [
      'private: false',
      'private: true',
      '`private` of proxy_service.wiki.eu.proxy.test is true, and the server accepts that only with entries in `access_groups`',
      'declare entries in `access_groups`, or declare `private: false`',
    ],
    [
      'private: true\n      access_groups: [engineers]',
      'access_groups: []',
      '`private` of proxy_service.wiki.eu.proxy.test is true in the account, and the server accepts that only with entries in `access_groups`',
      'declare entries in `access_groups`, or declare `private: false` too',
    ],
    [
      'auth: { bearer_auth: { enabled: true } }',
      'private: true\n      access_groups: [engineers]',
      '`private` of proxy_service.wiki.eu.proxy.test is true, and the server accepts that only without `auth.bearer_auth.enabled: true`, which the account has',
      'declare `auth.bearer_auth.enabled: false`, or declare `private: false`',
    ],
    [
      'private: true\n      access_groups: [engineers]',
      'auth: { bearer_auth: { enabled: true } }',
      '`private` of proxy_service.wiki.eu.proxy.test is true in the account, and the server accepts that only without `auth.bearer_auth.enabled: true`',
      'declare `auth.bearer_auth.enabled: false`, or declare `private: false` too',
    ],
  ])(
    'a combination with the account’s values that the server refuses is an error of the plan: %s, then %s',
    async (before, after, message, hint) => {
      const account = await withMachine();
      await reconcile(account, desiredOf(service(before)), ENV);
      expect((await plan(account, desiredOf(service(after)), ENV)).diagnostics).toMatchObject([
        { code: 'SCHEMA_COMBINATION', severity: 'error', message, hint },
      ]);
    },
  );

  test('services with a missing source of a secret are not written', async () => {
    const account = await withMachine();
    await reconcile(account, desiredOf(service(`auth: { pin_auth: ${PIN} }`)), ENV);
    const written = account.requests.filter(({ method }) => method !== 'GET').length;
    const next = desiredOf(service(`rewrite_redirects: true\n      auth: { pin_auth: ${PIN} }`));
    const made = await plan(account, next);
    const { apply } = await import('../support/reconcile.ts');
    await apply(account, made, { env: {} }).catch(() => undefined);
    expect(account.requests.filter(({ method }) => method !== 'GET').length).toBe(written);
  });

  test('a domain is created before the service below it, and deleted after it; a name without a domain is an error', async () => {
    const account = await withMachine();
    const own = (text: string) =>
      text
        .replace('wiki.eu.proxy.test', 'wiki.apps.example.com')
        .replace(
          '  services:',
          '  domains: [{ domain: apps.example.com, target_cluster: eu.proxy.test }]\n  services:',
        );
    const both = desiredOf(own(service('')));
    const { plan: made, result } = await reconcile(account, both, ENV);
    const ids = made.actions.map(({ id }) => id);
    expect(ids.indexOf('create proxy_domain.apps.example.com' as never)).toBeLessThan(
      ids.indexOf('create proxy_service.wiki.apps.example.com' as never),
    );
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    const none = await reconcile(account, [], { base: both, prune: 'removed', ...ENV });
    const gone = none.plan.actions.map(({ id }) => id).filter(id => id.includes('proxy_'));
    expect(gone).toEqual([
      'delete proxy_service.wiki.apps.example.com',
      'delete proxy_domain.apps.example.com',
    ]);
    const lost = desiredOf(service('').replace('wiki.eu.proxy.test', 'wiki.example.org'));
    const { diagnostics } = await plan(account, lost, ENV);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        code: 'OBJECT_NEEDS',
        message:
          'proxy_service.wiki.example.org cannot be created: `wiki.example.org` is neither a proxy domain or proxy cluster of the account nor a name below one',
      },
    ]);
  });

  test.each([
    ['no custom ports', { supports_custom_ports: false }, true, 'a.eu.proxy.test', 'tcp', 2222],
    ['custom ports', { supports_custom_ports: true }, false, 'a.eu.proxy.test', 'tcp', 2222],
    ['a port of the server', {}, false, 'a.eu.proxy.test', 'udp', 0],
    ['a port of tls', {}, false, 'a.eu.proxy.test', 'tls', 2222],
    ['a name of its own', { require_subdomain: true }, true, 'eu.proxy.test', 'http', 0],
    ['no name of its own', { require_subdomain: false }, false, 'eu.proxy.test', 'http', 0],
    ['not connected', { online: false }, true, 'a.eu.proxy.test', 'http', 0],
    [
      'not connected, ports',
      { online: false, supports_custom_ports: true },
      true,
      'a.b.test',
      'tcp',
      2,
    ],
    ['not connected, a domain', { online: false }, false, 'a.b.test', 'http', 0],
  ])(
    'the plan of a new service has an error if the server would refuse it: %s',
    async (_, abilities, isBad, name, mode, port) => {
      const account = await withMachine();
      await account.call('POST', '/api/reverse-proxies/domains', {
        domain: 'b.test',
        target_cluster: 'eu.proxy.test',
      });
      const shared = { address: 'eu.proxy.test', shared: true };
      await account.control('POST', '/emulator/proxy-clusters', { ...shared, ...abilities });
      const files = desiredOf(
        `reverse_proxy: { services: [{ domain: ${name}, name: a, mode: ${mode}${port > 0 ? `, listen_port: ${port}` : ''}, targets: [{ target: { peer: web }, port: 80, protocol: tcp }] }] }`,
      );
      const { diagnostics } = await plan(account, files);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      const [machine] = (await account.call('GET', '/api/peers')) as JsonObject[];
      const target = { target_type: 'peer', target_id: machine?.id ?? '' };
      const targets = [{ ...target, port: 80, protocol: 'tcp', enabled: true }];
      const body = { name: 'a', domain: name, mode, listen_port: port, targets };
      const made = account.call('POST', '/api/reverse-proxies/services', body);
      const isRefused = await made.then(
        () => false,
        () => true,
      );
      expect(errors.map(({ code }) => code)).toEqual(isRefused ? ['OBJECT_NEEDS'] : []);
      expect(isRefused).toBe(isBad);
    },
  );

  test('a network, a machine and a group stay while a service needs them', async () => {
    const account = await withMachine();
    const network = `networks: [{ name: office, resources: [{ name: wiki, address: 10.0.0.5, groups: [engineers] }] }]\n`;
    const text = service(
      'private: true\n      access_groups: [engineers]',
      '{ network_resource: [office, wiki] }',
    );
    const both = desiredOf(network + text);
    await reconcile(account, both, ENV);
    const services = both.filter(({ kind }) => kind === 'proxy_service');
    const kept = await plan(account, services, { base: both, prune: 'removed', ...ENV });
    expect(kept.actions).toEqual([]);
    const none = await reconcile(account, [], { base: both, prune: 'removed', ...ENV });
    expect(none.result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    expect(none.plan.actions[0]?.id).toBe('delete proxy_service.wiki.eu.proxy.test');
  });

  test.each([
    ['listen_port: 8080', 'a service of mode http has the port of the proxy'],
    ['mode: tls', 'listen_port'],
    ['mode: tcp\n      private: true', 'only services of mode http can be private'],
    ['mode: tcp\n      auth: {}', 'only services of mode http have auth'],
    ['private: true\n      access_groups: []', 'access_groups'],
    ['access_restrictions: { allowed_cidrs: [10.0.0.1/8] }', 'host bits'],
    ['access_restrictions: { allowed_countries: [fr] }', 'country code'],
    ['auth: { link_auth: { enabled: true } }', 'link_auth'],
  ])('%s is an error in the file', (more, said) => {
    const { diagnostics } = loadFiles({ 'a.yaml': service(more) });
    expect(JSON.stringify(diagnostics)).toContain(said);
    expect(diagnostics.map(({ severity }) => severity)).toContain('error');
  });

  const HTTP = '{ target: { peer: web }, port: 8080, protocol: http, options: { OPTIONS } }';
  const TCP = '{ target: { peer: web }, port: 5432, protocol: tcp, options: { OPTIONS } }';
  const OFFICE =
    'networks: [{ name: office, resources: [{ name: lan, address: 10.0.0.0/24, groups: [engineers] }, { name: wiki, address: 10.0.0.5/32, groups: [engineers] }] }]\n';
  const at = (name: string, more = '') =>
    `{ target: { network_resource: [office, ${name}] }, port: 80, protocol: http${more} }`;
  const DIRECT = (host: string) =>
    `{ target: { proxy_cluster: eu.proxy.test }, host: ${host}, port: 80, protocol: http, options: { direct_upstream: true } }`;

  /** A service with this target, as the server and a file get it. */
  const targeted = (mode: string, target: string, more = '') =>
    `${OFFICE}groups: [{ name: engineers }]
reverse_proxy:
  services: [{ domain: wiki.eu.proxy.test, name: Wiki, mode: ${mode}, targets: [${target}]${more} }]
`;
  const withOptions = (target: string, options: string) => target.replace('OPTIONS', options);
  const LOCK = (header: string) =>
    `, auth: { header_auths: [{ enabled: true, header: ${header}, value: "\${env:PIN}" }] }`;

  test.each<[string, string, string]>([
    [
      'a network without the address of the target',
      targeted('http', at('lan')),
      '`host` is missing',
    ],
    [
      'proxy_protocol in mode http',
      targeted('http', withOptions(HTTP, 'proxy_protocol: true')),
      'only services of mode tcp and tls',
    ],
    [
      'proxy_protocol in mode udp',
      targeted('udp', withOptions(TCP, 'proxy_protocol: true')),
      'only services of mode tcp and tls',
    ],
    [
      'skip_tls_verify in mode tcp',
      targeted('tcp', withOptions(TCP, 'skip_tls_verify: true')),
      'only services of mode http check',
    ],
    [
      'path_rewrite in mode tcp',
      targeted('tcp', withOptions(TCP, 'path_rewrite: preserve')),
      'only services of mode http have paths',
    ],
    [
      'headers in mode tcp',
      targeted('tcp', withOptions(TCP, 'custom_headers: { X-One: a }')),
      'only services of mode http have headers',
    ],
    [
      'a header of the connection',
      targeted('http', withOptions(HTTP, 'custom_headers: { Keep-Alive: a }')),
      'Keep-Alive',
    ],
    [
      'a header that the proxy sets',
      targeted('http', withOptions(HTTP, 'custom_headers: { X-Real-IP: a }')),
      'X-Real-IP',
    ],
    ['the header Host', targeted('http', withOptions(HTTP, 'custom_headers: { Host: a }')), 'Host'],
    [
      'headers that differ in case',
      targeted('http', withOptions(HTTP, 'custom_headers: { X-One: a, x-one: b }')),
      'differ only in case',
    ],
    [
      'a header of two lines',
      targeted('http', withOptions(HTTP, 'custom_headers: { X-One: "a\\nb" }')),
      'X-One',
    ],
    [
      'a lock by a header that the proxy sets',
      targeted('http', withOptions(HTTP, ''), LOCK('cookie')),
      'is a header that the proxy sets or drops itself',
    ],
    [
      'a lock by the header Host',
      targeted('http', withOptions(HTTP, ''), LOCK('Host')),
      'is a header that the proxy sets or drops itself',
    ],
    [
      'a port in the host beside the proxy',
      targeted('http', DIRECT('"192.0.2.7:80"')),
      'without a port',
    ],
    [
      'a path in the host beside the proxy',
      targeted('http', DIRECT('192.0.2.7/x')),
      'without a port',
    ],
  ])('%s is an error in the file', (_, text, said) => {
    const { diagnostics } = loadFiles({ 'a.yaml': text });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(JSON.stringify(errors)).toContain(said);
  });

  test.each<[string, string]>([
    ['a network with the address', targeted('http', at('lan', ', host: 10.0.0.7'))],
    ['a network of one address', targeted('http', at('wiki'))],
    [
      'proxy_protocol in mode tls',
      targeted('tls', withOptions(TCP, 'proxy_protocol: true'), ', listen_port: 993'),
    ],
    [
      'own headers',
      targeted('http', withOptions(HTTP, 'custom_headers: { X-One: a, Authorization: b }')),
    ],
    ['a lock by Authorization', targeted('http', withOptions(HTTP, ''), LOCK('Authorization'))],
    ['an IPv6 address beside the proxy', targeted('http', DIRECT('"2001:db8::7"'))],
  ])('%s is not an error, and the server accepts it', async (_, text) => {
    const account = await withMachine();
    const { result } = await reconcile(account, desiredOf(text), ENV);
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  });
});

describe('services that machines create', () => {
  const ONE = (domain: string) => `
reverse_proxy:
  services: [{ domain: ${domain}, name: one, targets: [{ target: { peer: web }, port: 8080, protocol: http }] }]
`;

  /** A service of a person, one of a machine, and one whose entry the audit log no longer shows. */
  async function withServices(): Promise<TestAccount> {
    const account = await newAccount('eu.proxy.test');
    const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
    const all = String(groups.find(({ name }) => name === 'All')?.id);
    const [own] = (await account.call('GET', '/api/accounts')) as JsonObject[];
    const settings = own?.settings as JsonObject;
    await account.call('PUT', `/api/accounts/${String(own?.id)}`, {
      settings: { ...settings, peer_expose_enabled: true, peer_expose_groups: [all] },
    });
    const web = await account.enrol('web');
    await reconcile(account, desiredOf(ONE('person.eu.proxy.test')));
    await account.control('POST', `/emulator/peers/${String(web.id)}/services`, {
      domain: 'machine.eu.proxy.test',
      port: 3000,
    });
    return account;
  }

  const domains = async (account: TestAccount) =>
    ((await account.call('GET', '/api/reverse-proxies/services')) as JsonObject[])
      .map(({ domain: name }) => String(name))
      .toSorted();

  test('only services that a user or token created are pruned', async () => {
    const account = await withServices();
    const files = desiredOf(ONE('declared.eu.proxy.test'));
    const { plan: made } = await reconcile(account, files, { prune: 'unmanaged' });
    expect(made.actions.map(({ id }) => id).toSorted()).toEqual([
      'create proxy_service.declared.eu.proxy.test',
      'delete proxy_service.person.eu.proxy.test',
    ]);
    expect(made.leftAlone.filter(({ kind }) => kind === 'proxy_service')).toMatchObject([
      {
        key: 'machine.eu.proxy.test',
        because: 'the audit log does not show that a person or token created it',
      },
    ]);
    expect(await domains(account)).toEqual(['declared.eu.proxy.test', 'machine.eu.proxy.test']);
  });

  test('services are not pruned with an unreadable audit log', async () => {
    const account = await withServices();
    await hideAuditLog(account);
    const made = await plan(account, desiredOf(ONE('declared.eu.proxy.test')), {
      prune: 'unmanaged',
    });
    expect(made.actions.map(({ verb }) => verb)).toEqual(['create']);
  });

  const exported = (account: TestAccount, ...more: readonly string[]) =>
    meshform(['export', '--dialect', 'netbird', '--kinds', 'proxy_service', ...more], {
      env: environmentOf(account),
    });

  const judged = (account: TestAccount, ...words: readonly string[]) =>
    inFolder(async cwd => {
      const tests = 'access_tests: [{ name: closed, from: internet, deny: [peer/web] }]\n';
      await writeFile(join(cwd, 'net.yaml'), `groups: [{ name: new }]\n${tests}`);
      return meshform([...words, '.', '--dialect', 'netbird'], {
        cwd,
        env: environmentOf(account),
      });
    });
  const NOTE = 'SERVICE_TEMPORARY';

  test('are listed if the audit log shows that a machine created them, and no access test evaluates them', async () => {
    const account = await withServices();
    const services = (await account.call('GET', '/api/reverse-proxies/services')) as JsonObject[];
    const person = services.find(({ domain: name }) => name === 'person.eu.proxy.test');
    const open = await judged(account, 'plan');
    expect(open.stdout).toContain('FAIL  closed');
    await account.call('DELETE', `/api/reverse-proxies/services/${String(person?.id)}`);
    const closed = await judged(account, 'plan');
    expect(closed.stdout + closed.stderr).not.toContain('FAIL');
    expect(closed.stderr).toContain(NOTE);
    expect(closed.stderr).toContain('machine.eu.proxy.test');
    const applied = await judged(account, 'apply', '--yes');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  });

  test('objects that a machine created and a user or token then edited are evaluated as services', async () => {
    const account = await withServices();
    const services = (await account.call('GET', '/api/reverse-proxies/services')) as JsonObject[];
    const [person, machine] = ['person', 'machine'].map(name =>
      services.find(({ domain: of }) => of === `${name}.eu.proxy.test`),
    );
    await account.call('DELETE', `/api/reverse-proxies/services/${String(person?.id)}`);
    const path = `/api/reverse-proxies/services/${String(machine?.id)}`;
    await account.call('PUT', path, { ...machine, name: 'mine now' });
    const { stdout, stderr } = await judged(account, 'plan');
    expect(stdout).toContain('FAIL  closed');
    expect(stderr).not.toContain(NOTE);
    // Its machine ends it all the same: it is neither pruned nor exported as somebody's.
    const made = await plan(account, desiredOf(ONE('declared.eu.proxy.test')), {
      prune: 'unmanaged',
    });
    expect(made.actions.map(({ verb }) => verb)).toEqual(['create']);
    expect((await exported(account)).stdout).not.toContain('domain: machine.eu.proxy.test');
    const all = await exported(account, '--with-unknown-services');
    expect(all.stdout).toContain('domain: machine.eu.proxy.test');
  });

  test('objects of unknown origin are evaluated as services', async () => {
    const account = await withServices();
    await hideAuditLog(account);
    const { stdout, stderr } = await judged(account, 'plan');
    expect(stdout).toContain('FAIL  closed');
    expect(stderr).not.toContain(NOTE);
  });

  test('are shown in an answer about the live account, with those that machines created', async () => {
    const account = await withServices();
    const asked = () =>
      meshform(['access', 'to', 'peer/web', '--live', '--dialect', 'netbird'], {
        env: environmentOf(account),
      });
    const known = await asked();
    expect(known.stdout).toContain('machine.eu.proxy.test');
    expect(known.stdout).toContain('person.eu.proxy.test');
    expect(known.stderr).toContain(NOTE);
    expect(known.stderr).toContain('created proxy_service machine.eu.proxy.test temporarily');
    expect(known.stderr).not.toContain('made proxy_service person.eu.proxy.test');
    await hideAuditLog(account);
    const unknown = await asked();
    expect(unknown.stdout).toBe(known.stdout);
    expect(unknown.stderr).not.toContain(NOTE);
  });

  test('are left out of an export, which says so', async () => {
    const account = await withServices();
    const { stdout } = await exported(account, '--with-unknown-services');
    expect(stdout).toContain('- domain: person.eu.proxy.test');
    expect(stdout).not.toContain('- domain: machine.eu.proxy.test');
    expect(stdout).toMatch(/"machine\.eu\.proxy\.test" \(\w+\): a machine created it temporarily/);
  });

  test('objects of unknown origin are left out of an export, unless they are requested', async () => {
    const account = await withServices();
    await hideAuditLog(account);
    const { stdout } = await exported(account);
    expect(stdout).not.toContain('- domain: person.eu.proxy.test');
    expect(stdout).toContain('`--with-unknown-services` exports it');
    const asked = await exported(account, '--with-unknown-services');
    expect(asked.stdout).toContain('- domain: person.eu.proxy.test');
  });
});

describe('a network resource whose address becomes another kind of address, with a service that calls it', () => {
  const network = (address: string) =>
    `networks: [{ name: n, resources: [{ name: r, address: ${address}, groups: [All] }] }]\n`;
  const service = (host = '') =>
    `reverse_proxy: { services: [{ domain: s.eu.proxy.test, name: s, private: true, access_groups: [All], targets: [{ target: { network_resource: n/r }, port: 80, protocol: http${host && `, host: ${host}`} }] }] }\n`;

  test.each([
    ['a new service', network('10.0.0.0/24'), network('x.example') + service()],
    ['a new service', network('x.example'), network('10.0.0.0/24') + service('10.0.0.7')],
    [
      'a service that changes',
      network('10.0.0.0/24') + service('10.0.0.7'),
      network('10.0.0.5') + service(),
    ],
    [
      'a service that changes',
      network('x.example') + service(),
      network('10.0.0.0/24') + service('10.0.0.7'),
    ],
  ])('is changed before %s: from %j to %j', async (_, before, after) => {
    const account = await newAccount('eu.proxy.test');
    const from = desiredOf(before);
    const to = desiredOf(after);
    await reconcile(account, from);
    const { plan: made, result } = await reconcile(account, to, { base: from, prune: 'removed' });
    expect(made.actions.map(({ kind }) => kind)).toEqual(['network_resource', 'proxy_service']);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
    expect((await plan(account, to)).changes).toEqual([]);
  });
});
