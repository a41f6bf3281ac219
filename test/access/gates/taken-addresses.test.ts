// An overlay address that another machine takes: what a service or a webhook sends to this address, it sends to the other machine
// afterwards, and whoever calls the address reaches the other machine.
import { expect, test } from 'vitest';
import { hazardsIn, newAccessIn } from '../../../src/model/access/accessFindings.ts';
import type { Read } from '../../engine/planning.ts';
import { planOf } from './roadPlans.ts';

const peer = (id: string, ip: string): Read => [
  'peer',
  { id, name: id, ip, approval_required: false, login_expired: false, version: '0.66.0' },
];

const reads = (headers: object): readonly Read[] => [
  peer('old', '100.64.0.5'),
  peer('new', '100.64.0.6'),
  ['group', { id: 'All', name: 'All', issued: 'api', peers: [], resources: [] }],
  ['network', { id: 'office', name: 'office', description: '' }],
  [
    'network_resource',
    {
      id: 'wiki',
      name: 'wiki',
      description: '',
      address: '100.64.0.5/32',
      enabled: true,
      groups: [],
    },
    'office',
  ],
  [
    'proxy_service',
    {
      id: 's',
      name: 's',
      domain: 's.eu.example.net',
      mode: 'http',
      enabled: true,
      auth: {},
      targets: [
        {
          target_id: 'wiki',
          target_type: 'host',
          protocol: 'http',
          port: 80,
          enabled: true,
          options: { custom_headers: { ...headers } },
        },
      ],
    },
  ],
  ['proxy_cluster', { id: 'eu.example.net', address: 'eu.example.net' }],
];

async function rightsOf(headers: object, isFree = false) {
  const peers = [
    { name: 'old', ip: '100.64.0.9' },
    { name: 'new', ip: '100.64.0.5' },
  ];
  const [, ...others] = reads(headers);
  const { access } = await planOf(
    {
      reads: isFree ? [peer('old', '100.64.0.9'), ...others] : reads(headers),
      files: JSON.stringify({ peers }),
    },
    { guards: { thresholds: {}, guarded: [], noNewAccess: true } },
  );
  return (access?.rights ?? []).map(({ object, message }) => `${object}: ${message}`);
}

test('a machine that takes the address of another machine receives a header of a service; this is a right', async () => {
  expect(await rightsOf({ 'X-T': 'secret' })).toEqual([
    expect.stringContaining(
      'is sent to peer/new instead of peer/old, which no longer has 100.64.0.5',
    ),
  ]);
});

test('a machine that takes an unused address receives a header of a service; this is a right', async () => {
  expect(await rightsOf({ 'X-T': 'secret' }, true)).toEqual([
    expect.stringContaining('is sent to peer/new, which gets 100.64.0.5: no machine has it now'),
  ]);
});

test('a service without headers gives no such right', async () => {
  expect(await rightsOf({})).toEqual([]);
});

const PEERS = [
  { name: 'old', ip: '100.64.0.9' },
  { name: 'new', ip: '100.64.0.5' },
];

const guarding = (to: string) => ({
  guards: { thresholds: {}, guarded: [{ to }], noNewAccess: true },
});

const resourceOf = (name: string, address: string): Read => [
  'network_resource',
  { id: name, name, description: '', address, enabled: true, groups: [] },
  'office',
];

const resourceAt = (address: string): Read => resourceOf('wiki', address);

const ROUTING: Read = [
  'network_router',
  { id: 'r', peer: 'gate', enabled: true, metric: 9999, masquerade: true },
  'office',
];

const serviceTo = (target: object, auth: object = {}): Read => [
  'proxy_service',
  {
    id: 's',
    name: 's',
    domain: 's.eu.example.net',
    mode: 'http',
    enabled: true,
    auth: { ...auth },
    targets: [{ target_id: 'wiki', protocol: 'http', port: 80, enabled: true, ...target }],
  },
];

/** The plan that gives the address of one machine to another one, in an account without the usual resource and service. */
async function planTaking(more: readonly Read[], to = 'peer/new') {
  const others = reads({}).filter(([kind]) => !/^(network_resource|proxy_service)$/.test(kind));
  const plan = await planOf(
    {
      reads: [...others, peer('gate', '100.64.0.7'), ...more],
      files: JSON.stringify({ peers: PEERS }),
    },
    guarding(to),
  );
  const { rights = [], changes = [] } = plan.access ?? {};
  const findings = plan.gates?.findings ?? [];
  return {
    rights: rights.map(({ object, right, message }) => `${object} ${right}: ${message}`),
    lines: changes.map(({ change, from, to: there }) => `${change} ${from} → ${there}`),
    hazards: hazardsIn(findings).map(({ code }) => code),
    refused: newAccessIn(findings),
    notes: plan.diagnostics.filter(({ code }) => code === 'NAME_MOVES').map(one => one.message),
  };
}

