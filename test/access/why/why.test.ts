// Each reason why access is missing: an account in which everything is reached, and one thing in it that is broken.
// `BLESS=1` writes the expected texts anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MISS_CODES, type MissCode } from '../../../src/model/access/planAccess.ts';
import { meshform } from '../../support/cli.ts';

const group = (id: string, name: string, ...peers: string[]) => ({
  id,
  name,
  peers: peers.map(peer => ({ id: peer })),
});
const peer = (id: string, name: string) => ({
  id,
  name,
  version: '0.60.0',
  os: 'Ubuntu 24.04',
  kernel_version: '6.8.0',
  country_code: 'DE',
  city_name: 'Berlin',
  connection_ip: '203.0.113.7',
  approval_required: false,
  login_expired: false,
});
const rule = (sources: string, destinations: string, port: string) => ({
  name: 'rule',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  ports: [port],
  sources: [{ id: sources }],
  destinations: [{ id: destinations }],
});
const policy = (id: string, name: string, ...rules: ReturnType<typeof rule>[]) => ({
  id,
  name,
  enabled: true,
  source_posture_checks: ['c1'],
  rules,
});

/** Engineers reach production by tcp/5432, its database by a router, and the archive by a route. */
const accountOf = () => ({
  peers: [peer('p1', 'mia'), peer('p2', 'db-1'), peer('p3', 'gateway')],
  groups: [
    group('g0', 'All', 'p1', 'p2', 'p3'),
    group('g1', 'engineers', 'p1'),
    group('g2', 'production', 'p2'),
    group('g3', 'gateways', 'p3'),
    group('g4', 'archive'),
  ],
  policies: [
    policy('q1', 'engineers use production', rule('g1', 'g2', '5432')),
    policy('q2', 'engineers use the archive', rule('g1', 'g4', '443')),
    policy('q3', 'engineers use gateways', rule('g1', 'g3', '443')),
  ],
  posture_checks: [
    { id: 'c1', name: 'recent agent', checks: { nb_version_check: { min_version: '0.50.0' } } },
  ],
  networks: [
    {
      id: 'n1',
      name: 'office',
      resources: [
        {
          id: 'r1',
          name: 'orders-db',
          address: '10.20.0.5/32',
          enabled: true,
          groups: [{ id: 'g2' }],
        },
      ],
      routers: [{ id: 't1', enabled: true, peer_groups: ['g3'] }],
    },
  ],
  routes: [
    {
      id: 'w1',
      network_id: 'archive',
      network: '10.30.0.0/24',
      enabled: true,
      peer: 'p3',
      groups: ['g1'],
      access_control_groups: ['g4'],
    },
  ],
});
type Account = ReturnType<typeof accountOf>;

const MACHINE = 'group/production:tcp/5432';
const RESOURCE = 'network_resource/office/orders-db:tcp/5432';
const ROUTE = 'route/archive:tcp/443';
const FROM = 'peer/mia';

const first = <T>(list: readonly T[]): T => {
  const [item] = list;
  if (item === undefined) throw new Error('the list is empty');
  return item;
};

const BROKEN: readonly (readonly [
  code: MissCode,
  to: string,
  name: string,
  spoil: (account: Account) => void,
])[] = [
  ['NO_RULE', 'peer/db-1:tcp/5432', 'no-rule', account => void account.policies.shift()],
  [
    'DISABLED',
    'peer/db-1:tcp/5432',
    'disabled-rule',
    account => {
      first(first(account.policies).rules).enabled = false;
    },
  ],
  [
    'DISABLED',
    RESOURCE,
    'disabled-resource',
    account => {
      first(first(account.networks).resources).enabled = false;
    },
  ],
  [
    'PORT',
    'peer/db-1:tcp/5432',
    'port',
    account => {
      first(first(account.policies).rules).ports = ['22'];
    },
  ],
  [
    'DIRECTION',
    'peer/db-1:tcp/5432',
    'direction',
    account => {
      const broken = first(first(account.policies).rules);
      Object.assign(broken, { sources: broken.destinations, destinations: broken.sources });
    },
  ],
  [
    'DROPPED_BY',
    'peer/db-1:tcp/5432',
    'dropped',
    account => {
      account.policies.push({
        ...policy('q9', 'quarantine', { ...rule('g1', 'g2', '5432'), action: 'drop' }),
        source_posture_checks: [],
      });
    },
  ],
  [
    'POSTURE',
    RESOURCE,
    'posture',
    account => {
      first(account.peers).version = '0.40.0';
    },
  ],
  // A single source counts at a router that evaluates no check for it, so that its posture is not what is missing.
  [
    'PORT',
    ROUTE,
    'single-source',
    account => {
      first(account.peers).version = '0.40.0';
      account.networks = [];
      const single = {
        ...rule('g1', 'g4', '22'),
        sources: [],
        sourceResource: { id: 'p1', type: 'peer' },
      };
      account.policies = account.policies.map(one =>
        one.id === 'q2' ? { ...one, rules: [single] } : { ...one, source_posture_checks: [] },
      );
    },
  ],
  [
    'NOT_APPROVED',
    'peer/db-1:tcp/5432',
    'not-approved',
    account => {
      first(account.peers).approval_required = true;
    },
  ],
  [
    'LOGIN_EXPIRED',
    'peer/db-1:tcp/5432',
    'login-expired',
    account => {
      first(account.peers).login_expired = true;
    },
  ],
  [
    'LOGIN_EXPIRED',
    ROUTE,
    'user-blocked',
    account => {
      const mia = { id: 'u1', email: 'mia@example.com', auto_groups: [], is_blocked: true };
      Object.assign(first(account.peers), { user_id: mia.id });
      Object.assign(account, { users: [mia] });
    },
  ],
  [
    'NO_ROUTER',
    RESOURCE,
    'no-router',
    account => {
      first(first(account.networks).routers).enabled = false;
    },
  ],
  ['NO_EDGE_TO_ROUTER', ROUTE, 'no-edge', account => void account.policies.pop()],
  [
    'NOT_DISTRIBUTED',
    ROUTE,
    'not-distributed',
    account => {
      first(account.routes).groups = ['g2'];
    },
  ],
];

