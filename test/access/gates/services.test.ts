// Services of the reverse proxy as ways to machines and network resources: for the internet, for users who sign in, and for
// machines that call over the overlay, whatever the policies say.
import { describe, expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesIn, reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import type { StateObject } from '../../../src/access/state/stateObject.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { flowText } from '../../../src/model/access/accessFindings.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { Fields } from '../../../src/model/value.ts';
import { TEST, written } from './writtenTest.ts';

const object = (kind: string, key: string, fields: Fields = {}, parent?: string): StateObject => ({
  kind,
  key,
  id: `${kind}-${key}`,
  fields,
  ...(parent !== undefined && { parent }),
});

const BARE: readonly StateObject[] = [
  object('peer', 'web', { groups: ['production'] }),
  object('peer', 'laptop', { groups: ['staff'] }),
  object('group', 'All', {}),
  object('group', 'production'),
  object('group', 'staff'),
  object('group', 'partners'),
  object('network', 'office'),
  object('network_resource', 'office/wiki', { address: '10.0.0.5/32', groups: [] }, 'office'),
];
const ROUTER = object('network_router', 'office/1', { peer: 'laptop', enabled: true }, 'office');

const TO_PEER = { target: { peer: 'web' }, port: 8080, protocol: 'http' };
const TO_RESOURCE = { target: { network_resource: 'office/wiki' }, protocol: 'https' };

function accountWith(
  fields: Fields,
  target: Fields = TO_PEER,
  more: readonly StateObject[] = [],
): AccessState {
  const service = object('proxy_service', 'a.example.com', { targets: [target], ...fields });
  return stateOf([...BARE, ...more, service], new Map());
}

const peer = (key: string, serverFields: Fields): StateObject => ({
  ...object('peer', key, { groups: ['staff'] }),
  serverFields,
});
const WAITING = peer('new', { approval_required: true });

const CLOSED = stateOf(BARE, new Map());

function flowsTo(state: AccessState, to: string): readonly string[] {
  const answer = answerQuestion(state, { to: checkedSelector(to), why: false });
  if (!('flows' in answer)) throw new Error('nothing is known of it');
  return answer.flows.map(
    ({ from, ports, via }) =>
      `${from.name} ${ports.join()} ${via.map(({ service }) => service).join()}`,
  );
}

function failed(state: AccessState, from: string | undefined, to: string): readonly string[] {
  const of = (one: Partial<AccessTest>) =>
    judgeTests(reachesIn(state), [
      { ...TEST, ...(from !== undefined && { from: written(from) }), ...one },
    ]).verdicts.flatMap(({ failures }) => failures.map(({ line }) => line));
  return [...of({ allow: [written(`${to}:tcp/8080`)] }), ...of({ deny: [written(to)] })];
}

describe('a service to a domain whose record changes to a guarded address', () => {
  const resources = [
    object('network', 'vault'),
    object('network_resource', 'vault/db', { address: '10.20.0.5/32', groups: [] }, 'vault'),
    object('network_resource', 'office/app', { address: 'app.internal', groups: [] }, 'office'),
    ROUTER,
    object('network_router', 'vault/1', { peer: 'laptop', enabled: true }, 'vault'),
    object('proxy_service', 'a.example.com', {
      targets: [{ target: { network_resource: 'office/app' }, protocol: 'https' }],
    }),
    object('dns_zone', 'internal', { domain: 'internal', enabled: true }),
  ];
  const leadingTo = (content: string) => {
    const fields = { name: 'app.internal', type: 'A', content };
    const record = object('dns_record', 'internal/app', fields, 'internal');
    return stateOf([...BARE, ...resources, record], new Map());
  };
  const moved = (to: string) => {
    const pool = rowPool();
    const states = [leadingTo('192.0.2.7'), leadingTo('10.20.0.5')];
    const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
    if (before === undefined || after === undefined) throw new Error('two worlds');
    return movedAccess({ before, after }, 'gained', { to: checkedSelector(to) }).map(flowText);
  };

  test('opens that address to the internet', () => {
    const opened = ['internet → network_resource/office/app'];
    expect(moved('network_resource/vault/db')).toEqual(opened);
    expect(moved('10.20.0.5')).toEqual(opened);
    expect(moved('10.20.0.6')).toEqual([]);
  });
});

describe('a host that is called through a subnet', () => {
  const LAN = object(
    'network_resource',
    'office/lan',
    { address: '192.168.0.0/16', groups: [] },
    'office',
  );
  const BESIDE = [
    object('network', 'vault'),
    object('network_resource', 'vault/db', { address: '10.20.0.5/32', groups: [] }, 'vault'),
    ROUTER,
    object('network_router', 'vault/1', { peer: 'laptop', enabled: true }, 'vault'),
    object('peer', 'safe', { ip: '100.64.0.9' }),
  ];
  const calling = (host: string) => {
    const target = { target: { network_resource: 'office/lan' }, host, protocol: 'https' };
    const service = object('proxy_service', 'a.example.com', { targets: [target] });
    return stateOf([...BARE, LAN, ...BESIDE, service], new Map());
  };

  test.each([
    ['network_resource/vault/db', '10.20.0.5'],
    ['peer/safe', '100.64.0.9'],
    ['network_resource/office/lan', '192.168.3.4'],
  ])('%s at %s is open', (to, host) => {
    const closed = stateOf([...BARE, LAN, ...BESIDE], new Map());
    expect(flowsTo(calling(host), to)).toEqual([expect.stringContaining('internet tcp/443')]);
    expect(failed(calling(host), 'internet', to)).toContain('deny');
    expect(failed(closed, 'internet', to)).not.toContain('deny');
    const [before, after] = worldsOf([closed, calling(host)]).map(one => reachesOf(one, rowPool()));
    if (before === undefined || after === undefined) throw new Error('two worlds');
    const gained = movedAccess({ before, after }, 'gained', { to: checkedSelector(to) });
    expect(gained.map(flowText)).toHaveLength(1);
  });

  const DIRECT = { direct_upstream: true };
  test.each<[string, Fields, string]>([
    ['a cluster', { target: { proxy_cluster: 'eu.proxy.test' }, host: '10.20.0.5' }, 'vault/db'],
    [
      'a cluster, in the form of 6to4',
      { target: { proxy_cluster: 'eu.proxy.test' }, host: '2002:a14:5::1' },
      'vault/db',
    ],
    [
      'a cluster, in the former form of IPv6',
      { target: { proxy_cluster: 'eu.proxy.test' }, host: '::10.20.0.5' },
      'vault/db',
    ],
    [
      'a cluster, mapped to IPv6',
      { target: { proxy_cluster: 'eu.proxy.test' }, host: '::ffff:a14:5' },
      'vault/db',
    ],
    ['a subnet', { target: { network_resource: 'office/lan' }, host: '10.20.0.5' }, 'vault/db'],
    ['the resource', { target: { network_resource: 'vault/db' } }, 'vault/db'],
  ])('the proxy of %s connects on its own to whatever has the address', (_, target, name) => {
    const fields = { targets: [{ ...target, port: 5432, protocol: 'tcp', options: DIRECT }] };
    const service = object('proxy_service', 'a.example.com', { mode: 'tcp', ...fields });
    // The proxy needs no routing machine of the network.
    const all = [...BARE, LAN, ...BESIDE.filter(({ kind }) => kind !== 'network_router')];
    const [closed, open] = [[], [service]].map(more => stateOf([...all, ...more], new Map()));
    if (closed === undefined || open === undefined) throw new Error('two states');
    const to = `network_resource/${name}`;
    expect(flowsTo(open, to)).toEqual(['internet beside the overlay tcp/5432 a.example.com']);
    for (const from of ['internet', 'peer/laptop']) {
      expect(failed(open, from, to)).toContain('deny');
      expect(failed(closed, from, to)).not.toContain('deny');
    }
    const [before, after] = worldsOf([closed, open]).map(one => reachesOf(one, rowPool()));
    if (before === undefined || after === undefined) throw new Error('two worlds');
    const gained = movedAccess({ before, after }, 'gained', { to: checkedSelector(to) });
    expect(gained.map(flowText)).toEqual([`internet beside the overlay → ${to}`]);
    expect(flowsTo(open, 'network_resource/office/wiki')).toEqual([]);
  });

  test('opens no other host or resource', () => {
    expect(flowsTo(calling('192.168.3.4'), 'network_resource/vault/db')).toEqual([]);
    expect(flowsTo(calling('10.20.0.6'), 'network_resource/vault/db')).toEqual([]);
    expect(flowsTo(calling('10.20.0.5'), 'peer/safe')).toEqual([]);
  });
});

describe('a host inside the subnet through which it is called', () => {
  const AROUND = [
    ROUTER,
    object('network', 'vault'),
    object('network_resource', 'vault/db', { address: '100.64.0.9/32' }, 'vault'),
    object('network_resource', 'vault/all', { address: '100.0.0.0/8' }, 'vault'),
    object('network_router', 'vault/1', { peer: 'laptop', enabled: true }, 'vault'),
    object('network_resource', 'office/overlay', { address: '100.64.0.0/10' }, 'office'),
  ];
  const calling = (host: string, ip: string) => {
    const target = { target: { network_resource: 'office/overlay' }, host, protocol: 'https' };
    const service = object('proxy_service', 'a.example.com', { targets: [target] });
    return stateOf([...BARE, ...AROUND, object('peer', 'safe', { ip }), service], new Map());
  };
  const gainedAt = (to: string, ...states: readonly [AccessState, AccessState]) => {
    const [before, after] = worldsOf(states).map(one => reachesOf(one, rowPool()));
    if (before === undefined || after === undefined) throw new Error('two worlds');
    return movedAccess({ before, after }, 'gained', { to: checkedSelector(to) }).map(flowText);
  };

  test('leads to the machine that has the address, and to a network resource for it', () => {
    const state = calling('100.64.0.9', '100.64.0.9');
    for (const to of ['peer/safe', 'network_resource/vault/db'])
      expect(flowsTo(state, to)).toContainEqual('internet tcp/443 a.example.com');
    expect(failed(state, 'internet', 'peer/safe')).toContain('deny');
  });

  test('leads nowhere else in a wider network resource, and to no other machine', () => {
    const state = calling('100.64.0.9', '100.64.0.8');
    const all = answerQuestion(state, { why: false });
    if (!('flows' in all)) throw new Error('an answer');
    const open = all.flows.filter(({ from }) => from.name === 'internet').map(({ to }) => to.name);
    expect(open.sort()).toEqual(['network_resource/office/overlay', 'network_resource/vault/db']);
  });

  test('another machine that gets the address gains callers', () => {
    const states = ['100.64.0.8', '100.64.0.9'].map(ip => calling('100.64.0.9', ip));
    const [free, taken] = states as [AccessState, AccessState];
    expect(gainedAt('peer/safe', free, taken)).toContainEqual('internet → peer/safe');
    expect(gainedAt('peer/safe', taken, free)).toEqual([]);
    expect(gainedAt('peer/laptop', free, taken)).toEqual([]);
  });

  test('another host in the same subnet is a gain of access to whatever has its address', () => {
    const states = ['100.64.0.7', '100.64.0.9'].map(host => calling(host, '100.64.0.9'));
    const [other, same] = states as [AccessState, AccessState];
    expect(gainedAt('peer/safe', other, same)).toContainEqual('internet → peer/safe');
    expect(gainedAt('network_resource/vault/db', other, same)).toEqual([
      'internet → network_resource/vault/db',
    ]);
  });
});

describe('a host that is written as a name', () => {
  const LAN = object('network_resource', 'office/lan', { address: '192.168.0.0/16' }, 'office');
  const VAULT: StateObject = {
    ...object('peer', 'vault', { groups: ['production'] }),
    serverFields: {
      ip: '100.64.0.9',
      dns_label: 'vault-1.netbird.cloud',
      extra_dns_labels: ['ops.netbird.cloud'],
    },
  };
  const zone = (domain: string, records: Readonly<Record<string, string>>, more: Fields = {}) => [
    object('dns_zone', domain, { domain, enabled: true, ...more }),
    ...Object.entries(records).map(([name, content]) => {
      const type = content.startsWith('10.') ? 'A' : 'CNAME';
      return object('dns_record', `${domain}/${name}`, { name, type, content }, domain);
    }),
  ];
  const AROUND = [
    LAN,
    VAULT,
    ROUTER,
    object('network', 'vault'),
    object('network_resource', 'vault/db', { address: '10.20.0.5/32' }, 'vault'),
    object('network_resource', 'vault/named', { address: 'named.corp.test' }, 'vault'),
    object('network_router', 'vault/1', { peer: 'laptop', enabled: true }, 'vault'),
    ...zone('corp.test', {
      'rec.corp.test': '10.20.0.5',
      'alias.corp.test': 'rec.corp.test',
      '*.any.corp.test': '10.20.0.5',
      'named.corp.test': '10.20.0.7',
    }),
    ...zone('found.test', { '*.found.test': '10.20.0.5' }, { enable_search_domain: true }),
  ];
  const calling = (target: Fields) => {
    const called = { protocol: 'https', ...target };
    const service = object('proxy_service', 'a.example.com', { targets: [called] });
    return stateOf([...BARE, ...AROUND, service], new Map());
  };
  const CLOSED_AROUND = stateOf([...BARE, ...AROUND], new Map());

  const CLUSTER: Fields = { target: { proxy_cluster: 'eu.proxy.test' } };
  const DIRECT: Fields = { ...CLUSTER, options: { direct_upstream: true } };
  const SUBNET: Fields = { target: { network_resource: 'office/lan' } };
  const DB = 'network_resource/vault/db';

  test.each<readonly [string, string]>([
    ['vault-1', 'peer/vault'],
    ['VAULT-1', 'peer/vault'],
    ['ops', 'peer/vault'],
    ['vault-1.netbird.cloud', 'peer/vault'],
    ['ops.netbird.cloud', 'group/production'],
    ['rec.corp.test', DB],
    ['rec', DB],
    ['alias.corp.test', DB],
    ['x.any.corp.test', DB],
    ['whatever', DB],
    ['10.20.0.7', 'network_resource/vault/named'],
    ['10.20.0.5.nip.io', DB],
    ['app-10-20-0-5.nip.io', DB],
    ['0a140005.nip.io', DB],
    ['ip-10-20-0-5.eu-central-1.compute.internal', DB],
  ])('%s leads to %s', (host, to) => {
    for (const target of [CLUSTER, DIRECT, SUBNET]) {
      const state = calling({ ...target, host });
      expect(flowsTo(state, to)).not.toEqual([]);
      expect(failed(state, 'internet', to)).toContain('deny');
      expect(failed(CLOSED_AROUND, 'internet', to)).not.toContain('deny');
      const pool = rowPool();
      const [before, after] = worldsOf([CLOSED_AROUND, state]).map(one => reachesOf(one, pool));
      if (before === undefined || after === undefined) throw new Error('two worlds');
      const gained = movedAccess({ before, after }, 'gained', { to: checkedSelector(to) });
      expect(gained.map(flowText)).not.toEqual([]);
    }
  });

  test.each([
    'wiki.example.org',
    '10.9.9.9',
    '10.9.9.9.nip.io',
    'rec.corp',
    'x.any',
    'api.found',
    'vault-1.netbird',
  ])('%s leads to nothing in the account', host => {
    for (const target of [CLUSTER, DIRECT, SUBNET]) {
      const state = calling({ ...target, host });
      for (const to of [DB, 'peer/vault', 'network_resource/vault/named'])
        expect(flowsTo(state, to)).toEqual([]);
    }
  });
});

/** Lists of networks that have every public address of a family. */
const WHOLE_INTERNET = [
  ['0.0.0.0/0', '::/0'],
  ['0.0.0.0/1', '128.0.0.0/1'],
  ['::/1', '8000::/1'],
  ['2000::/3'],
  ['::ffff:0.0.0.0/97', '::ffff:128.0.0.0/97'],
  ['0.0.0.0/1', '128.0.0.0/2', '192.0.0.0/3'],
];

/** Restrictions that let in nobody. */
const NOBODY: readonly Fields[] = [
  { blocked_cidrs: ['0.0.0.0/0', '::/0'] },
  { blocked_cidrs: ['0.0.0.0/1', '128.0.0.0/1', '::/1', '8000::/1'] },
  { allowed_cidrs: ['192.0.2.0/24'], blocked_cidrs: ['192.0.2.0/25', '192.0.2.128/25'] },
  { allowed_cidrs: ['192.0.2.0/24'], blocked_cidrs: ['192.0.0.0/16'] },
];

/** Lists of networks that do not. */
const PARTS_OF_INTERNET = [['0.0.0.0/1'], ['0.0.0.0/1', '8000::/1'], ['nonsense']];

describe('who may connect', () => {
  const LIMITS = { allowed_cidrs: ['192.0.2.0/24'], blocked_countries: ['KP'] };
  const PIN = { pin_auth: { enabled: true } };
  const signInOf = (...groups: readonly string[]) => ({
    bearer_auth: { enabled: true, distribution_groups: groups },
  });
  const SIGN_IN = signInOf('partners');

  test.each<[string, Fields, readonly string[]]>([
    ['without a lock, the internet', {}, ['internet']],
    ['from some addresses', { access_restrictions: LIMITS }, ['internet from some addresses']],
    [
      'from some addresses in some countries',
      { access_restrictions: { ...LIMITS, allowed_countries: ['DE'] } },
      ['internet from some addresses and some countries'],
    ],
    [
      'from everywhere but blocked addresses and countries, the internet',
      {
        access_restrictions: {
          blocked_cidrs: ['192.0.2.66/32'],
          blocked_countries: ['KP'],
          crowdsec_mode: 'enforce',
        },
      },
      ['internet'],
    ],
    ...NOBODY.map((restrictions): [string, Fields, readonly string[]] => [
      `from nowhere, as ${JSON.stringify(restrictions)}, nobody`,
      { access_restrictions: restrictions },
      [],
    ]),
    [
      'from nowhere, nobody, whatever the locks',
      {
        access_restrictions: { blocked_cidrs: ['0.0.0.0/0', '::/0'] },
        auth: { pin_auth: { enabled: true }, ...signInOf('partners') },
      },
      [],
    ],
    [
      'from everywhere but IPv4, the internet',
      { access_restrictions: { blocked_cidrs: ['0.0.0.0/0'] } },
      ['internet'],
    ],
    [
      'from a part of some addresses',
      { access_restrictions: { ...LIMITS, blocked_cidrs: ['192.0.2.0/25'] } },
      ['internet from some addresses'],
    ],
    ...WHOLE_INTERNET.map((allowed): [string, Fields, readonly string[]] => [
      `from all addresses, as ${allowed.join()}, the internet`,
      { access_restrictions: { allowed_cidrs: allowed } },
      ['internet'],
    ]),
    ...PARTS_OF_INTERNET.map((allowed): [string, Fields, readonly string[]] => [
      `from ${allowed.join()}`,
      { access_restrictions: { allowed_cidrs: allowed } },
      ['internet from some addresses'],
    ]),
    ['with a PIN', { auth: PIN }, ['internet with a PIN, service callers of all machines']],
    ['with a lock that is open', { auth: { pin_auth: { enabled: false } } }, ['internet']],
    [
      'with a sign-in',
      { auth: SIGN_IN },
      ['service callers of group/partners, users of group/partners'],
    ],
    [
      'with a sign-in of anybody',
      { auth: { bearer_auth: { enabled: true } } },
      ['service callers of all machines, users'],
    ],
    [
      'with either',
      { auth: { ...SIGN_IN, ...PIN } },
      ['internet with a PIN, service callers of group/partners, users of group/partners'],
    ],
    [
      'if private, machines of its groups',
      { private: true, access_groups: ['staff'], auth: PIN },
      ['service callers of group/staff unless blocked'],
    ],
    [
      'if private and limited, machines of its groups from there',
      { private: true, access_groups: ['staff'], access_restrictions: LIMITS },
      ['service callers of group/staff unless blocked from some addresses'],
    ],
    [
      'with a PIN and limits, machines from there too',
      { auth: PIN, access_restrictions: { allowed_countries: ['DE'] } },
      [
        'internet with a PIN from some countries, service callers of all machines from some countries',
      ],
    ],
    ['with a sign-in of groups that are gone, nobody', { auth: signInOf('id:gone') }, []],
    [
      'with a sign-in of groups of which one is there',
      { auth: signInOf('id:gone', 'partners') },
      ['service callers of group/id:gone, group/partners, users of group/id:gone, group/partners'],
    ],
    ['by port, everybody', { mode: 'tcp' }, ['internet']],
    ['if it is disabled, nobody', { enabled: false }, []],
  ])('%s', (_, fields, callers) => {
    expect(flowsTo(accountWith(fields), 'peer/web')).toEqual(
      callers.map(who => `${who} tcp/8080 a.example.com`),
    );
  });

  test('a disabled target adds nothing', () => {
    const off = accountWith({}, { ...TO_PEER, enabled: false });
    expect(flowsTo(off, 'peer/web')).toEqual([]);
  });

  test('a target that the proxy connects to on its own may be reached: it is unknown whether the proxy reaches it', () => {
    const direct = accountWith({}, { ...TO_PEER, options: { direct_upstream: true } });
    expect(flowsTo(direct, 'peer/web')).toEqual([
      'internet beside the overlay tcp/8080 a.example.com',
    ]);
    expect(failed(direct, 'internet', 'peer/web')).toEqual(['allow', 'deny']);
  });

  test.each<[string, readonly StateObject[], readonly string[]]>([
    ['without a policy, by way of a routing machine', [ROUTER], ['internet tcp/443']],
    ['not without a routing machine', [], []],
    [
      'not by way of one that is disabled',
      [{ ...ROUTER, fields: { ...ROUTER.fields, enabled: false } }],
      [],
    ],
    [
      'not by way of one that awaits approval',
      [{ ...ROUTER, fields: { peer: 'new', enabled: true } }, WAITING],
      [],
    ],
  ])('a network resource is reached %s', (_, more, expected) => {
    const state = accountWith({}, TO_RESOURCE, more);
    const flows = flowsTo(state, 'network_resource/office/wiki');
    expect(flows.map(flow => flow.split(' ').slice(0, 2).join(' '))).toEqual(expected);
  });
});

describe('tests', () => {
  test.each<[string, Fields, string | undefined, readonly string[]]>([
    ['the internet may', {}, 'internet', ['deny']],
    ['machines of a group may as the internet may', {}, 'group/staff', ['allow', 'deny']],
    ['all machines may too', {}, 'all', ['allow', 'deny']],
    [
      'whoever has the PIN may be one of them',
      {
        auth: {
          pin_auth: { enabled: true },
          bearer_auth: { enabled: true, distribution_groups: ['partners'] },
        },
      },
      'group/staff',
      ['allow', 'deny'],
    ],
    [
      'the internet may with a PIN: neither allowed nor denied',
      {
        auth: { pin_auth: { enabled: true } },
      },
      'internet',
      ['allow', 'deny'],
    ],
    [
      'partners may by signing in',
      {
        auth: { bearer_auth: { enabled: true, distribution_groups: ['staff'] } },
      },
      'group/staff',
      ['allow', 'deny'],
    ],
    [
      'others may not',
      {
        auth: { bearer_auth: { enabled: true, distribution_groups: ['partners'] } },
      },
      'group/staff',
      ['allow'],
    ],
    [
      'machines of a private service may',
      {
        private: true,
        access_groups: ['staff'],
      },
      'group/staff',
      ['allow', 'deny'],
    ],
  ])('%s', (_, fields, from, lines) => {
    expect(failed(accountWith(fields), from, 'peer/web')).toEqual(lines);
  });

  test('a service that nobody opens to the internet passes such a test', () => {
    expect(failed(CLOSED, 'internet', 'peer/web')).toEqual(['allow']);
  });
});

describe('which machines connect to a private service', () => {
  const HIDDEN = { private: true, access_groups: ['staff'] };
  const BLOCKED = object('user', 'kim@example.com', { is_blocked: true, auto_groups: [] });
  const OWNED = peer('kim', { user_id: 'user-kim@example.com', ip: '100.64.0.7' });

  test.each<[string, readonly StateObject[], string, readonly string[]]>([
    ['one of its groups', [OWNED], 'peer/kim', ['allow', 'deny']],
    ['not one of a user who is blocked', [OWNED, BLOCKED], 'peer/kim', ['allow']],
    ['not one that awaits approval', [WAITING], 'peer/new', ['allow']],
    [
      'one with a private address',
      [peer('far', { ip: '10.9.0.1' })],
      'peer/far',
      ['allow', 'deny'],
    ],
    ['not one with a public address', [peer('far', { ip: '198.18.0.1' })], 'peer/far', ['allow']],
    [
      'one that has a private address too',
      [peer('far', { ip: '198.18.0.1', ipv6: 'fd00::1' })],
      'peer/far',
      ['allow', 'deny'],
    ],
  ])('%s', (_, more, from, lines) => {
    expect(failed(accountWith(HIDDEN, TO_PEER, more), from, 'peer/web')).toEqual(lines);
  });

  test('a machine of a blocked user needs no sign-in, and connects as before', () => {
    const auth = { bearer_auth: { enabled: true, distribution_groups: ['staff'] } };
    const state = accountWith({ auth }, TO_PEER, [OWNED, BLOCKED]);
    expect(failed(state, 'peer/kim', 'peer/web')).toEqual(['allow', 'deny']);
  });
});

test('a user may sign in at a machine that is in no group of the service', () => {
  const auth = { bearer_auth: { enabled: true, distribution_groups: ['partners'] } };
  const owner = object('user', 'ann@example.com', { auto_groups: ['partners'] });
  const owned = peer('ann', { user_id: 'user-ann@example.com' });
  const state = accountWith({ auth }, TO_PEER, [owner, owned]);
  expect(failed(state, 'peer/ann', 'peer/web')).toEqual(['allow', 'deny']);
  expect(failed(state, 'peer/laptop', 'peer/web')).toEqual(['allow']);
});

test('nobody signs in by a deleted group, not even users who still have it as an auto-group', () => {
  const groups = ['id:gone', 'partners'];
  const auth = { bearer_auth: { enabled: true, distribution_groups: groups } };
  const owner = object('user', 'ann@example.com', { auto_groups: ['id:gone'] });
  const owned = peer('ann', { user_id: 'user-ann@example.com' });
  const state = accountWith({ auth }, TO_PEER, [owner, owned]);
  expect(failed(state, 'peer/ann', 'peer/web')).toEqual(['allow']);
});

test('a service stays open to the internet although its machine may reach a machine that awaits approval', () => {
  const rule = {
    name: 'r',
    sources: ['production'],
    destinationResource: { peer: 'new' },
    protocol: 'tcp',
    ports: ['22'],
  };
  const known = object('policy', 'known', { enabled: true, rules: [rule] });
  const state = accountWith({}, TO_PEER, [WAITING, known]);
  expect(flowsTo(state, 'peer/web')).toEqual(['internet tcp/8080 a.example.com']);
  expect(failed(state, 'internet', 'peer/web')).toEqual(['deny']);
});

test('a service that loses its lock is access gained by the internet', () => {
  const pool = rowPool();
  const [before, after] = worldsOf([
    accountWith({ auth: { pin_auth: { enabled: true } } }),
    accountWith({}),
  ]).map(world => reachesOf(world, pool));
  if (!before || !after) throw new Error('two worlds');
  const sides = { to: checkedSelector('peer/web') };
  expect(movedAccess({ before, after }, 'gained', sides).map(flowText)).toEqual([
    'internet → peer/web',
  ]);
});

describe('a service whose restrictions change', () => {
  const moved = (side: 'gained' | 'lost', ...restrictions: readonly [Fields, Fields]) => {
    const pool = rowPool();
    const states = restrictions.map(one => accountWith({ access_restrictions: one }));
    const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
    if (!before || !after) throw new Error('two worlds');
    const sides = { to: checkedSelector('peer/web') };
    return movedAccess({ before, after }, side, sides).map(flowText);
  };
  const SOME = 'internet from some addresses';

  test.each<[string, Fields, Fields, string]>([
    [
      'more networks',
      { allowed_cidrs: ['192.0.2.0/24'] },
      { allowed_cidrs: ['192.0.2.0/24', '198.51.100.0/24'] },
      `${SOME} (from 192.0.2.0/24, 198.51.100.0/24) → peer/web`,
    ],
    [
      'a larger network',
      { allowed_cidrs: ['192.0.2.0/24'] },
      { allowed_cidrs: ['192.0.0.0/8'] },
      `${SOME} (from 192.0.0.0/8) → peer/web`,
    ],
    [
      'another country',
      { allowed_countries: ['DE'] },
      { allowed_countries: ['DE', 'PT'] },
      'internet from some countries (in DE, PT) → peer/web',
    ],
    [
      'a blocked network less',
      { blocked_cidrs: ['192.0.2.0/24'], blocked_countries: ['KP'] },
      { blocked_countries: ['KP'] },
      'internet (except KP) → peer/web',
    ],
    [
      'CrowdSec no more',
      { crowdsec_mode: 'enforce' },
      { crowdsec_mode: 'observe' },
      'internet (from anywhere) → peer/web',
    ],
  ])('gains access by %s, and loses it by the way back', (_, narrow, wide, text) => {
    expect(moved('gained', narrow, wide)).toEqual([text]);
    expect(moved('lost', narrow, wide)).toEqual([]);
    expect(moved('gained', wide, narrow)).toEqual([]);
    expect(moved('lost', wide, narrow)).toEqual([text]);
  });

  test('gains and loses access through a different network', () => {
    const restrictions = [
      { allowed_cidrs: ['192.0.2.0/24'] },
      { allowed_cidrs: ['198.51.100.0/24'] },
    ] as const;
    expect(moved('gained', ...restrictions)).toEqual([`${SOME} (from 198.51.100.0/24) → peer/web`]);
    expect(moved('lost', ...restrictions)).toEqual([`${SOME} (from 192.0.2.0/24) → peer/web`]);
  });
});

describe('another service to the same destination', () => {
  const service = (name: string, fields: Fields) =>
    object('proxy_service', name, { targets: [TO_PEER], ...fields });
  const moved = (
    side: 'gained' | 'lost',
    was: readonly StateObject[],
    is: readonly StateObject[],
  ) => {
    const states = [was, is].map(services => stateOf([...BARE, ...services], new Map()));
    const pool = rowPool();
    const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
    if (!before || !after) throw new Error('two worlds');
    const sides = { to: checkedSelector('peer/web') };
    return movedAccess({ before, after }, side, sides).map(flowText);
  };
  const headers = (...names: readonly string[]) => ({
    auth: { header_auths: names.map(header => ({ enabled: true, header })) },
  });
  const LOCKED = {
    password: { auth: { password_auth: { enabled: true } } },
    pin: { auth: { pin_auth: { enabled: true } } },
    header: headers('x-key'),
    limited: { access_restrictions: { allowed_cidrs: ['192.0.2.0/24'] } },
  };

  test.each<[string, Fields, Fields, string]>([
    [
      'with another password',
      LOCKED.password,
      LOCKED.password,
      'internet with a password (the password of b)',
    ],
    ['with another PIN', LOCKED.pin, LOCKED.pin, 'internet with a PIN (the PIN of b)'],
    [
      'with another header',
      LOCKED.header,
      LOCKED.header,
      'internet with a header (the header x-key of b)',
    ],
    [
      'for other addresses',
      LOCKED.limited,
      { access_restrictions: { allowed_cidrs: ['198.51.100.0/24'] } },
      'internet from some addresses (from 198.51.100.0/24)',
    ],
    [
      'for the same addresses, with another PIN',
      { ...LOCKED.pin, ...LOCKED.limited },
      { ...LOCKED.pin, ...LOCKED.limited },
      'internet with a PIN from some addresses (the PIN of b)',
    ],
  ])('%s is a gain', (_, one, other, who) => {
    const a = service('a', one);
    const b = service('b', other);
    expect(moved('gained', [a], [a, b])).toEqual([`${who} → peer/web`]);
    expect(moved('lost', [a, b], [a])).toEqual([`${who} → peer/web`]);
    expect(moved('gained', [a, b], [a, b])).toEqual([]);
    expect(moved('lost', [a], [a, b])).toEqual([]);
  });

  test.each<[string, Fields, Fields]>([
    ['for the same addresses', LOCKED.limited, LOCKED.limited],
    [
      'for fewer addresses',
      LOCKED.limited,
      { access_restrictions: { allowed_cidrs: ['192.0.2.7/32'] } },
    ],
    ['with a PIN beside a public one', {}, LOCKED.pin],
    [
      'for users beside a public one',
      {},
      { auth: { bearer_auth: { enabled: true, distribution_groups: ['partners'] } } },
    ],
    ['for machines beside a public one', {}, { private: true, access_groups: ['staff'] }],
  ])('%s is not a gain', (_, one, other) => {
    const a = service('a', one);
    const b = service('b', other);
    expect(moved('gained', [a], [a, b])).toEqual([]);
  });

  test('a second header of a service is a gain', () => {
    const one = service('a', headers('x-key'));
    const two = service('a', headers('x-key', 'x-robot'));
    const who = 'internet with a header (the header x-robot of a) → peer/web';
    expect(moved('gained', [one], [two])).toEqual([who]);
    expect(moved('lost', [two], [one])).toEqual([who]);
  });

  test('a service that gets another name keeps its lock', () => {
    const named = (key: string) => ({ ...service(key, LOCKED.pin), id: 'one' });
    const other = service('b', LOCKED.pin);
    expect(moved('gained', [named('a'), other], [named('c'), other])).toEqual([]);
  });
});

test.each<[string, Fields]>([
  ['addresses', { access_restrictions: { allowed_cidrs: ['192.0.2.0/24'] } }],
  ['holders of a secret', { auth: { pin_auth: { enabled: true } } }],
  ['users', { auth: { bearer_auth: { enabled: true, distribution_groups: ['partners'] } } }],
  ['machines', { private: true, access_groups: ['staff'] }],
])('a public service that is limited to some %s gives nobody access', (_, limited) => {
  const pool = rowPool();
  const [before, after] = worldsOf([accountWith({}), accountWith(limited)]).map(world =>
    reachesOf(world, pool),
  );
  if (!before || !after) throw new Error('two worlds');
  const sides = { to: checkedSelector('peer/web') };
  expect(movedAccess({ before, after }, 'gained', sides).map(flowText)).toEqual([]);
  expect(movedAccess({ before, after }, 'lost', sides).map(flowText)).toEqual([
    'internet → peer/web',
  ]);
});

describe('a question with sources', () => {
  const answered = (state: AccessState, from: string, to = 'peer/web') => {
    const question = { from: checkedSelector(from), to: checkedSelector(to), why: true };
    const answer = answerQuestion(state, question);
    if (!('flows' in answer)) throw new Error('nothing is known of it');
    const { flows, misses = [] } = answer;
    return [
      ...flows.map(one => `${one.from.name} → ${one.to.name} ${one.ports.join()}`),
      ...misses.map(one => `${one.from.name} ↛ ${one.to.name} ${one.code}`),
    ];
  };
  const HIDDEN = accountWith({ private: true, access_groups: ['staff'] });
  const PARTNERS = { bearer_auth: { enabled: true, distribution_groups: ['partners'] } };
  const SIGNED_IN = accountWith({ auth: PARTNERS });
  const CALLED = 'service callers of group/staff unless blocked → peer/web tcp/8080';
  const UNLIMITED = accountWith({ auth: { bearer_auth: { enabled: true } } });

  test.each<[string, AccessState, string, readonly string[]]>([
    ['a group that may call', HIDDEN, 'group/staff', [CALLED]],
    ['a machine of it', HIDDEN, 'peer/laptop', [CALLED]],
    ['others', HIDDEN, 'group/partners', ['group/partners ↛ peer/web NO_RULE']],
    [
      'all, of whom some may call',
      HIDDEN,
      'all',
      [
        CALLED,
        'machines that enrol with group/All, group/partners, group/production ↛ peer/web NO_RULE',
      ],
    ],
    [
      'whoever may sign in',
      SIGNED_IN,
      'group/partners',
      ['service callers of group/partners, users of group/partners → peer/web tcp/8080'],
    ],
    [
      'every user and machine',
      UNLIMITED,
      'peer/laptop',
      ['service callers of all machines, users → peer/web tcp/8080'],
    ],
    ['the internet, which calls nothing private', HIDDEN, 'internet', []],
    [
      'the internet, with a secret',
      accountWith({ auth: { pin_auth: { enabled: true } } }),
      'internet',
      ['internet with a PIN → peer/web tcp/8080'],
    ],
  ])('shows the services that they may call: %s', (_, state, from, lines) => {
    expect(answered(state, from)).toEqual(lines);
  });
});

describe('`only_from` with a service', () => {
  const PRIVATE = { private: true, access_groups: ['staff'] };
  const PIN = { auth: { pin_auth: { enabled: true } } };
  const only = (state: AccessState, ...sources: readonly string[]) => {
    const test: AccessTest = { ...TEST, to: written('peer/web'), onlyFrom: sources.map(written) };
    const { verdicts, diagnostics } = judgeTests(reachesIn(state), [test]);
    return [
      ...verdicts.flatMap(({ failures }) =>
        failures.flatMap(({ flows }) => flows.map(({ from }) => from.name)),
      ),
      ...diagnostics.map(({ message }) => message),
    ];
  };
  const SERVICE = 'proxy_service/a.example.com';
  const second = (fields: Fields) =>
    object('proxy_service', 'b.example.com', { targets: [TO_PEER], ...fields });

  test.each<[string, AccessState, readonly string[], readonly string[]]>([
    [
      'groups, which say nothing about services',
      accountWith(PRIVATE),
      ['group/staff'],
      ['service callers of group/staff unless blocked'],
    ],
    ['the private service', accountWith(PRIVATE), [SERVICE], []],
    ['the service with a PIN', accountWith(PIN), ['group/partners', SERVICE], []],
    [
      'the service by its id',
      accountWith(PIN),
      ['proxy_service/id:proxy_service-a.example.com'],
      [],
    ],
    ['a service that is switched off', accountWith({ ...PIN, enabled: false }), [SERVICE], []],
    ['one that everybody may call', accountWith({}), [SERVICE], ['internet']],
    ['it and the internet', accountWith({}), [SERVICE, 'internet'], []],
    [
      'another one with the same callers',
      accountWith(PRIVATE, TO_PEER, [second(PRIVATE)]),
      [SERVICE],
      ['service callers of group/staff unless blocked'],
    ],
    [
      'another one with another PIN',
      accountWith(PIN, TO_PEER, [second(PIN)]),
      [SERVICE],
      ['internet with a PIN, service callers of all machines'],
    ],
    [
      'one that is not there',
      CLOSED,
      [SERVICE],
      [`\`${SERVICE}\` matches nothing that can be a source`],
    ],
  ])('admits the callers that the service admits: %s', (_, state, sources, others) => {
    expect(only(state, ...sources)).toEqual(others);
  });

  test('is evaluated for the callers of the service if the service is the source of the test', () => {
    expect(failed(accountWith(PRIVATE), SERVICE, 'peer/web')).toEqual(['deny']);
    expect(failed(accountWith(PRIVATE), SERVICE, 'peer/laptop')).toEqual(['allow']);
    const { diagnostics } = judgeTests(reachesIn(accountWith(PIN)), [
      { ...TEST, from: written('all'), deny: [written(SERVICE)] },
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `\`${SERVICE}\` matches nothing that can be a destination`,
    ]);
  });
});

describe('an account whose overlay network has public addresses', () => {
  const HIDDEN = { private: true, access_groups: ['staff'] };
  const CALLED = ['service callers of group/staff unless blocked tcp/8080 a.example.com'];
  const FAR = peer('laptop', { ip: '198.18.0.1' });
  const within = (settings: Fields, more: readonly StateObject[] = []) => {
    const all = [...BARE.filter(({ key }) => key !== 'laptop'), FAR, ...more];
    const service = object('proxy_service', 'a.example.com', { targets: [TO_PEER], ...HIDDEN });
    return stateOf([...all, service, object('account_settings', '', settings)], new Map());
  };
  const PUBLIC = { network_range: '198.18.0.0/16', ipv6_enabled_groups: [] };

  test('has nobody who may call a private service', () => {
    expect(flowsTo(within(PUBLIC), 'peer/web')).toEqual([]);
  });

  test.each<[string, AccessState]>([
    ['of another range', within({ ...PUBLIC, network_range: '100.64.0.0/10' })],
    ['of a range that is not known', within({ ...PUBLIC, network_range: '' })],
    ['whose groups get IPv6 addresses', within({ ...PUBLIC, ipv6_enabled_groups: ['staff'] })],
    [
      'with a machine that has a private address',
      within(PUBLIC, [peer('near', { ip: '10.0.0.7' })]),
    ],
  ])('has callers if it is an account %s', (_, state) => {
    expect(flowsTo(state, 'peer/web')).toEqual(CALLED);
  });

  test('gains callers with a private range', () => {
    const pool = rowPool();
    const states = [within(PUBLIC), within({ ...PUBLIC, network_range: '10.9.0.0/16' })];
    const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
    if (before === undefined || after === undefined) throw new Error('two worlds');
    const moved = movedAccess({ before, after }, 'gained', { to: checkedSelector('peer/web') });
    expect(moved.map(({ who }) => who).join()).toContain('service callers of group/staff');
  });
});
