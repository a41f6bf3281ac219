// A source of a secret that a change of the files sends somewhere else: a reviewer sees it as a right, and `--no-new-access` refuses it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const SECRETS = { STAFF: 'oidc-client-secret-1', PW: 'a-password', CI: 'token-of-the-job' };

const service = (name: string, options: string) =>
  `    - domain: ${name}.eu.proxy.test
      name: ${name}
      auth: { password_auth: { enabled: true, password: "\${env:PW}" } }
      targets: [{ target: { peer: ${name} }, port: 80, protocol: http${options} }]
`;
const files = (options = '', other = '') => `identity_providers:
  - { name: staff, type: oidc, issuer: "https://idp.example.com", client_id: abc, client_secret: "\${env:STAFF}" }
reverse_proxy:
  services:
${service('one', options)}${other}`;
const headers = (list: string) => `, options: { custom_headers: { ${list} } }`;

interface How {
  readonly hasBase?: boolean;
  readonly edition?: 'cloud' | 'self-hosted';
}

type Run = (...words: string[]) => Promise<Ended>;

/** A folder whose files before are applied, and whose files after wait for a plan. */
async function changedFiles<T>(
  before: string,
  after: string,
  { edition = 'self-hosted' }: How,
  use: (run: Run) => Promise<T>,
): Promise<T> {
  const account = await startAccount({ dialect: 'netbird', edition });
  onTestFinished(() => account.close());
  const cluster = { address: 'eu.proxy.test', shared: true };
  await account.control('POST', '/emulator/proxy-clusters', cluster);
  for (const name of ['one', 'two']) await account.enrol(name);
  return await inFolder(async cwd => {
    const env = { ...environmentOf(account), ...SECRETS };
    const run = (...words: string[]) => meshform(words, { env, cwd });
    await writeFile(join(cwd, 'before.yaml'), before);
    const applied = await run('apply', 'before.yaml', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    await writeFile(join(cwd, 'network.yaml'), after);
    return await use(run);
  });
}

const baseOf = ({ hasBase = true }: How) => (hasBase ? ['--base', 'before.yaml'] : []);

async function effectIn(run: Run) {
  const { stdout } = await run('plan', 'network.yaml', ...baseOf({}), '--format', 'json');
  const { status, without_effect } = JSON.parse(stdout).meshform.access;
  return { status, without_effect };
}

/** The plan without new access of the change. */
const changed = (before: string, after: string, how: How = {}): Promise<Ended> =>
  changedFiles(before, after, how, run =>
    run('plan', 'network.yaml', ...baseOf(how), '--no-new-access'),
  );

test.each(
  someOf(
    [
      [
        'the secret of another object',
        headers('X-T: "${env:STAFF}"'),
        '${env:STAFF}, the `client_secret` of identity_provider.staff, is sent in `targets["peer/one"].options.custom_headers["X-T"]`',
      ],
      [
        'a variable that no file had',
        headers('X-T: "Bearer ${env:CI}"'),
        '${env:CI} is sent in `targets["peer/one"].options.custom_headers["X-T"]`',
      ],
    ],
    1,
  ),
)('%s in a header of a service is a right', async (_, options, says) => {
  for (const hasBase of [true, false]) {
    const how = { hasBase };
    await changedFiles(files(), files(options), how, async run => {
      const planned = await run('plan', 'network.yaml', ...baseOf(how), '--out', 'plan.json');
      expect(planned.code, planned.stderr).toBe(0);
      const refused = await run('plan', 'network.yaml', ...baseOf(how), '--no-new-access');
      const applied = await run('apply', 'plan.json', '--yes', '--no-new-access');
      expect([refused.code, applied.code]).toEqual([6, 6]);
      for (const { stdout } of [planned, refused]) {
        expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
        for (const value of Object.values(SECRETS)) expect(stdout).not.toContain(value);
      }
    });
  }
});

test('a header with another name and the same source of its secret is a rename, as the base shows', async () => {
  const renamed =
    '`targets["peer/one"].options.custom_headers["X-Old"]` is renamed to `targets["peer/one"].options.custom_headers["X-New"]`: its secret has the same source as before';
  const before = files(headers('X-Old: "${env:CI}", X-Plain: a'));
  const plan = async (list: string, hasBase = true) =>
    (await changed(before, files(headers(list)), { hasBase })).stdout.replaceAll(/\s+/g, ' ');
  expect(await plan('X-New: "${env:CI}", X-Plain: a')).toContain(renamed);
  expect(await plan('X-New: "${env:CI}", X-Plain: a', false)).not.toContain('is renamed to');
  expect(await plan('X-New: "${env:STAFF}", X-Plain: a')).not.toContain('is renamed to');
  expect(await plan('X-New: "${env:CI}", X-Too: "${env:CI}"')).not.toContain('is renamed to');
});

const edr = (host: string) =>
  `edr: { provider_a: { api_url: "https://${host}", api_token: "\${env:CI}", match_attributes: { infected: false }, groups: [All], last_synced_interval: 24 } }\n`;

test.each([
  [
    'of an identity provider',
    'self-hosted',
    files(),
    files().replace('idp.example.com', 'evil.example.com'),
    '`client_secret` is sent to https://evil.example.com instead of https://idp.example.com',
  ],
  [
    'of an EDR integration',
    'cloud',
    edr('edr.example.com'),
    edr('evil.example.com'),
    '`api_token` is sent to https://evil.example.com instead of https://edr.example.com',
  ],
] as const)(
  'the secret %s that is sent to another address is a right',
  async (_, edition, before, after, says) => {
    const { stdout, code } = await changed(before, after, { edition });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
    expect(code).toBe(6);
  },
);

const toPeer = (text: string, name: string, was = 'one') =>
  text.replace(`peer: ${was} }`, `peer: ${name} }`);

test('a header whose target is replaced in place is sent to another machine, which is a right', async () => {
  const withHeader = files(headers('X-T: "Bearer ${env:CI}"'), service('two', ''));
  // Two leads to the same machine already: only the header is new there.
  for (const hasBase of [true, false]) {
    const { stdout, code } = await changed(withHeader, toPeer(withHeader, 'two'), { hasBase });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '`targets["peer/two"].options.custom_headers["X-T"]` is sent to peer/two instead of peer/one',
    );
    expect(code).toBe(6);
  }
});

