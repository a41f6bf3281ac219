// The account after a plan, on paper, against the account after the apply: the same flows, by the same names.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountAfter } from '../../../src/access/plan/accountAfter.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { ACCESS_KINDS, stateOfLive } from '../../../src/access/state/stateOfLive.ts';
import { fetchAccount } from '../../../src/api/account/fetch.ts';
import { readTransport } from '../../../src/api/transport/transport.ts';
import { present } from '../../../src/model/errors.ts';
import { isList, isObject, type Json } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { apply, plan, reconcile } from '../../support/reconcile.ts';
import { flowsWithoutIds } from './flowsWithoutIds.ts';

vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const GROUPS = `groups:
  - name: engineers
  - name: bastions
  - name: contractors
  - name: databases
  - name: gateways
`;
const NETWORKS = `networks:
  - name: production
    resources:
      - { name: orders-db, address: 10.20.0.5, groups: [databases] }
    routers:
      - { peer_groups: [gateways], metric: 100, masquerade: true }
`;
const POLICIES = `policies:
  - name: Default
    enabled: false
    rules:
      - { name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }
  - name: ssh
    rules:
      - { name: ssh, sources: [engineers], destinations: [bastions], protocol: tcp, ports: ["22", "443"] }
  - name: pg
    rules:
      - { name: pg, sources: [engineers], destinations: [databases], protocol: tcp, ports: ["5432"] }
`;
const BEFORE = GROUPS + NETWORKS + POLICIES;

const STEPS: readonly (readonly [name: string, after: string])[] = [
  ['a rule with other ports', BEFORE.replace('"22", "443"', '"22"')],
  [
    'a group that is renamed',
    BEFORE.replace(
      '- name: engineers',
      '- { name: builders, lifecycle: { was: engineers } }',
    ).replaceAll('[engineers]', '[builders]'),
  ],
  [
    'two groups that change names by way of a new one',
    BEFORE.replace(
      '- name: bastions',
      '- { name: jumps, lifecycle: { was: bastions } }\n  - name: bastions',
    ).replace('destinations: [bastions]', 'destinations: [bastions, jumps]'),
  ],
  [
    'a network that is renamed',
    BEFORE.replace('- name: production', '- name: live\n    lifecycle: { was: production }'),
  ],
  [
    'a policy that is disabled',
    BEFORE.replace('- name: ssh\n', '- name: ssh\n    enabled: false\n'),
  ],
  [
    'a group that gains a machine',
    BEFORE.replace('- name: bastions', '- { name: bastions, peers: [tom] }'),
  ],
  [
    'a resource with another address and group',
    BEFORE.replace('10.20.0.5, groups: [databases]', '10.20.0.6, groups: [bastions]'),
  ],
  [
    'a new network with a new resource in a new group',
    BEFORE.replace('- name: databases', '- name: databases\n  - name: lab')
      .replace(
        'networks:',
        'networks:\n  - name: lab\n    resources: [{ name: bench, address: 10.9.9.9, groups: [lab] }]\n    routers: [{ peer: gw, metric: 1, masquerade: true }]',
      )
      .replace('destinations: [databases]', 'destinations: [lab, databases]'),
  ],
  [
    'a route',
    `${BEFORE}routes:\n  - { network_id: lab, network: 10.9.0.0/24, peer_groups: [bastions], groups: [engineers], masquerade: true }\n`,
  ],
  [
    'a posture check',
    `${BEFORE.replace('- name: ssh\n', '- name: ssh\n    source_posture_checks: [recent]\n')}posture_checks:\n  - { name: recent, checks: { nb_version_check: { min_version: 9.0.0 } } }\n`,
  ],
  [
    'policies that are pruned',
    GROUPS + NETWORKS + POLICIES.replace(/ {2}- name: pg\n.*\n.*\n/, ''),
  ],
  ['a network that is pruned', `${GROUPS}networks:\n  - name: other\n${POLICIES}`],
  [
    'a setup key',
    `${BEFORE}setup_keys:\n  - { name: jumps, type: reusable, auto_groups: [bastions, gateways], expires_in: 86400, usage_limit: 0 }\n`,
  ],
];

