// An undo of objects that another object of the account serves, while that object does not serve: the plan says before the approval
// what stays undone, and the rest is undone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const ALLOWED = ['SERVICE_PUBLIC', 'DELETES_OBJECT', 'REPLACES_OBJECT', 'GAP'].flatMap(code => [
  '--allow',
  code,
]);

const service = (domain: string, port: number, more = 'mode: http') =>
  `{ domain: ${domain}, name: s, ${more}, targets: [{ target: { peer: web }, port: ${port}, protocol: ${/http/.test(more) ? 'http' : 'tcp'} }] }`;

const files = (groups: string, services: readonly string[], domains = '') =>
  `groups: [${groups}]\nreverse_proxy: { ${domains}services: [${services.join(', ')}] }\n`;

interface Service {
  readonly domain: string;
  readonly mode: string;
  readonly proxy_cluster: string;
  readonly targets: readonly { readonly port: number }[];
}

/** Applies `before` and `after`; then the cluster eu goes offline, and the second run is undone. */
async function undone(before: string, after: string) {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  await account.enrol('web');
  const cluster = (address: string, online = true) =>
    account.control('POST', '/emulator/proxy-clusters', {
      address,
      shared: true,
      supports_custom_ports: true,
      online,
    });
  for (const name of ['eu', 'us']) await cluster(`${name}.proxy.test`);
  return await inFolder(async cwd => {
    const env = environmentOf(account);
    const run = (...words: string[]) => meshform(words, { cwd, env });
    const net = (text: string) => writeFile(join(cwd, 'net.yaml'), text);
    const apply = async (text: string, ...words: readonly string[]) => {
      await net(text);
      const ended = await run('apply', 'net.yaml', '--yes', ...ALLOWED, ...words);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    };
    await apply(before);
    await writeFile(join(cwd, 'before.yaml'), before);
    await apply(after, '--base', 'before.yaml', '--prune', 'removed', '--journal', 'run.jsonl');
    await cluster('eu.proxy.test', false);
    const undo = async () => {
      const ended = await run('apply', '--undo', 'run.jsonl', '--yes', ...ALLOWED);
      const told = ended.stderr
        .replaceAll(/\s+/g, ' ')
        .split(/(?=\bwarning |\[\d+\/\d+\]|\berror |\bnote )/);
      const live = await account.call('GET', '/api/reverse-proxies/services');
      return {
        code: ended.code,
        about: ended.stdout + ended.stderr,
        done: told.flatMap(line => /^\[\d+\/\d+\] (.*)/.exec(line)?.[1]?.trim() ?? []).sort(),
        warnings: told.flatMap(line =>
          /^warning UNDO_PARTIAL .*proxy/.test(line) ? line.slice(21).trim() : [],
        ),
        services: (live as unknown as readonly Service[])
          .map(({ domain, mode, targets }) => `${domain} ${mode} ${targets[0]?.port}`)
          .sort(),
        clusters: (live as unknown as readonly Service[]).map(one => one.proxy_cluster),
      };
    };
    const first = await undo();
    await cluster('eu.proxy.test');
    return { first, second: await undo() };
  });
}

const OFF = '`online` of proxy_cluster.eu.proxy.test, which would serve it, is false';

test('a deleted service whose cluster is offline is left out, and everything else is undone; the rest can be undone later', async () => {
  const a = service('a.eu.proxy.test', 81);
  const { first, second } = await undone(
    files('{ name: one }, { name: two }', [a, service('b.us.proxy.test', 82)]),
    files('{ name: one }, { name: three }', [service('b.us.proxy.test', 83)]),
  );
  expect(first, first.about).toMatchObject({
    code: 0,
    warnings: [`proxy_service.a.eu.proxy.test cannot be created: ${OFF}; it is not restored`],
    done: ['created group.two', 'deleted group.three', 'updated proxy_service.b.us.proxy.test'],
    services: ['b.us.proxy.test http 82'],
  });
  expect(second, second.about).toMatchObject({
    code: 0,
    done: ['created proxy_service.a.eu.proxy.test'],
    services: ['a.eu.proxy.test http 81', 'b.us.proxy.test http 82'],
  });
});

test('a service that replaced a service which cannot be restored stays, and so do objects below a domain that cannot be restored', async () => {
  const domains = 'domains: [{ domain: x.example, target_cluster: eu.proxy.test }], ';
  const tcp = service('a.eu.proxy.test', 81, 'mode: tcp, listen_port: 7000');
  const { first, second } = await undone(
    files('{ name: one }', [tcp, service('w.x.example', 85)], domains),
    files('{ name: two }', [service('a.eu.proxy.test', 82)]),
  );
  expect(first, first.about).toMatchObject({
    code: 0,
    warnings: [
      `proxy_service.a.eu.proxy.test cannot be created: ${OFF}; it is not restored`,
      `proxy_domain.x.example cannot be created: ${OFF}; it is not restored`,
      'proxy_service.a.eu.proxy.test stays: the object that it replaced is not restored',
      'proxy_service.w.x.example cannot be created: `w.x.example` is neither a proxy domain or proxy cluster of the account nor a name below one; it is not restored',
    ],
    done: ['created group.one', 'deleted group.two'],
    services: ['a.eu.proxy.test http 82'],
  });
  expect(second, second.about).toMatchObject({
    code: 0,
    services: ['a.eu.proxy.test tcp 81', 'w.x.example http 85'],
  });
});

test('a service that the server would not change back now stays as it is', async () => {
  const tcp = (port: number) =>
    service('a.eu.proxy.test', port, `mode: tcp, listen_port: ${7000 + port}`);
  const { first, second } = await undone(
    files('{ name: one }', [tcp(81)]),
    files('{ name: two }', [tcp(91)]),
  );
  expect(first, first.about).toMatchObject({
    code: 0,
    warnings: [`proxy_service.a.eu.proxy.test cannot be updated: ${OFF}; it stays as it is`],
    done: ['created group.one', 'deleted group.two'],
    services: ['a.eu.proxy.test tcp 91'],
  });
  expect(second, second.about).toMatchObject({
    code: 0,
    services: ['a.eu.proxy.test tcp 81'],
  });
});

test('a service whose former domain is below an offline cluster keeps its domain, because the server would not move it there', {
  tags: 'variation',
}, async () => {
  const moved = service('a.us.proxy.test', 81, 'lifecycle: { was: a.eu.proxy.test }, mode: http');
  const { first, second } = await undone(
    files('{ name: one }', [service('a.eu.proxy.test', 81)]),
    files('{ name: two }', [moved]),
  );
  expect(first, first.about).toMatchObject({
    code: 0,
    warnings: [`proxy_service.a.eu.proxy.test cannot be updated: ${OFF}; it stays as it is`],
    done: ['created group.one', 'deleted group.two'],
    services: ['a.us.proxy.test http 81'],
    clusters: ['us.proxy.test'],
  });
  expect(second, second.about).toMatchObject({
    code: 0,
    services: ['a.eu.proxy.test http 81'],
    clusters: ['eu.proxy.test'],
  });
});