test('if a machine takes an address in a subnet, callers of the address reach it, which guards refuse', async () => {
  const target = { target_type: 'subnet', host: '100.64.0.5', options: {} };
  const made = await planTaking([resourceAt('100.64.0.0/10'), ROUTING, serviceTo(target)]);
  expect(made.lines).toEqual(['gained internet → peer/new', 'lost internet → peer/old']);
  expect(made.hazards).toContain('WIDENS_GUARDED_ACCESS');
  expect(made.refused).toContain('internet → peer/new  tcp/80');
});

test('if a machine takes the address of a record, it receives a header that is sent there', async () => {
  const zone: Read = [
    'dns_zone',
    {
      id: 'z',
      name: 'corp',
      domain: 'corp.example',
      enabled: true,
      enable_search_domain: false,
      distribution_groups: ['All'],
      records: [],
    },
  ];
  const record: Read = [
    'dns_record',
    { id: 'd', name: 'git.corp.example', type: 'A', content: '100.64.0.5', ttl: 300 },
    'z',
  ];
  const target = { target_type: 'domain', options: { custom_headers: { 'X-T': 'secret' } } };
  const account = [resourceAt('git.corp.example'), ROUTING, zone, record, serviceTo(target)];
  const made = await planTaking(account, 'peer/gate');
  expect(made.rights).toEqual([
    expect.stringContaining(
      'is sent to peer/new instead of peer/old, which no longer has 100.64.0.5',
    ),
  ]);
});

const channel = (url: string, more: object = {}): Read => [
  'notification_channel',
  {
    id: 'c',
    type: 'webhook',
    enabled: true,
    event_types: ['user.join'],
    target: { url, headers: { Authorization: 'secret' } },
    ...more,
  },
];

test('if a machine takes the address in the URL of a webhook, it receives the events and headers', async () => {
  const made = await planTaking([channel('https://100.64.0.5:8443/hook')], 'peer/gate');
  expect(made.rights).toEqual([
    expect.stringMatching(/ secret: .*headers.* is sent to peer\/new instead of peer\/old/),
    expect.stringMatching(/ events: .*url.* leads to peer\/new instead of peer\/old/),
  ]);
  expect(made.notes).toEqual([
    expect.stringMatching(/100\.64\.0\.5 is the address of peer\/new.*notification_channel/),
  ]);
});

test.each([
  ['another address', channel('https://100.64.0.77/hook')],
  ['the name of the machine that had the address', channel('https://old.overlay.test/hook')],
  ['e-mail', channel('', { type: 'email', target: { emails: ['a@example.com'] } })],
])('a channel to %s sends nothing to another address', async (_, read) => {
  const made = await planTaking([read], 'peer/gate');
  expect([made.rights, made.notes]).toEqual([[], []]);
});

/** A lock: its callers are some of the internet. */
const LOCK = { password_auth: { enabled: true, password: 'x' } };

const ZONE: Read = [
  'dns_zone',
  {
    id: 'z',
    name: 'corp',
    domain: 'corp.example',
    enabled: true,
    enable_search_domain: false,
    distribution_groups: ['All'],
    records: [],
  },
];
const recordTo = (content: string): Read => [
  'dns_record',
  { id: 'd', name: 'web.corp.example', type: 'A', content, ttl: 300 },
  'z',
];

/** The rights of a plan that moves the record of a name to 100.64.0.77. */
async function planOfRecord(
  range: string,
  host: string,
  { to, auth }: { readonly to: string; readonly auth?: object },
) {
  const others = reads({}).filter(([kind]) => !/^(network_resource|proxy_service)$/.test(kind));
  const target = { target_type: 'subnet', host, options: {} };
  const account = [...others, peer('gate', '100.64.0.7'), ROUTING, ZONE, recordTo('100.64.0.70')];
  const records = [{ name: 'web.corp.example', type: 'A', content: '100.64.0.77' }];
  const zones = [{ domain: 'corp.example', name: 'corp', distribution_groups: ['All'], records }];
  const { access, actions } = await planOf(
    {
      reads: [...account, resourceAt(range), serviceTo(target, auth)],
      files: JSON.stringify({ dns: { zones } }),
    },
    guarding(to),
  );
  const { rights = [], without_effect } = access ?? {};
  return {
    rights: rights.map(({ object, right, message }) => `${object} ${right}: ${message}`),
    without_effect,
    hazards: actions.flatMap(({ hazards }) => hazards.map(({ code, message }) => [code, message])),
  };
}