async function started(): Promise<void> {
  await reconcile(account, desiredOf(BEFORE));
  const groups = await account.call('GET', '/api/groups');
  const idOf = (name: string) =>
    String((isList(groups) ? groups : []).filter(isObject).find(group => group.name === name)?.id);
  const machines = [
    ['mia', 'engineers'],
    ['tom', 'engineers'],
    ['jump', 'bastions'],
    ['gw', 'gateways'],
  ] as const;
  for (const [name, group] of machines) await account.enrol(name, [idOf(group)]);
}

async function liveObjects() {
  const kinds = new Set([...KINDS.keys()].filter(name => ACCESS_KINDS.has(name)));
  const parents = new Map([...kinds].map(name => [name, 'all' as const]));
  const transport = readTransport(account.transport);
  return (
    await fetchAccount(
      transport,
      KINDS,
      { kinds, parents },
      { concurrency: 4, dialect: account.server.dialect },
    )
  ).objects;
}

const objectIn = (value: Json) => (isObject(value) ? value : undefined);

test.each(STEPS)('%s', async (_, after) => {
  await started();
  const before = await liveObjects();
  const made = await plan(account, desiredOf(after), { prune: 'unmanaged' });
  expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(made.actions.length).toBeGreaterThan(0);
  const predicted = flowsWithoutIds(stateOf(accountAfter(KINDS, before, made).objects));
  await apply(account, made);
  const now = flowsWithoutIds(stateOfLive(await liveObjects(), new Map()));
  expect(now).not.toEqual(flowsWithoutIds(stateOfLive(before, new Map())));
  expect(predicted).toEqual(now);
});

test('a deleted user, with their machine and the policy that names it', async () => {
  await started();
  const user = await account.call('POST', '/api/users', {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'user',
    auto_groups: [],
    is_service_user: false,
  });
  const { id } = present(objectIn(user), 'the user');
  const laptop = await account.enrol('ada-laptop', [], { user_id: id ?? '' });
  const groups = await account.call('GET', '/api/groups');
  const bastions = (isList(groups) ? groups : [])
    .filter(isObject)
    .find(({ name }) => name === 'bastions');
  const rule = {
    name: 'ada',
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'all',
    sourceResource: { id: laptop.id ?? '', type: 'peer' },
    destinations: [bastions?.id ?? ''],
  };
  await account.call('POST', '/api/policies', { name: 'ada', enabled: true, rules: [rule] });
  const before = await liveObjects();
  const files = `${BEFORE}users:\n  - { email: ada@example.com, lifecycle: { delete: true } }\n`;
  const made = await plan(account, desiredOf(files), {});
  expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(made.changes.length).toBeGreaterThan(1);
  const predicted = flowsWithoutIds(stateOf(accountAfter(KINDS, before, made).objects));
  await apply(account, made, {});
  expect(predicted).toEqual(flowsWithoutIds(stateOfLive(await liveObjects(), new Map())));
});

test.each([
  [
    'a header instead of the declared sign-in',
    { header_auths: [{ enabled: true, header: 'X-Api', value: 'v' }] },
  ],
  [
    'a password besides',
    {
      bearer_auth: { enabled: true, distribution_groups: [] },
      password_auth: { enabled: true, password: 'secret-1' },
    },
  ],
])('a service that somebody gave %s keeps it', async (_, auth) => {
  await account.close();
  account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  await account.control('POST', '/emulator/proxy-clusters', {
    address: 'proxy.test',
    shared: true,
  });
  await account.enrol('web');
  const desired = desiredOf(`groups: [{ name: staff }]
reverse_proxy:
  services:
    - domain: wiki.proxy.test
      name: wiki
      targets: [{ target: { peer: web }, port: 8080, protocol: http }]
      auth: { bearer_auth: { enabled: true, distribution_groups: [staff] } }
`);
  await reconcile(account, desired);
  const path = '/api/reverse-proxies/services';
  const [service] = (await account.call('GET', path)) as Record<string, Json>[];
  await account.call('PUT', `${path}/${service?.id}`, { ...service, auth });
  const before = await liveObjects();
  const made = await plan(account, desired);
  const { internetPorts: predicted } = stateOf(accountAfter(KINDS, before, made).objects);
  await apply(account, made);
  const { internetPorts: now } = stateOfLive(await liveObjects(), new Map());
  const callers = (ports: typeof now) => ports.map(({ to }) => to.name).sort();
  expect(callers(now)).toContain(
    'header_auths' in auth ? 'internet with a header' : 'internet with a password',
  );
  expect(callers(predicted)).toEqual(callers(now));
});
