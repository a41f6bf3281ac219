// A service that a plan opens to everybody on the internet, or whose locks it makes weaker, is a hazard that names the addresses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { apply, plan, reconcile } from '../support/reconcile.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  await account.control('POST', '/emulator/proxy-clusters', {
    address: 'eu.proxy.test',
    shared: true,
    supports_custom_ports: true,
  });
  await account.enrol('web');
  await account.enrol('db');
});
afterAll(() => account.close());

const ENV = { env: { PIN: '4711' } };
const PIN = 'pin_auth: { enabled: true, pin: "${env:PIN}" }';
const NO_PIN = 'pin_auth: { enabled: false }';
const WEB = '{ target: { peer: web }, port: 8080, protocol: http }';
const DB = '{ target: { peer: db }, path: /db, protocol: https }';

function service(...more: readonly string[]): string {
  const targets = more.some(line => line.startsWith('targets:')) ? [] : [`targets: [${WEB}]`];
  return [
    'groups: [{ name: engineers }, { name: staff }]',
    'reverse_proxy:',
    '  services:',
    '    - domain: a.eu.proxy.test',
    '      name: A',
    ...[...targets, ...more].map(line => `      ${line}`),
    '',
  ].join('\n');
}

/** The messages of the hazard, in a plan from one declaration to the other. */
async function hazards(from: string | undefined, to: string): Promise<readonly string[]> {
  const none = desiredOf('groups: [{ name: engineers }, { name: staff }]');
  const all = desiredOf(service());
  await reconcile(account, none, { base: all, prune: 'removed' });
  if (from !== undefined) await reconcile(account, desiredOf(from), ENV);
  const made = await plan(account, desiredOf(to), ENV);
  expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return made.actions.flatMap(({ hazards: found }) =>
    found.filter(({ code }) => code === 'SERVICE_PUBLIC').map(({ message }) => message),
  );
}

const A = 'proxy_service.a.eu.proxy.test';
const TO_WEB = '`a.eu.proxy.test` leads to peer/web:8080';
const OPEN = `to everybody on the internet: ${TO_WEB}`;
const CIDRS = (...list: readonly string[]) =>
  `access_restrictions: { allowed_cidrs: [${list.join(', ')}] }`;
const BLOCKED = (...list: readonly string[]) =>
  `access_restrictions: { blocked_cidrs: [${list.join(', ')}] }`;
const SIGN_IN = (...groups: readonly string[]) =>
  `bearer_auth: { enabled: true, distribution_groups: [${groups.join(', ')}] }`;
const HEADER = (name: string) => `{ enabled: true, header: ${name}, value: "\${env:PIN}" }`;