test('a header that a cluster sends to another host is a right', async () => {
  const toHost = (host: string) =>
    files(headers('X-T: "${env:CI}"'))
      .replace('{ peer: one }', `{ proxy_cluster: eu.proxy.test }, host: ${host}`)
      .replace('custom_headers', 'direct_upstream: true, custom_headers');
  const { stdout, code } = await changed(toHost('10.9.0.5'), toHost('10.9.0.6'));
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('is sent to 10.9.0.6 instead of 10.9.0.5');
  expect(code).toBe(6);
});

const NAMED = 'git.corp.test';
const office = (address: string, header = '"Bearer ${env:CI}"') =>
  `networks: [{ name: office, resources: [{ name: git, address: ${address}, groups: [staff] }], routers: [{ peer: two, masquerade: true }] }]
${files(headers(`X-T: ${header}`)).replace('{ peer: one }', '{ network_resource: [office, git] }')}`;
const groups = 'groups: [{ name: staff }, { name: routing, peers: [two] }]\n';
const zone = (content: string, to = 'routing') =>
  `dns: { zones: [{ domain: corp.test, name: Corp, distribution_groups: [${to}], records: [{ name: ${NAMED}, type: A, content: ${content} }, { name: alias.corp.test, type: CNAME, content: ${NAMED} }] }] }\n`;
const nameservers = (ip: string) =>
  `dns: { nameserver_groups: [{ name: corp, nameservers: [{ ip: ${ip} }], groups: [routing], domains: [corp.test] }] }\n`;
/** A zone without a record of `new.corp.test`, beside nameservers for that name. */
const zoneBeside = (ip: string) =>
  zone('10.9.0.5').replace(
    / \}\n$/,
    `, nameserver_groups: [{ name: corp, nameservers: [{ ip: ${ip} }], groups: [routing], domains: [new.corp.test] }] }\n`,
  );
