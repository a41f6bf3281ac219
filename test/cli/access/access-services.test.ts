// Services of the reverse proxy without a lock are access of the internet: no run without new access, no threshold and no guard lets
// one through, also when only its `auth` goes.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: production, peers: [web] }, { name: engineers }]\n';
const service = (more = ''): string => `${GROUPS}reverse_proxy:
  services:
    - domain: portal.eu.proxy.test
      name: Portal
      targets: [{ target: { peer: web }, port: 8080, protocol: http }]
${more}`;
const SIGN_IN = (enabled: boolean): string =>
  `      auth: { bearer_auth: { enabled: ${enabled}, distribution_groups: [engineers] } }\n`;

// What every plan here needs to open the service at all.
const PUBLIC = 'SERVICE_PUBLIC=proxy_service/portal.eu.proxy.test';
const THRESHOLD = 'access_thresholds: { gained: 1000 }\n';
const GUARD = 'guarded: [group/production]\n';

interface Folder {
  readonly account: TestAccount;
  readonly write: (name: string, text: string) => Promise<void>;
  readonly want: (files: string, project?: string) => Promise<void>;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** The same with another token. */
  readonly runAs: (token: string, ...words: readonly string[]) => Promise<Ended>;
  /** The same with another server. */
  readonly runAt: (url: string, ...words: readonly string[]) => Promise<Ended>;
}

async function started(files: string, use: (folder: Folder) => Promise<void>): Promise<void> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/proxy-clusters', {
    address: 'eu.proxy.test',
    shared: true,
  });
  await account.enrol('web');
  await account.enrol('laptop');
  await inFolder(async cwd => {
    const write = async (name: string, text: string) => {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    };
    const folder: Folder = {
      account,
      write,
      want: async (text, project = '') => {
        await write('network.yaml', text);
        await write('meshform.yaml', project);
      },
      run: (...words) => meshform(words, { cwd, env: environmentOf(account) }),
      runAs: (token, ...words) =>
        meshform(words, { cwd, env: environmentOf({ ...account, token }) }),
      runAt: (url, ...words) => meshform(words, { cwd, env: environmentOf({ ...account, url }) }),
    };
    await folder.want(files);
    const first = await folder.run('apply', '--yes', '--allow', PUBLIC);
    expect(first.code, first.stderr).toBe(0);
    await use(folder);
  });
}

const writesOf = ({ requests }: TestAccount): number =>
  requests.filter(({ method }) => method !== 'GET').length;

async function refused({ account, run }: Folder, ...flags: readonly string[]): Promise<string> {
  const before = writesOf(account);
  const { code, stdout, stderr } = await run('apply', '--yes', ...flags);
  expect(code, stdout + stderr).toBe(6);
  expect(writesOf(account)).toBe(before);
  return stdout + stderr;
}