const why = (account: Account, to: string, format: string, from = FROM) =>
  meshform(['access', 'from', from, 'to', to, '--why', '--state', '-', '--format', format], {
    stdin: JSON.stringify({ account }),
  });

test('every selector of the account is accepted as a target, and none is missing', async () => {
  for (const to of [MACHINE, RESOURCE, ROUTE, 'peer/db-1:tcp/5432']) {
    const { flows, misses } = JSON.parse((await why(accountOf(), to, 'json')).stdout);
    expect(flows.length, to).toBeGreaterThan(0);
    expect(misses, to).toEqual([]);
  }
});

test.each(BROKEN)('%s to %s: %s', async (code, to, name, spoil) => {
  const account = accountOf();
  spoil(account);
  const { flows, misses } = JSON.parse((await why(account, to, 'json')).stdout);
  expect(flows).toEqual([]);
  expect(misses).toHaveLength(1);
  expect(misses[0]).toMatchObject({ code, also: [] });
  const { stdout } = await why(account, to, 'text');
  const golden = new URL(`${name}.txt`, import.meta.url);
  if (process.env.BLESS === '1') writeFileSync(golden, stdout);
  expect(stdout).toBe(readFileSync(golden, 'utf8'));
});

test('every code for missing access has a case in this file', () => {
  expect(new Set(BROKEN.map(([code]) => code))).toEqual(new Set(Object.keys(MISS_CODES)));
});

describe('of several rules', () => {
  const disabled = { ...policy('q0', 'Default', rule('g0', 'g0', '*')), enabled: false };
  const otherPort = (id: string, port = '22') => policy(id, `by ${port}`, rule('g1', 'g2', port));
  const missOf = async (...policies: ReturnType<typeof policy>[]) => {
    const account = { ...accountOf(), policies };
    const { misses } = JSON.parse((await why(account, 'peer/db-1:tcp/5432', 'json')).stdout);
    return misses[0];
  };

  test.each([
    ['first', [disabled, otherPort('q1')]],
    ['last', [otherPort('q1'), disabled]],
  ])('the active rule is nearer than the disabled one: %s', async (_, policies) => {
    expect(await missOf(...policies)).toMatchObject({ code: 'PORT', also: [] });
  });

  test('the active rule is nearer even if it lacks more conditions', async () => {
    const account = { ...accountOf(), policies: [disabled, otherPort('q1')] };
    first(account.peers).version = '0.40.0';
    const { misses } = JSON.parse((await why(account, 'peer/db-1:tcp/5432', 'json')).stdout);
    expect(misses).toMatchObject([{ code: 'PORT', also: ['POSTURE'] }]);
  });

  test('the disabled rule is named if no other rule exists', async () => {
    expect(await missOf(disabled)).toMatchObject({ code: 'DISABLED' });
  });

  test('the rule closer to granting access is named if two rules have equally many unmet conditions', async () => {
    const opposite = policy('q1', 'back', rule('g2', 'g1', '5432'));
    const both = [opposite, otherPort('q2')];
    expect((await missOf(...both)).code).toBe('PORT');
    expect((await missOf(...both.toReversed())).code).toBe('PORT');
  });
});