const HEADER =
  'proxy_service.one.eu.proxy.test: `targets["network_resource/office/git"].options.custom_headers["X-T"]` is sent to';

describe('a header of an unchanged service goes to another machine, which is a right:', () => {
  test.each(
    someOf(
      [
        [
          'by another address of its network resource',
          groups + office('10.9.0.5'),
          groups + office('10.9.0.6'),
          '10.9.0.6 instead of 10.9.0.5',
        ],
        [
          'by a name in place of the address',
          groups + office('10.9.0.5'),
          groups + office('git.example.com'),
          'git.example.com instead of 10.9.0.5',
        ],
        [
          'by a record of its name',
          groups + zone('10.9.0.5') + office(NAMED),
          groups + zone('10.9.0.6') + office(NAMED),
          `10.9.0.6 instead of 10.9.0.5, because \`${NAMED}\` leads there`,
        ],
        [
          'by a record to which its name is an alias',
          groups + zone('10.9.0.5') + office('alias.corp.test'),
          groups + zone('10.9.0.6') + office('alias.corp.test'),
          '10.9.0.6 instead of 10.9.0.5, because `alias.corp.test` leads there',
        ],
        [
          'by a new zone',
          groups + office(NAMED),
          groups + zone('10.9.0.6') + office(NAMED),
          '10.9.0.6 instead of what other DNS servers answer',
        ],
        [
          'by other nameservers',
          groups + nameservers('10.0.0.53') + office(NAMED),
          groups + nameservers('10.0.0.54') + office(NAMED),
          'what nameserver_group.corp answers (10.0.0.54) instead of what nameserver_group.corp answers (10.0.0.53)',
        ],
        [
          'by nameservers for a name that its zone does not have',
          groups + zone('10.9.0.5') + office('new.corp.test'),
          groups + zoneBeside('10.0.0.53') + office('new.corp.test'),
          'nothing or what nameserver_group.corp answers (10.0.0.53) instead of nothing, because `new.corp.test` leads there',
        ],
        [
          'by other nameservers for a name that its zone does not have',
          groups + zoneBeside('10.0.0.53') + office('new.corp.test'),
          groups + zoneBeside('10.0.0.54') + office('new.corp.test'),
          'nothing or what nameserver_group.corp answers (10.0.0.54) instead of nothing or what nameserver_group.corp answers (10.0.0.53)',
        ],
      ],
      3,
    ),
  )('%s', async (_, before, after, says) => {
    const { stdout, code } = await changed(before, after);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${HEADER} ${says}`);
    expect(code).toBe(6);
  });

  test.each([
    [
      'the zone is for machines that do not route to it',
      groups + zone('10.9.0.5', 'staff') + office(NAMED),
      groups + zone('10.9.0.6', 'staff') + office(NAMED),
    ],
    [
      'the header is in clear text',
      groups + office('10.9.0.5', 'plain'),
      groups + office('10.9.0.6', 'plain'),
    ],
    [
      'the address is written otherwise',
      groups + office('10.9.0.5'),
      groups + office('10.9.0.5/32'),
    ],
    [
      'another resource gets another address',
      groups +
        office('10.9.0.5').replace(
          'resources: [',
          'resources: [{ name: x, address: 10.9.1.1, groups: [staff] }, ',
        ),
      groups +
        office('10.9.0.5').replace(
          'resources: [',
          'resources: [{ name: x, address: 10.9.1.2, groups: [staff] }, ',
        ),
    ],
  ])('it is not a right if %s', { tags: 'variation' }, async (_, before, after) => {
    const { stdout } = await changed(before, after);
    expect(stdout).not.toContain('is sent to');
  });

  test('it is a right even if no file declares the service', async () => {
    const both = groups + office('10.9.0.5', 'plain');
    const [network = ''] = office('10.9.0.6').split('identity_providers');
    const { stdout } = await changed(both, groups + network, { hasBase: false });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${HEADER} 10.9.0.6 instead of 10.9.0.5`);
  });
});