describe.each(
  someOf(
    [
      ['a service without a lock', GROUPS, service()],
      ['a service whose sign-in goes', service(SIGN_IN(true)), service(SIGN_IN(false))],
      [
        'a private service that is opened',
        service('      private: true\n      access_groups: [engineers]\n'),
        service('      private: false\n'),
      ],
    ],
    1,
  ),
)('%s', (_, before, after) => {
  test('is refused by --no-new-access', () =>
    started(before, async folder => {
      await folder.want(after);
      expect(await refused(folder, '--no-new-access')).toContain('+ internet → peer/web  tcp/8080');
    }));

  test('exceeds every threshold', () =>
    started(before, async folder => {
      await folder.want(after, THRESHOLD);
      expect((await refused(folder)).replaceAll(/\s+/g, ' ')).toContain(
        'gains access of the internet, which no value of `access_thresholds` allows: internet → peer/web tcp/8080',
      );
      expect(
        (await folder.run('apply', '--yes', '--allow', 'WIDENS_ACCESS', '--allow', PUBLIC)).code,
      ).toBe(0);
    }));

  test('is refused if its target is guarded', () =>
    started(before, async folder => {
      await folder.want(after, GUARD);
      expect((await refused(folder)).replaceAll(/\s+/g, ' ')).toContain(
        'widens access to group/production, which is guarded: internet → peer/web',
      );
      // Users and machines that had to sign in, or to be of a group, are among those who may call it now.
      const allowed = ['--allow', 'WIDENS_GUARDED_ACCESS=group/production'];
      expect((await folder.run('apply', '--yes', ...allowed)).code).toBe(6);
      expect((await folder.run('apply', '--yes', '--allow', PUBLIC, ...allowed)).code).toBe(0);
    }));

  test('is refused without SERVICE_PUBLIC, which names the domain and the target', () =>
    started(before, async folder => {
      await folder.want(after);
      expect((await refused(folder)).replaceAll(/\s+/g, ' ')).toMatch(
        /SERVICE_PUBLIC proxy_service\.portal\.eu\.proxy\.test .* open to everybody on the internet: `portal\.eu\.proxy\.test` leads to peer\/web:8080/,
      );
      expect((await folder.run('apply', '--yes', '--allow', PUBLIC)).code).toBe(0);
    }));

  test('breaks the access test of a group that must not reach it', () =>
    started(before, async folder => {
      const tests =
        'access_tests: [{ name: staff stays out, from: group/engineers, deny: ["group/production:tcp/8080"] }]\n';
      await folder.want(after + tests);
      expect(await refused(folder)).toContain('staff stays out');
    }));
});

test('adding a sign-in to a service is not refused by any access check', () =>
  started(service(), async ({ want, run }) => {
    await want(service(SIGN_IN(true)), 'access_thresholds: { gained: 1000 }\n');
    const plan = await run('plan', '--no-new-access', '--format', 'json');
    expect(plan.stdout).not.toContain('internet → peer/web  tcp/8080');
  }));

test('a service is named in guarded access entries and access tests about its target', () =>
  started(service(SIGN_IN(true)), async folder => {
    const name = 'proxy_service/portal.eu.proxy.test';
    const tests = `access_tests: [{ name: only by the portal, to: group/production, only_from: [${name}] }]\n`;
    const own =
      'policies: [{ name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }]\n';
    const guard = `guarded: [{ from: ${name}, to: group/production }]\n`;
    await folder.want(own + tests + service(SIGN_IN(true)), guard);
    const { code, stdout, stderr } = await folder.run('apply', '--yes');
    expect(code, stdout + stderr).toBe(0);
    expect((await folder.run('access', 'from', name, '--live')).stdout).toContain(
      'users of group/engineers → peer/web  tcp/8080',
    );
    await folder.want(own + service(`${SIGN_IN(true)}      enabled: false\n`), guard);
    expect(await refused(folder)).toContain('CUTS_GUARDED_ACCESS');
    await folder.want(own + tests + service(SIGN_IN(false)), guard);
    expect(await refused(folder, '--allow', PUBLIC)).toContain('only by the portal');
  }));

const RESTRICTED = (restrictions: string): string =>
  service(`      access_restrictions: { ${restrictions} }\n`);

test.each([
  [
    'allowed networks are more',
    'allowed_cidrs: [192.0.2.0/24]',
    'allowed_cidrs: [192.0.2.0/24, 198.51.100.0/24]',
    '+ internet from some addresses (from 192.0.2.0/24, 198.51.100.0/24) → peer/web  tcp/8080',
  ],
  [
    'blocked networks are fewer',
    'blocked_cidrs: [192.0.2.0/24, 198.51.100.0/24]',
    'blocked_cidrs: [192.0.2.0/24]',
    '+ internet (except 192.0.2.0/24) → peer/web  tcp/8080',
  ],
])('a service whose %s gains access', { tags: 'variation' }, (_, before, after, line) =>
  started(RESTRICTED(before), async folder => {
    await folder.want(RESTRICTED(after));
    const widened = await refused(folder, '--no-new-access', '--allow', PUBLIC);
    expect(widened).toContain(line);
    expect(widened).not.toContain('Access: unchanged');
    const allowed = await folder.run(
      'apply',
      '--yes',
      '--allow',
      PUBLIC,
      '--allow',
      'WIDENS_ACCESS',
    );
    expect(allowed.code, allowed.stdout + allowed.stderr).toBe(0);
    await folder.want(RESTRICTED(before));
    const narrowed = await folder.run('apply', '--yes', '--no-new-access');
    expect(narrowed.code, narrowed.stdout + narrowed.stderr).toBe(0);
  }),
);

