// Objects that the server refuses because of the object that would serve them are errors of the plan, before anything is deleted.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { type Options, peer, planFor, type Read } from '../planning.ts';

const cluster = (address: string, more: JsonObject = {}): Read => [
  'proxy_cluster',
  { id: address, address, type: 'shared', online: true, connected_proxies: 1, ...more },
];
const domain = (name: string, target: string): Read => [
  'proxy_domain',
  { id: 'd1', domain: name, target_cluster: target, type: 'custom', validated: true },
];
const service = (more: JsonObject = {}): Read => [
  'proxy_service',
  {
    id: 's1',
    domain: 'a.eu.test',
    name: 'A',
    enabled: true,
    mode: 'http',
    listen_port: 0,
    proxy_cluster: 'eu.test',
    private: false,
    pass_host_header: false,
    rewrite_redirects: false,
    auth: { pin_auth: { enabled: true, pin: '' } },
    targets: [
      { target_id: 'p1', target_type: 'peer', host: '', protocol: 'tcp', port: 80, enabled: true },
    ],
    ...more,
  },
];

const domains = (target: string) =>
  `reverse_proxy: { domains: [{ domain: apps.test, target_cluster: ${target} }] }`;
const services = (name: string, more = '') =>
  `reverse_proxy: { services: [{ domain: ${name}, name: A, targets: [{ target: { peer: web }, port: 80, protocol: tcp }]${more} }] }`;
const PORT = ', mode: tcp, listen_port: 2222';
const OFF = { online: false };
const ABLE = { supports_custom_ports: true };
const SUB = { require_subdomain: true };

const errors = (files: string, reads: readonly Read[], options: Options = {}) =>
  planFor(files, [peer('p1', 'web'), ...reads], { dialect: 'netbird', ...options })
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);

describe('a plan is refused', () => {
  const OFFLINE = '`online` of proxy_cluster.eu.test, which would serve it, is false';
  const NO_PORTS =
    '`listen_port` needs `supports_custom_ports: true`, and proxy_cluster.eu.test, which serves it, does not have that';

  test.each<[string, string, readonly Read[], string]>([
    [
      'a new object refers to one that does not serve',
      domains('eu.test'),
      [cluster('eu.test', OFF)],
      `proxy_domain.apps.test cannot be created: ${OFFLINE}`,
    ],
    [
      'an object is replaced, and its new reference is to one that does not serve',
      domains('eu.test'),
      [cluster('eu.test', OFF), cluster('us.test'), domain('apps.test', 'us.test')],
      `proxy_domain.apps.test cannot be replaced: ${OFFLINE}`,
    ],
    [
      'a new object has a name below one that does not serve',
      services('a.eu.test'),
      [cluster('eu.test', OFF)],
      `proxy_service.a.eu.test cannot be created: ${OFFLINE}`,
    ],
    [
      'an object gets a name below one that does not serve',
      services('a.eu.test', ', lifecycle: { was: a.us.test }'),
      [cluster('eu.test', OFF), cluster('us.test'), service({ domain: 'a.us.test' })],
      `proxy_service.a.eu.test cannot be updated: ${OFFLINE}`,
    ],
    [
      'an object below one that does not serve is replaced',
      services('a.eu.test', ', mode: tcp'),
      [cluster('eu.test', OFF), service()],
      `proxy_service.a.eu.test cannot be replaced: ${OFFLINE}`,
    ],
    [
      'an object is replaced whose place is gone',
      services('a.eu.test', ', mode: tcp'),
      [cluster('us.test'), service()],
      'proxy_service.a.eu.test cannot be replaced: `a.eu.test` is neither a proxy domain or proxy cluster of the account nor a name below one',
    ],
    [
      'a new object needs an ability',
      services('a.eu.test', PORT),
      [cluster('eu.test', { supports_custom_ports: false })],
      `proxy_service.a.eu.test cannot be created: ${NO_PORTS}`,
    ],
    [
      'an object is replaced, and the new one needs an ability that is not reported',
      services('a.eu.test', PORT),
      [cluster('eu.test'), service()],
      `proxy_service.a.eu.test cannot be replaced: ${NO_PORTS}`,
    ],
    [
      'an object needs an ability of the one that its place names',
      services('a.apps.test', PORT),
      [cluster('eu.test'), domain('apps.test', 'eu.test')],
      `proxy_service.a.apps.test cannot be created: ${NO_PORTS}`,
    ],
    [
      'a value changes, and the object stays with one without the ability',
      services('a.eu.test', PORT),
      [
        cluster('eu.test', ABLE),
        cluster('us.test'),
        service({ mode: 'tcp', listen_port: 22, proxy_cluster: 'us.test' }),
      ],
      `proxy_service.a.eu.test cannot be updated: ${NO_PORTS.replace('eu.test', 'us.test')}`,
    ],
    [
      'an object has the whole name of one that serves only names below it',
      services('eu.test'),
      [cluster('eu.test', SUB)],
      'proxy_service.eu.test cannot be created: proxy_cluster.eu.test serves only names below `eu.test`, because its `require_subdomain` is true',
    ],
    [
      'an object gets the whole name of one that serves only names below it',
      services('eu.test', ', lifecycle: { was: a.eu.test }'),
      [cluster('eu.test', SUB), service()],
      'proxy_service.eu.test cannot be updated: proxy_cluster.eu.test serves only names below `eu.test`, because its `require_subdomain` is true',
    ],
  ])('a plan is refused if %s', (_, files, reads, message) => {
    expect(errors(files, reads)).toEqual([`OBJECT_NEEDS: ${message}`]);
  });

  test('the refusal states the place of the value, and what to do', () => {
    const { diagnostics } = planFor(
      services('a.eu.test', PORT),
      [peer('p1', 'web'), cluster('eu.test')],
      { dialect: 'netbird' },
    );
    expect(diagnostics).toMatchObject([
      {
        at: { line: 1, column: services('a.eu.test', PORT).indexOf('2222') + 1 },
        hint: 'omit `listen_port`, or choose a proxy domain or proxy cluster with it',
      },
    ]);
  });
});