describe('a change opens a service to everybody', () => {
  test.each<[string, string | undefined, string, string]>([
    ['created without a lock', undefined, service(), `${A} is created open ${OPEN}`],
    [
      'created without a lock, by port',
      undefined,
      service('mode: tcp', `targets: [{ target: { peer: web }, port: 5432, protocol: tcp }]`),
      `${A} is created open to everybody on the internet: \`a.eu.proxy.test\` leads to peer/web:5432`,
    ],
    [
      'created for an address beside the proxy, which no access shows',
      undefined,
      service(
        'targets: [{ target: { proxy_cluster: eu.proxy.test }, host: 192.0.2.7, port: 80, protocol: http, options: { direct_upstream: true } }]',
      ),
      `${A} is created open to everybody on the internet: \`a.eu.proxy.test\` leads to proxy_cluster/eu.proxy.test:192.0.2.7:80`,
    ],
    ['switched on', service('enabled: false'), service(), `${A} is switched on, and open ${OPEN}`],
    [
      'its target is switched on',
      service(`targets: [${WEB.replace('{', '{ enabled: false,')}]`),
      service(),
      `${A} is switched on, and open ${OPEN}`,
    ],
    [
      'its last auth goes',
      service(`auth: { ${PIN} }`),
      service(`auth: { ${NO_PIN} }`),
      `${A} loses its last lock, and is open ${OPEN}`,
    ],
    [
      'it is private no more',
      service('private: true', 'access_groups: [staff]'),
      service('private: false'),
      `${A} loses its last lock, and is open ${OPEN}`,
    ],
    [
      'its last restriction goes',
      service(CIDRS('192.0.2.0/24')),
      service('access_restrictions: {}'),
      `${A} loses its last lock, and is open ${OPEN}`,
    ],
    ...(
      [
        ['a list of all networks', 'access_restrictions: { allowed_cidrs: ["0.0.0.0/0", "::/0"] }'],
        ['networks that together are all of IPv4', CIDRS('0.0.0.0/1', '128.0.0.0/1')],
        ['networks with all public addresses', CIDRS('"2000::/3"')],
        ['networks that are blocked', BLOCKED('192.0.2.66/32')],
        ['countries that are blocked', 'access_restrictions: { blocked_countries: [KP] }'],
        ['addresses that CrowdSec blocks', 'access_restrictions: { crowdsec_mode: enforce }'],
      ] as const
    ).map(([name, restrictions]): [string, undefined, string, string] => [
      `created without a lock, with ${name}`,
      undefined,
      service(restrictions),
      `${A} is created open ${OPEN}`,
    ]),
    [
      'a list of networks becomes a list of all',
      service(CIDRS('192.0.2.0/24')),
      service(CIDRS('0.0.0.0/1', '128.0.0.0/1')),
      `${A} loses its last lock, and is open ${OPEN}`,
    ],
    [
      'everything was blocked',
      service(BLOCKED('0.0.0.0/0', '"::/0"')),
      service(BLOCKED('0.0.0.0/1')),
      `${A} loses its last lock, and is open ${OPEN}`,
    ],
    [
      'it leads to another path',
      service(`targets: [${WEB.replace('port', 'path: /status, port')}]`),
      service(
        `targets: [${WEB.replace('port', 'path: /status, port')}, ${WEB.replace('port', 'path: /admin, port')}]`,
      ),
      `${A} has more targets, and is open to everybody on the internet: ${TO_WEB} /admin, peer/web:8080 /status`,
    ],
    [
      'it leads to all paths',
      service(`targets: [${WEB.replace('port', 'path: /status, port')}]`),
      service(),
      `${A} has more targets, and is open ${OPEN}`,
    ],
    [
      'it leads to more',
      service(),
      service(`targets: [${WEB}, ${DB}]`),
      `${A} has more targets, and is open to everybody on the internet: ${TO_WEB}, peer/db /db`,
    ],
  ])('%s', async (_, from, to, message) => {
    expect(await hazards(from, to)).toEqual([message]);
  });

  const office = (address: string, more = '') =>
    `networks: [{ name: office, resources: [{ name: wiki, address: ${address}, groups: [staff] }] }]\n${service(
      `targets: [{ target: { network_resource: [office, wiki] }, port: 80, protocol: http${more} }]`,
    )}`;

  test('its target gets another address, also if no file declares the service', async () => {
    const message =
      'network_resource.office/wiki gets another `address`, and is open to everybody on the internet: `a.eu.proxy.test` leads to network_resource/office/wiki:80';
    const after = office('10.0.0.6/32');
    expect(await hazards(office('10.0.0.5/32'), after)).toEqual([message]);
    const without = desiredOf(after).filter(({ kind }) => kind !== 'proxy_service');
    const access = { tests: [], areTestsJudged: false, allowances: { byFlag: [], byProject: [] } };
    const made = await plan(account, without, { ...ENV, access });
    expect(made.actions.flatMap(one => one.hazards.map(hazard => hazard.message))).toEqual([
      message,
    ]);
    const locked = (address: string) =>
      office(address).replace('    - ', `    - auth: { ${PIN} }\n      `);
    expect(await hazards(locked('10.0.0.5/32'), locked('10.0.0.6/32'))).toEqual([]);
  });

  test.each<[string, string | undefined, string]>([
    ['created with a lock', undefined, service(`auth: { ${PIN} }`)],
    ['created for some addresses', undefined, service(CIDRS('192.0.2.0/24'))],
    ['created for half of all', undefined, service(CIDRS('0.0.0.0/1'))],
    ['created for nobody', undefined, service(BLOCKED('0.0.0.0/0', '"::/0"'))],
    [
      'created for nobody, by several lists',
      undefined,
      service(
        'access_restrictions: { allowed_cidrs: [192.0.2.0/24], blocked_cidrs: [192.0.2.0/25, 192.0.2.128/25] }',
      ),
    ],
    ['created private', undefined, service('private: true', 'access_groups: [staff]')],
    ['created switched off', undefined, service('enabled: false')],
    ['open before and after', service(), service('rewrite_redirects: true')],
    [
      'a lock that no file declares stays',
      service(`auth: { ${PIN} }`),
      service('rewrite_redirects: true'),
    ],
    ['switched off', service(), service('enabled: false')],
    [
      'leads to a path below one that is open',
      service(),
      service(`targets: [${WEB}, ${WEB.replace('port', 'path: /status, port')}]`),
    ],
    ['leads to less', service(`targets: [${WEB}, ${DB}]`), service()],
  ])('a service is not opened to everybody: %s', async (_, from, to) => {
    expect(await hazards(from, to)).toEqual([]);
  });
});