test.each([
  ['the address', '100.64.0.77'],
  ['a range with it', '100.64.0.76/31'],
  ['the network resource', 'network_resource/office/wiki'],
  ['the network', 'network/office'],
  ['everything', 'all'],
])(
  'a record by which a service calls another host in the same subnet is a right if %s is guarded',
  async (_, to) => {
    const { rights, without_effect } = await planOfRecord('100.64.0.0/10', 'web.corp.example', {
      to,
    });
    expect(rights).toEqual([
      `proxy_service.s.eu.example.net exposure: calls another address of web.corp.example at ${to}, which is guarded`,
    ]);
    expect(without_effect).toBe(0);
  },
);

test.each([
  [
    'another address is guarded and the service has a lock',
    'web.corp.example',
    { to: '100.64.0.78', auth: LOCK },
  ],
  ['the service calls an address', '100.64.0.70', { to: '100.64.0.77' }],
])('the same record is not a right of callers if %s', async (_, host, guard) => {
  const { rights, hazards } = await planOfRecord('100.64.0.0/10', host, guard);
  expect([rights, hazards]).toEqual([[], []]);
});

test('the same record is a hazard, and a right, if everybody may call the service', async () => {
  const { rights, hazards } = await planOfRecord('100.64.0.0/10', 'web.corp.example', {
    to: '100.64.0.78',
  });
  expect(rights).toEqual([
    'proxy_service.s.eu.example.net exposure: calls another address of web.corp.example; before, everybody on the internet reached only other addresses there',
  ]);
  expect(hazards).toEqual([
    [
      'SERVICE_PUBLIC',
      'dns_record["corp.example/web.corp.example A 100.64.0.77"] leads `web.corp.example` to `100.64.0.77`, and proxy_service.s.eu.example.net, which is open to everybody on the internet, calls this name',
    ],
  ]);
});

test.each([
  [
    '100.64.0.77',
    [
      'proxy_service.s.eu.example.net exposure: calls another host at 100.64.0.77, which is guarded',
    ],
  ],
  [
    'network_resource/office/wiki',
    [
      'proxy_service.s.eu.example.net exposure: calls another host at network_resource/office/wiki, which is guarded',
    ],
  ],
  [
    '100.64.0.78',
    [
      'proxy_service.s.eu.example.net exposure: calls another host; before, everybody on the internet reached only other addresses there',
    ],
  ],
])('another host of a service in the same subnet: guarded %s', async (to, rights) => {
  expect(await rightsOfHosts(['100.64.0.70', '100.64.0.77'], to)).toEqual(rights);
});

/** The rights that a plan gives by another `host` of a service. */
async function rightsOfHosts(
  [was, is]: readonly [string, string],
  to: string,
  auth?: object,
  more: readonly Read[] = [],
) {
  const others = reads({}).filter(([kind]) => !/^(network_resource|proxy_service)$/.test(kind));
  const account = [
    ...others,
    peer('gate', '100.64.0.7'),
    resourceAt('100.64.0.0/10'),
    ROUTING,
    serviceTo({ target_type: 'subnet', host: was, options: {} }, auth),
    ...more,
  ];
  const target = { network_resource: 'office/wiki' };
  const targets = [{ target, host: is, protocol: 'http', port: 80 }];
  const services = [{ domain: 's.eu.example.net', name: 's', targets }];
  const files = JSON.stringify({ reverse_proxy: { services } });
  const plan = await planOf({ reads: account, files }, guarding(to));
  return (plan.access?.rights ?? []).map(
    ({ object, right, message }) => `${object} ${right}: ${message}`,
  );
}

const HOSTS = ['one.example.org', 'two.example.org'] as const;
const CALLS = 'proxy_service.s.eu.example.net exposure: calls';