const STAFF = 'groups: [{ name: staff, peers: [one] }, { name: routing, peers: [two] }]\n';
const routed = (routers: string, to = 'staff') =>
  zone('10.9.0.6', to) +
  office(NAMED).replace(
    '{ peer: two, masquerade: true }',
    routers.replaceAll(' }', ', masquerade: true }'),
  );
const JOINED = STAFF.replace('[two]', '[two, one]');
const BY_GROUP = '{ peer_groups: [routing] }';

describe('a header of an unchanged service goes to a different machine by other routing machines, which is a right:', () => {
  test.each(
    someOf(
      [
        ['another one', STAFF + routed('{ peer: two }'), STAFF + routed('{ peer: one }')],
        [
          'a second one',
          STAFF + routed('{ peer: two }'),
          STAFF + routed('{ peer: two }, { peer: one }'),
        ],
        ['another group', STAFF + routed(BY_GROUP), STAFF + routed('{ peer_groups: [staff] }')],
        [
          'a second group',
          STAFF + routed(BY_GROUP),
          STAFF + routed('{ peer_groups: [routing, staff] }'),
        ],
        ['a machine that joins', STAFF + routed(BY_GROUP), JOINED + routed(BY_GROUP)],
      ],
      2,
    ),
  )('%s', async (_, before, after) => {
    await changedFiles(before, after, {}, async run => {
      const refused = await run('plan', 'network.yaml', ...baseOf({}), '--no-new-access');
      expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
        `${HEADER} 10.9.0.6 instead of what other DNS servers answer, because \`${NAMED}\` leads there for `,
      );
      expect(refused.code).toBe(6);
      expect(await effectIn(run)).toEqual({ status: 'changed', without_effect: 0 });
    });
  });

  test('it is not a right if the new routing machine resolves the name to the same address', async () => {
    const [before, after] = ['{ peer: two }', '{ peer: one }'].map(
      routers => STAFF + routed(routers, 'staff, routing'),
    );
    const { stdout } = await changed(String(before), String(after));
    expect(stdout).toContain('network_router');
    expect(stdout).not.toContain('is sent to');
  });
});

describe('a change that sends a header to a different target has an effect on access:', () => {
  const servers = (to: string, ip = '10.0.0.53') =>
    nameservers(ip).replace('groups: [routing]', `groups: [${to}]`);
  test.each(
    someOf(
      [
        ['a zone', zone('10.9.0.5', 'staff'), zone('10.9.0.5', 'staff, routing'), 0],
        ['nameservers', servers('staff'), servers('staff, routing'), 0],
        ['but not a group beside it', zone('10.9.0.5'), `${zone('10.9.0.6')}# x`, 1],
      ],
      1,
    ),
  )('%s', async (_, before, after, idle) => {
    const more = after.endsWith('# x') ? groups.replace('[{', '[{ name: other }, {') : groups;
    const text = office(NAMED);
    await changedFiles(groups + before + text, `${more}${after}\n${text}`, {}, async run => {
      expect((await run('plan', 'network.yaml', ...baseOf({}))).stdout).toContain('is sent to');
      expect(await effectIn(run)).toEqual({ status: 'changed', without_effect: idle });
    });
  });
});