describe('a plan is made', () => {
  test.each<[string, string, readonly Read[]]>([
    ['if the ability is there', services('a.eu.test', PORT), [cluster('eu.test', ABLE)]],
    [
      'if only another mode needs it',
      services('a.eu.test', ', mode: tls, listen_port: 993'),
      [cluster('eu.test')],
    ],
    ['if the server chooses the port', services('a.eu.test', ', mode: tcp'), [cluster('eu.test')]],
    [
      'if the value stays as it is',
      services('a.eu.test', `${PORT}, enabled: false`),
      [cluster('eu.test'), service({ mode: 'tcp', listen_port: 2222 })],
    ],
    [
      'if an object below one that does not serve only changes',
      services('a.eu.test', ', enabled: false'),
      [cluster('eu.test', OFF), service()],
    ],
    [
      'if another place above the name serves',
      services('a.eu.test'),
      [cluster('eu.test', OFF), domain('a.eu.test', 'us.test'), cluster('us.test', OFF)],
    ],
    [
      'if one of several above the name may serve',
      services('a.eu.test', PORT),
      [cluster('eu.test'), cluster('test', ABLE)],
    ],
    [
      'if an object gets a name below no place',
      services('a.other.test', ', lifecycle: { was: a.eu.test }'),
      [cluster('eu.test'), service()],
    ],
    ['below a name that serves only such', services('a.eu.test'), [cluster('eu.test', SUB)]],
  ])('%s', (_, files, reads) => {
    expect(errors(files, reads)).toEqual([]);
  });

  test('a plan is made if the serving objects could not be read', () => {
    const unavailable = new Map([[cluster('')[0] as never, 'denied']]);
    const said = errors(services('a.eu.test', PORT), [], { unavailable });
    expect(said.filter(text => text.startsWith('OBJECT_NEEDS'))).toEqual([]);
  });
});