describe('a change weakens a lock', () => {
  const weaker = (...paths: readonly string[]) =>
    `${A} lets in more callers from the internet, by ${paths.map(path => `\`${path}\``).join(', ')}: ${TO_WEB}`;
  test.each<[string, string, string, string]>([
    [
      'private before, and a key opens it now',
      service('private: true', 'access_groups: [staff]', `auth: { ${PIN} }`),
      service('private: false'),
      `${A} can be called from the internet, by anybody who has a key for it or is within its limits: ${TO_WEB}`,
    ],
    [
      'another key opens it too',
      service(`auth: { ${SIGN_IN('staff')} }`),
      service(`auth: { ${SIGN_IN('staff')}, ${PIN} }`),
      weaker('auth.pin_auth.enabled'),
    ],
    [
      'a sign-in of more groups',
      service(`auth: { ${SIGN_IN('staff')} }`),
      service(`auth: { ${SIGN_IN('staff', 'engineers')} }`),
      weaker('auth.bearer_auth.distribution_groups'),
    ],
    [
      'a sign-in of all users',
      service(`auth: { ${SIGN_IN('staff')} }`),
      service(`auth: { ${SIGN_IN()} }`),
      weaker('auth.bearer_auth.distribution_groups'),
    ],
    [
      'another header',
      service(`auth: { header_auths: [${HEADER('x-one')}] }`),
      service(`auth: { header_auths: [${HEADER('x-one')}, ${HEADER('x-two')}] }`),
      weaker('auth.header_auths.x-two.enabled'),
    ],
    [
      'the last key goes, restrictions stay',
      service(`auth: { ${PIN} }`, CIDRS('192.0.2.0/24')),
      service(`auth: { ${NO_PIN} }`),
      weaker('auth.pin_auth.enabled'),
    ],
    [
      'more networks',
      service(CIDRS('192.0.2.0/24')),
      service(CIDRS('192.0.2.0/24', '198.51.100.0/24')),
      weaker('access_restrictions.allowed_cidrs'),
    ],
    [
      'fewer blocked ones',
      service(BLOCKED('192.0.2.0/24', '198.51.100.0/24')),
      service(BLOCKED('192.0.2.0/24')),
      weaker('access_restrictions.blocked_cidrs'),
    ],
    [
      'other countries',
      service('access_restrictions: { allowed_countries: [DE] }'),
      service('access_restrictions: { allowed_countries: [PT] }'),
      weaker('access_restrictions.allowed_countries'),
    ],
    [
      'CrowdSec only observes',
      service('access_restrictions: { allowed_countries: [DE], crowdsec_mode: enforce }'),
      service('access_restrictions: { allowed_countries: [DE], crowdsec_mode: observe }'),
      weaker('access_restrictions.crowdsec_mode'),
    ],
  ])('%s', async (_, from, to, message) => {
    expect(await hazards(from, to)).toEqual([message]);
  });

  test.each<[string, string, string]>([
    [
      'a key of several goes',
      service(`auth: { ${SIGN_IN('staff')}, ${PIN} }`),
      service(`auth: { ${SIGN_IN('staff')}, ${NO_PIN} }`),
    ],
    [
      'a sign-in of fewer groups',
      service(`auth: { ${SIGN_IN('staff', 'engineers')} }`),
      service(`auth: { ${SIGN_IN('staff')} }`),
    ],
    ['a smaller network', service(CIDRS('192.0.2.0/24')), service(CIDRS('192.0.2.128/25'))],
    ['a list of all networks goes', service(CIDRS('0.0.0.0/0', '"::/0"')), service(CIDRS())],
    ['a larger blocked one', service(BLOCKED('192.0.2.0/25')), service(BLOCKED('192.0.2.0/24'))],
    ['the first key', service(), service(`auth: { ${PIN} }`)],
    [
      'private from now on',
      service(`auth: { ${PIN} }`),
      service('private: true', 'access_groups: [staff]'),
    ],
  ])('a lock is not weakened: %s', async (_, from, to) => {
    expect(await hazards(from, to)).toEqual([]);
  });
});

describe('a change whose evaluation relied on a fact that is no longer true', () => {
  const OFF = service('enabled: false');
  const path = '/api/reverse-proxies/services';
  const live = async () => ((await account.call('GET', path)) as JsonObject[])[0] ?? {};
  test.each<[string, string, string, JsonObject]>([
    [
      'a lock that no file declares is gone',
      service('enabled: false', `auth: { ${PIN} }`),
      service('enabled: true'),
      { auth: {} },
    ],
    [
      'a restriction that no file declares allows more',
      service('enabled: false', CIDRS('192.0.2.0/24')),
      service('enabled: true'),
      { access_restrictions: {} },
    ],
    [
      'it was switched off, and is on',
      service('enabled: false', `auth: { ${PIN} }`),
      service(`auth: { ${NO_PIN} }`, 'lifecycle: { ignore: [enabled] }'),
      { enabled: true },
    ],
  ])('is refused as stale: %s', async (_, from, to, edit) => {
    await reconcile(account, desiredOf(service()), { base: desiredOf(service()) });
    await reconcile(account, desiredOf(OFF), ENV);
    await reconcile(account, desiredOf(from), ENV);
    const made = await plan(account, desiredOf(to), ENV);
    expect(made.actions.flatMap(({ hazards: found }) => found)).toEqual([]);
    const before = await live();
    await account.call('PUT', `${path}/${before.id}`, { ...before, ...edit });
    const edited = await live();
    const { outcomes } = await apply(account, made, ENV);
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'PLAN_STALE',
          message: `${A} changed in the account since the plan was made`,
        },
      },
    ]);
    expect(await live()).toEqual(edited);
    await reconcile(account, [], { base: desiredOf(service()), prune: 'removed' });
  });
});