test.each([
  ['the network resource', 'network_resource/office/wiki'],
  ['an address of the subnet', '100.64.0.78'],
])(
  'a host about which nothing is known may be any address of the subnet: %s is guarded',
  async (_, to) => {
    expect(await rightsOfHosts(HOSTS, to, LOCK)).toEqual([
      `${CALLS} another host at ${to}, which is guarded`,
    ]);
  },
);

test.each([
  ['an address that nothing provides', '10.9.0.1'],
  ['a network resource', 'network_resource/office/db'],
])(
  'a host about which nothing is known may be an address outside the subnet: %s is guarded',
  async (_, to) => {
    const db = resourceOf('db', '10.9.0.0/24');
    const right = `${CALLS} two.example.org, about which nothing is known, and which may lead to ${to}, which is guarded`;
    expect(await rightsOfHosts(HOSTS, to, LOCK, [db])).toEqual([right]);
    const [one] = HOSTS;
    expect(await rightsOfHosts([one, '100.64.0.70'], to, LOCK, [db])).toEqual([]);
  },
);

const zoneFor = (group: string, more: object = {}): Read => [
  'dns_zone',
  {
    id: 'z',
    name: 'example',
    domain: 'example.org',
    enabled: true,
    enable_search_domain: false,
    distribution_groups: [group],
    records: [],
    ...more,
  },
];
const named = (content: string, type = 'A'): Read => [
  'dns_record',
  { id: 'd', name: HOSTS[1], type, content, ttl: 300 },
  'z',
];

test('a host is known only by what the routing machine resolves to an address', async () => {
  const guard = '10.9.0.1';
  const right = `${CALLS} two.example.org, about which nothing is known, and which may lead to ${guard}, which is guarded`;
  const some: Read = [
    'group',
    { id: 'some', name: 'some', issued: 'api', peers: [{ id: 'old' }], resources: [] },
  ];
  const rights = (...more: readonly Read[]) => rightsOfHosts(HOSTS, guard, LOCK, [some, ...more]);
  expect(await rights(zoneFor('All'), named('192.0.2.1'))).toEqual([]);
  expect(await rights(zoneFor('some'), named('192.0.2.1'))).toEqual([right]);
  expect(await rights(zoneFor('All', { enabled: false }), named('192.0.2.1'))).toEqual([right]);
  expect(await rights(zoneFor('All'), named('evil.example.net', 'CNAME'))).toEqual([right]);
  expect(await rights(resourceOf('named', HOSTS[1]))).toEqual([right]);
});

test('a record that the routing machine does not get hides no guarded address of the subnet', async () => {
  const some: Read = [
    'group',
    { id: 'some', name: 'some', issued: 'api', peers: [], resources: [] },
  ];
  const more = [some, zoneFor('some'), named('192.0.2.1')];
  expect(await rightsOfHosts(HOSTS, '100.64.0.78', LOCK, more)).toEqual([
    `${CALLS} another host at 100.64.0.78, which is guarded`,
  ]);
});

test('a host about which nothing is known leads to no guarded name', async () => {
  const named = resourceOf('named', 'three.example.org');
  expect(await rightsOfHosts(HOSTS, 'network_resource/office/named', LOCK, [named])).toEqual([]);
});

test('a name of a service that leads to a guarded address that nothing provides is a right of the callers', async () => {
  const { rights } = await planOfRecord('10.20.0.0/16', 'web.corp.example', {
    to: '100.64.0.77',
    auth: LOCK,
  });
  expect(rights).toEqual([
    'proxy_service.s.eu.example.net exposure: calls 100.64.0.77, which is guarded, and which no object of the account provides',
  ]);
  const other = await planOfRecord('10.20.0.0/16', 'web.corp.example', {
    to: '100.64.0.78',
    auth: LOCK,
  });
  expect(other.rights).toEqual([]);
});

const UNPROVIDED = '10.9.0.1, which is guarded, and which no object of the account provides';

const DISABLED: Read = [
  'network_resource',
  { id: 'off', name: 'off', description: '', address: '10.9.0.1/32', enabled: false, groups: [] },
  'office',
];

/** The rights of a plan on an account with a routed subnet, and with more objects. */
async function rightsOfFiles(files: object, to: string, more: readonly Read[]) {
  const others = reads({}).filter(([kind]) => !/^(network_resource|proxy_service)$/.test(kind));
  const own = [peer('gate', '100.64.0.7'), resourceAt('100.64.0.0/10'), ROUTING];
  const account = [...others, ...own, ...more];
  const plan = await planOf({ reads: account, files: JSON.stringify(files) }, guarding(to));
  return (plan.access?.rights ?? []).map(
    ({ object, right, message }) => `${object} ${right}: ${message}`,
  );
}