describe('a header of a service is sent in a way that gives it to others, which is a right:', () => {
  const way = (
    options: string,
    protocol = 'http',
    target = '{ network_resource: [office, git] }',
  ) =>
    groups +
    office('10.9.0.5')
      .replace('{ network_resource: [office, git] }', target)
      .replace('custom_headers', `${options}custom_headers`)
      .replace('protocol: http', `protocol: ${protocol}`);
  const SENT = 'options.custom_headers["X-T"]` is sent';
  test.each(
    someOf(
      [
        [
          'in the network of the proxy',
          way(''),
          way('direct_upstream: true, '),
          'to the address of network_resource/office/git in the network of the proxy, not over the overlay',
        ],
        [
          'to the address of a machine in the network of the proxy',
          way('', 'http', '{ peer: two }'),
          way('direct_upstream: true, ', 'http', '{ peer: two }'),
          'to the address of peer/two in the network of the proxy, not over the overlay',
        ],
        [
          'over the overlay again',
          way('direct_upstream: true, '),
          way(''),
          'to network_resource/office/git over the overlay, not in the network of the proxy',
        ],
        [
          'without a check of the certificate',
          way('', 'https'),
          way('skip_tls_verify: true, ', 'https'),
          'to network_resource/office/git without a check of its certificate',
        ],
        [
          'without encryption',
          way('', 'https'),
          way('', 'http'),
          'to network_resource/office/git without encryption',
        ],
      ],
      2,
    ),
  )('%s', async (_, before, after, says) => {
    const { stdout, code } = await changed(before, after);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${SENT} ${says}`);
    expect(code).toBe(6);
  });

  test.each([
    ['with encryption', way(''), way('', 'https')],
    ['with encryption, and without a check', way(''), way('skip_tls_verify: true, ', 'https')],
    [
      'in clear text in the files',
      way('', 'https').replace('Bearer ${env:CI}', 'plain'),
      way('direct_upstream: true, skip_tls_verify: true, ', 'https').replace(
        'Bearer ${env:CI}',
        'plain',
      ),
    ],
  ])('it is not a right %s', { tags: 'variation' }, async (_, before, after) => {
    const { stdout } = await changed(before, after);
    expect(stdout).toContain('one.eu.proxy.test');
    expect(stdout).not.toContain('is sent');
  });
});

test('the plan names the address that gets the header if the network resource of its target becomes a range', async () => {
  const before = groups + office('10.9.0.5');
  const after =
    groups + office('10.9.0.0/24').replace('git] }, port', 'git] }, host: 10.9.0.77, port');
  const { stdout, code } = await changed(before, after);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${HEADER} 10.9.0.77`);
  expect(code).toBe(6);
});

test.each([
  ['another port of the machine', (text: string) => text.replace('port: 80', 'port: 81')],
  ['another path', (text: string) => text.replace('port: 80', 'port: 80, path: /status')],
])('a header for %s is sent to no other machine', { tags: 'variation' }, async (_, change) => {
  const withHeader = files(headers('X-T: "${env:CI}"'));
  const { stdout } = await changed(withHeader, change(withHeader));
  expect(stdout).toContain('one.eu.proxy.test');
  expect(stdout).not.toContain('is sent to');
});

test('a header in clear text for another machine is not a secret', async () => {
  const plain = files(headers('X-T: plain'), service('two', ''));
  const { stdout } = await changed(plain, toPeer(plain, 'two'));
  expect(stdout).toContain('peer: "two"');
  expect(stdout).not.toContain('is sent to');
});

test('a new EDR integration sends a variable to its address, which is a right', async () => {
  const before = 'groups: [{ name: laptops }]\n';
  const after = before + edr('edr.example.com');
  for (const hasBase of [true, false]) {
    const { stdout, code } = await changed(before, after, { hasBase, edition: 'cloud' });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '${env:CI} is sent in `api_token` to https://edr.example.com',
    );
    expect(code).toBe(6);
  }
});

test.each([
  ['a header in clear text', files(), files(headers('X-T: plain'))],
  [
    'a header that stays',
    files(headers('X-T: "${env:CI}"')),
    files(headers('X-T: "${env:CI}", X-U: plain')),
  ],
  ['a header that goes', files(headers('X-T: "${env:CI}"')), files()],
])('%s is not a right', { tags: 'variation' }, async (_, before, after) => {
  const { stdout, code } = await changed(before, after);
  expect(stdout).toContain('custom_headers');
  expect(stdout).not.toContain('is sent in');
  expect(code).toBe(0);
});

test('a password that two services share does not count as the secret of another object', async () => {
  const { stdout } = await changed(files(), files('', service('two', '')));
  expect(stdout).toContain('two.eu.proxy.test');
  expect(stdout).not.toContain('is sent in');
});