const PINNED = (source: string): string =>
  service(`      auth: { pin_auth: { enabled: true, pin: "${source}" } }\n`);

test('a changed secret of a lock is reported as a right, also beside another change', async () => {
  await started(GROUPS, async folder => {
    const { write, want } = folder;
    await write('former.txt', '123456');
    await write('other.txt', '000000');
    const run = (...words: readonly string[]) => folder.run(...words, '--allow', PUBLIC);
    await want(PINNED('${file:former.txt}'));
    const first = await run('apply', '--yes');
    expect(first.code, first.stderr).toBe(0);
    await want(PINNED('${file:other.txt}').replace('name: Portal', 'name: Gate'));
    const { stdout } = await run('plan');
    expect(stdout).toMatch(/^Access: .*rights \+1/m);
    const says = await refused({ ...folder, run }, '--no-new-access');
    expect(says).toContain('the secret in auth.pin_auth.pin is sent');
  });
});

test('a changed secret of a lock counts as access to the guarded destination', async () => {
  await started(GROUPS, async folder => {
    const { write, want } = folder;
    await write('former.txt', '123456');
    await write('other.txt', '000000');
    await want(PINNED('${file:former.txt}'), GUARD);
    const first = await folder.run(
      'apply',
      '--yes',
      '--allow',
      'WIDENS_GUARDED_ACCESS=group/production',
    );
    expect(first.code, first.stderr).toBe(0);
    await want(PINNED('${file:other.txt}').replace('name: Portal', 'name: Gate'), GUARD);
    const says = (await refused(folder)).replaceAll(/\s+/g, ' ');
    expect(says).toContain('WIDENS_GUARDED_ACCESS');
    expect(says).toContain('internet with a PIN → peer/web');
    expect(says).toContain('the secret in auth.pin_auth.pin is sent');
    const { stdout } = await folder.run('plan');
    expect(stdout).toMatch(/^Access: .*rights \+1 \((?!.*no effect)/m);
    const allowed = await folder.run(
      'apply',
      '--yes',
      '--allow',
      'WIDENS_GUARDED_ACCESS=group/production',
    );
    expect(allowed.code, allowed.stdout + allowed.stderr).toBe(0);
  });
});

test('a changed secret of a service whose targets are not guarded is not a hazard', async () => {
  await started(GROUPS, async folder => {
    const { write, want, run } = folder;
    await write('former.txt', '123456');
    await write('other.txt', '000000');
    const project = 'guarded: [peer/laptop]\n';
    await want(PINNED('${file:former.txt}'), project);
    const first = await run('apply', '--yes');
    expect(first.code, first.stderr).toBe(0);
    await want(PINNED('${file:other.txt}').replace('name: Portal', 'name: Gate'), project);
    const { code, stdout, stderr } = await run('apply', '--yes');
    expect(code, stdout + stderr).toBe(0);
  });
});

test('a changed text in the file of a secret counts as a changed secret, in any base', async () => {
  await started(GROUPS, async folder => {
    const { write, want, run } = folder;
    await write('pin.txt', '123456');
    await want(PINNED('${file:pin.txt}'), GUARD);
    const allowed = ['--allow', 'WIDENS_GUARDED_ACCESS=group/production'];
    const first = await run('apply', '--yes', ...allowed);
    expect(first.code, first.stderr).toBe(0);
    await write('.former/network.yaml', PINNED('${file:pin.txt}'));
    await write('.former/pin.txt', '123456');
    await write('pin.txt', '000000');
    await want(PINNED('${file:pin.txt}').replace('name: Portal', 'name: Gate'), GUARD);
    const says = await refused(folder, '--no-new-access', '--base', './.former');
    expect(says).toContain('WIDENS_GUARDED_ACCESS');
    expect(says).toContain('the secret in auth.pin_auth.pin is sent');
  });
});

test('adding the first lock to a service that everybody may call is not new access', () =>
  started(service(), async folder => {
    await folder.write('pin.txt', '123456');
    await folder.want(PINNED('${file:pin.txt}'), GUARD);
    const { stdout } = await folder.run('plan', '--no-new-access');
    expect(stdout).not.toContain('is sent, and may be another one');
    expect(stdout).not.toContain('WIDENS_GUARDED_ACCESS');
    const { code, stderr } = await folder.run('plan', '--no-new-access');
    expect(code, stderr).toBe(0);
  }));

const SECOND = `    - domain: other.eu.proxy.test
      name: Other
      targets: [{ target: { peer: web }, port: 8080, protocol: http }]
      auth: { pin_auth: { enabled: true, pin: "\${file:pin.txt}" } }
`;

test.each([
  ['without new access', '', ['--no-new-access'], '+ internet with a PIN'],
  ['by every threshold', THRESHOLD, [], 'gains access of the internet'],
  ['where its target is guarded', GUARD, [], 'widens access to group/production'],
])('a second service with a PIN is refused %s', { tags: 'variation' }, (_, project, flags, text) =>
  started(GROUPS, async folder => {
    const { write, want, run } = folder;
    await write('pin.txt', '123456');
    await want(PINNED('${file:pin.txt}'));
    const first = await run('apply', '--yes');
    expect(first.code, first.stderr).toBe(0);
    await want(PINNED('${file:pin.txt}') + SECOND, project);
    const says = (await refused(folder, ...flags)).replaceAll(/\s+/g, ' ');
    expect(says).toContain(text);
    expect(says).toContain('the PIN of other.eu.proxy.test');
  }),
);

test('restricting a public service to some addresses is not new access', () =>
  started(service(), async ({ want, run }) => {
    await want(RESTRICTED('allowed_cidrs: [192.0.2.0/24]'), GUARD);
    const { code, stdout, stderr } = await run(
      'apply',
      '--yes',
      '--no-new-access',
      '--allow',
      'NARROWS_GUARDED_ACCESS=group/production',
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^Access: \+0 −1 ~0/m);
  }));

describe('letting callers of a service request more of a guarded machine is a right:', () => {
  const TO = '{ target: { peer: web }, port: 8080, protocol: http }';
  const at = (more: string) => service(SIGN_IN(true)).replace(TO, `${TO.slice(0, -2)}, ${more} }`);
  const STATUS = at('path: /status');
  test.each(
    someOf(
      [
        ['a wider path', STATUS, at('path: /'), 'leads to "/" at group/production'],
        ['another path', STATUS, at('path: /admin'), 'leads to "/admin" at group/production'],
        [
          'another path beside it',
          STATUS,
          STATUS.replace(/^ {6}targets: \[(.*)\]$/m, (line, target: string) =>
            line.replace(target, `${target}, ${target.replace('/status', '/admin')}`),
          ),
          'leads to "/admin" at group/production',
        ],
        [
          'a path that is cut off',
          at('path: /status, options: { path_rewrite: preserve }'),
          STATUS,
          'leads to "/" at group/production',
        ],
        [
          'its own name',
          STATUS,
          STATUS.replace('      name:', '      pass_host_header: true\n      name:'),
          'asks by another name at group/production',
        ],
        [
          'headers',
          STATUS,
          at('path: /status, options: { custom_headers: { x-user: root } }'),
          'sends other headers at group/production',
        ],
        [
          'another header',
          at('path: /status, options: { custom_headers: { x-user: nobody } }'),
          at('path: /status, options: { custom_headers: { x-user: root } }'),
          'sends other headers at group/production',
        ],
        [
          'no check of the certificate',
          at('path: /status').replaceAll('protocol: http', 'protocol: https'),
          at('path: /status, options: { skip_tls_verify: true }').replaceAll(
            'protocol: http',
            'protocol: https',
          ),
          'accepts any certificate at group/production',
        ],
        [
          'no encryption',
          at('path: /status').replaceAll('protocol: http', 'protocol: https'),
          at('path: /status'),
          'asks without encryption at group/production',
        ],
      ],
      3,
    ),
  )('%s', (_, before, after, text) =>
    started(before, async folder => {
      await folder.want(after, GUARD);
      expect((await folder.run('plan')).stdout).toMatch(/^Access: .*rights \+1/m);
      expect(await refused(folder, '--no-new-access')).toContain(text);
      await folder.want(after, 'guarded: [peer/laptop]\n');
      const { code, stdout, stderr } = await folder.run('apply', '--yes', '--no-new-access');
      expect(code, stdout + stderr).toBe(0);
      await folder.want(before, GUARD);
      const back = await folder.run('plan', '--no-new-access');
      const isNarrower = !['/admin', 'other headers', 'another name'].some(one =>
        text.includes(one),
      );
      if (isNarrower) expect(back.code, back.stdout + back.stderr).toBe(0);
    }),
  );
});

test('another path of a service that everybody may call is a right, also where nothing is guarded', {
  tags: 'variation',
}, () => {
  const open = (path: string) => service().replace('port: 8080', `path: ${path}, port: 8080`);
  return started(open('/status'), async folder => {
    await folder.want(open('/admin'));
    const planned = await folder.run('plan');
    expect(planned.stdout).toContain('SERVICE_PUBLIC');
    expect(await refused(folder, '--no-new-access')).toContain(
      'leads to "/admin"; before, everybody on the internet reached only other paths there',
    );
    await folder.want(open('/status/more'));
    const { code, stdout } = await folder.run('plan', '--no-new-access');
    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain('SERVICE_PUBLIC');
  });
});

describe('a second service that lets callers request more of a guarded machine is a right:', () => {
  const TO = '{ target: { peer: web }, port: 8080, protocol: http }';
  const USUAL = service(SIGN_IN(true)).replace(
    TO,
    `${TO.slice(0, -2)}, path: /status, options: { custom_headers: { x-user: nobody } } }`,
  );
  const second = (more: string) =>
    USUAL +
    service(SIGN_IN(true))
      .replace(`${GROUPS}reverse_proxy:\n  services:\n`, '')
      .replace('portal.eu.proxy.test', 'second.eu.proxy.test')
      .replace('Portal', 'Second')
      .replace(TO, `{ target: { peer: web }, port: 8080, ${more} }`);
  const at = (text: string) => `${text} at group/production, which is guarded`;

  test.each([
    ['another path', 'protocol: http, path: /admin', at('leads to "/admin"')],
    [
      'another header',
      'protocol: http, path: /status, options: { custom_headers: { x-user: root } }',
      at('sends other headers'),
    ],
    [
      'no check of the certificate',
      'protocol: https, path: /status, options: { skip_tls_verify: true }',
      at('accepts any certificate'),
    ],
  ])('%s', { tags: 'variation' }, (_, more, text) =>
    started(USUAL, async folder => {
      await folder.want(second(more), GUARD);
      expect(await refused(folder, '--no-new-access')).toContain(text);
    }),
  );

  test('a second service whose path lies below the first path is not', () =>
    started(USUAL, async ({ want, run }) => {
      await want(second('protocol: http, path: /status/of'), GUARD);
      const { code, stdout, stderr } = await run('plan', '--no-new-access');
      expect(code, stdout + stderr).toBe(0);
    }));
});

describe('sending requests to a guarded machine through the proxies of another cluster is a right:', () => {
  const OTHER = 'other.proxy.test';
  const SIGNED_IN = service(SIGN_IN(true));
  const ADDED = SIGNED_IN.replace(`${GROUPS}reverse_proxy:\n  services:\n`, '');
  const movedTo = (domain: string) =>
    SIGNED_IN.replace(
      'domain: portal.eu.proxy.test',
      `domain: ${domain}\n      lifecycle: { was: portal.eu.proxy.test }`,
    );
  const withDomain = (files: string, cluster: string) =>
    files.replace(
      'reverse_proxy:\n',
      `reverse_proxy:\n  domains: [{ domain: apps.test, target_cluster: ${cluster} }]\n`,
    );
  const beside = (domain: string) =>
    SIGNED_IN + ADDED.replace('portal.eu.proxy.test', domain).replace('Portal', 'Second');

  const wanted = async (files: string, use: (folder: Folder) => Promise<void>) =>
    started(SIGNED_IN, async folder => {
      await folder.account.control('POST', '/emulator/proxy-clusters', { address: OTHER });
      await folder.want(files, GUARD);
      await use(folder);
    });

  test.each(
    someOf(
      [
        ['a service moves there', movedTo(`portal.${OTHER}`)],
        ['a service moves to a domain of it', withDomain(movedTo('portal.apps.test'), OTHER)],
        ['another service with the same callers', beside(`second.${OTHER}`)],
      ],
      1,
    ),
  )('%s', (_, files) =>
    wanted(files, async folder => {
      expect(await refused(folder, '--no-new-access')).toContain(
        'the proxies of other.proxy.test forward requests to group/production, which is guarded',
      );
    }),
  );

  test('moving a service there is a right, also where nothing is guarded', () =>
    wanted(movedTo(`portal.${OTHER}`), async folder => {
      await folder.want(movedTo(`portal.${OTHER}`), '');
      const { code, stdout } = await folder.run('plan', '--no-new-access');
      expect(code).toBe(6);
      expect((await folder.run('plan', '--out', 'plan.json')).code).toBe(0);
      expect((await folder.run('apply', 'plan.json', '--yes', '--no-new-access')).code).toBe(6);
      expect(stdout).toContain(
        '+ proxy_service.portal.other.proxy.test: the proxies of other.proxy.test forward its requests, instead of those of eu.proxy.test',
      );
    }));

  test.each(
    someOf(
      [
        ['leads to the same machine', 'web', true],
        ['leads to another machine', 'laptop', false],
      ],
      1,
    ),
  )('a new service there beside one that the plan deletes: it %s', (_, machine, isMoved) =>
    started(SIGNED_IN, async ({ account, want, run, write }) => {
      await account.control('POST', '/emulator/proxy-clusters', { address: OTHER });
      await write('base.yaml', SIGNED_IN);
      await want(
        SIGNED_IN.replace('portal.eu.proxy.test', `gate.${OTHER}`).replace(
          '{ peer: web }',
          `{ peer: ${machine} }`,
        ),
      );
      const planned = await run(
        'plan',
        'network.yaml',
        '--base',
        'base.yaml',
        '--prune',
        'removed',
      );
      const moved =
        'proxy_service.gate.other.proxy.test: the proxies of other.proxy.test forward its requests, instead of those of eu.proxy.test';
      expect(planned.stdout.includes(moved), planned.stdout + planned.stderr).toBe(isMoved);
    }),
  );

  test.each([
    ['a service takes another name there', movedTo('gate.eu.proxy.test')],
    [
      'a service takes a domain of the same cluster',
      withDomain(movedTo('portal.apps.test'), 'eu.proxy.test'),
    ],
    ['another service of the same cluster', beside('second.eu.proxy.test')],
  ])('no right is reported if %s', { tags: 'variation' }, (_, files) =>
    wanted(files, async folder => {
      const { code, stdout, stderr } = await folder.run('plan', '--no-new-access');
      expect(code, stdout + stderr).toBe(0);
    }),
  );
});

describe('a disabled service forwards nothing', () => {
  const OTHER = 'other.proxy.test';
  const off = (files: string) => `${files}      enabled: false\n`;
  const SIGNED_IN = service(SIGN_IN(true));
  const MOVED = SIGNED_IN.replace(
    'domain: portal.eu.proxy.test',
    `domain: portal.${OTHER}\n      lifecycle: { was: portal.eu.proxy.test }`,
  );
  const AS_NEW = SIGNED_IN.replace('portal.eu.proxy.test', `gate.${OTHER}`);

  test.each([
    ['a disabled service moves to another cluster', off(SIGNED_IN), off(MOVED)],
    ['a service moves there and is disabled', SIGNED_IN, off(MOVED)],
    ['a disabled service there takes the place of a deleted one', SIGNED_IN, off(AS_NEW)],
    ['a disabled service is deleted, with a new one there', off(SIGNED_IN), off(AS_NEW)],
  ])('%s: this is not a right', { tags: 'variation' }, (_, before, after) =>
    started(before, async ({ account, want, run, write }) => {
      await account.control('POST', '/emulator/proxy-clusters', { address: OTHER });
      await write('base.yaml', before);
      await want(after);
      const flags = ['--base', 'base.yaml', '--prune', 'removed', '--no-new-access'];
      const { code, stdout, stderr } = await run('plan', 'network.yaml', ...flags);
      expect(stdout + stderr).not.toContain('forward its requests');
      expect(code, stdout + stderr).toBe(0);
    }),
  );

  test('a user who enables it on its new cluster opens it, which is a gain', () =>
    started(off(SIGNED_IN), async ({ account, want, run }) => {
      await account.control('POST', '/emulator/proxy-clusters', { address: OTHER });
      await want(off(MOVED));
      expect((await run('apply', '--yes', '--no-new-access')).code).toBe(0);
      await want(MOVED);
      const { code, stdout } = await run('plan', '--no-new-access');
      expect(code, stdout).toBe(6);
      expect(stdout).toContain('users of group/engineers → peer/web  tcp/8080');
      expect(stdout).not.toContain('forward its requests');
    }));
});

test('the plan reports, without a base, a hazard that only `allow` in the project file accepts', () =>
  started(GROUPS, async ({ want, run, write }) => {
    await want(service(), 'allow: [SERVICE_PUBLIC]\n');
    const plan = await run('plan');
    expect(plan.stdout + plan.stderr).toContain('ALLOWED_BY_FILES');
    const byFlag = await run('plan', '--allow', PUBLIC);
    expect(byFlag.stdout + byFlag.stderr).not.toContain('ALLOWED_BY_FILES');
    await want(GROUPS, 'allow: [SERVICE_PUBLIC]\n');
    const nothing = await run('plan');
    expect(nothing.stdout + nothing.stderr).not.toContain('ALLOWED_BY_FILES');
    await write('network.yaml', service());
    expect((await run('apply', '--yes')).code).toBe(0);
  }));

describe('services that are not in the answers', () => {
  const TESTS = `access_tests:
  - { name: closed, from: internet, deny: [peer/web] }
  - { name: open, from: group/engineers, allow: ["group/production:icmp"] }
`;
  const FILES = `${GROUPS}policies:
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }
  - { name: ping, rules: [{ name: ping, sources: [engineers], destinations: [production], protocol: icmp }] }
`;

  test('services that a person with the role network_admin cannot read fail the tests that need them, and no others', () =>
    started(FILES, async ({ account, want, run, runAs }) => {
      const user = { name: 'nel', email: 'nel@example.com', role: 'network_admin' };
      const { id } = Object(await account.control('POST', '/emulator/users', user));
      const { token } = Object(await account.control('POST', '/emulator/tokens', { user_id: id }));
      await want(FILES + TESTS);
      expect((await run('plan')).code).toBe(0);
      const { code, stdout, stderr } = await runAs(token, 'plan');
      expect(code, stderr).toBe(6);
      expect(stdout).toContain('FAIL  closed');
      expect(stdout).not.toContain('FAIL  open');
      expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(/proxy services .*403/);
    }));

  test('no services are reported for a server without a reverse proxy', () =>
    started(FILES, async ({ account, want, runAt }) => {
      await want(FILES + TESTS);
      const server = createServer(async ({ method = 'GET', url = '', headers }, response) => {
        if (url.startsWith('/api/reverse-proxies/'))
          return response.writeHead(404).end('404 page not found\n');
        const authorization = headers.authorization ?? '';
        const answer = await fetch(account.url + url, { method, headers: { authorization } });
        return response.writeHead(answer.status).end(await answer.text());
      });
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const { code, stdout, stderr } = await runAt(`http://127.0.0.1:${port}`, 'plan');
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toContain('Access tests: 2 passed');
    }));
});