test.each([
  ['no resource', []],
  ['a disabled resource', [DISABLED]],
])('an address that is guarded is not provided by %s', async (_, more) => {
  const hosts = ['100.64.0.70', '10.9.0.1'] as const;
  expect(await rightsOfHosts(hosts, '10.9.0.1', LOCK, more)).toEqual([`${CALLS} ${UNPROVIDED}`]);
  const served = resourceOf('on', '10.9.0.1/32');
  expect(await rightsOfHosts(hosts, '10.9.0.1', LOCK, [served])).toEqual([
    `${CALLS} another host at 10.9.0.1, which is guarded`,
  ]);
});

test.each([
  ['inside the subnet', '100.64.0.78'],
  ['outside the subnet', '10.9.0.1'],
  ['a machine', 'peer/old'],
])('a name that becomes unknown is a right at a guarded address: %s', async (_, to) => {
  const zones = [
    { domain: 'example.org', name: 'example', distribution_groups: ['All'], enabled: false },
  ];
  expect(
    await rightsOfFiles({ dns: { zones } }, to, [
      zoneFor('All'),
      named('100.64.0.70'),
      serviceTo({ target_type: 'subnet', host: HOSTS[1], options: {} }, LOCK),
    ]),
  ).toEqual([
    `${CALLS} two.example.org, about which nothing is known, and which may lead to ${to}, which is guarded`,
  ]);
});

test.each([
  ['an address that nothing provides', '10.9.0.1', UNPROVIDED],
  [
    'an unknown name',
    HOSTS[0],
    `${HOSTS[0]}, about which nothing is known, and which may lead to 10.9.0.1, which is guarded`,
  ],
])('later changes of a service that calls %s', async (_, host, calls) => {
  const own = serviceTo({ target_type: 'subnet', host, options: {} }, LOCK);
  const changed = (target: object) => {
    const targets = [
      { target: { network_resource: 'office/wiki' }, host, protocol: 'http', port: 80, ...target },
    ];
    const services = [{ domain: 's.eu.example.net', name: 's', targets }];
    return rightsOfFiles({ reverse_proxy: { services } }, '10.9.0.1', [own]);
  };
  expect(await changed({ port: 22 })).toEqual([`${CALLS} ${calls}`]);
  const options = { custom_headers: { 'X-Role': 'admin' } };
  expect(await changed({ options })).toEqual([
    'proxy_service.s.eu.example.net exposure: sends other headers at 10.9.0.1, which is guarded',
  ]);
});

test('a machine that joins the callers of a service calls a guarded address that nothing provides', async () => {
  const target = { target_type: 'subnet', host: '10.9.0.1', options: {} };
  const [kind, fields] = serviceTo(target);
  const own: Read = [kind, { ...fields, private: true, access_groups: ['some'] }];
  const peers = [{ id: 'old' }];
  const some: Read = ['group', { id: 'some', name: 'some', issued: 'api', peers, resources: [] }];
  const files = { groups: [{ name: 'some', peers: ['old', 'new'] }] };
  expect(await rightsOfFiles(files, '10.9.0.1', [some, own])).toEqual([`${CALLS} ${UNPROVIDED}`]);
});

test.each(['peer/old', 'group/some'])(
  'an unknown host may lead to a guarded machine outside the subnet: %s',
  async to => {
    const peers = [{ id: 'old' }];
    const some: Read = ['group', { id: 'some', name: 'some', issued: 'api', peers, resources: [] }];
    const [host, other] = HOSTS;
    const service = serviceTo({ target_id: 'far', target_type: 'subnet', host, options: {} }, LOCK);
    const target = { network_resource: 'office/far' };
    const targets = [{ target, host: other, protocol: 'http', port: 80 }];
    const services = [{ domain: 's.eu.example.net', name: 's', targets }];
    const more = [some, resourceOf('far', '10.20.0.0/16'), service];
    expect(await rightsOfFiles({ reverse_proxy: { services } }, to, more)).toEqual([
      `${CALLS} two.example.org, about which nothing is known, and which may lead to ${to}, which is guarded`,
    ]);
  },
);
