// What the kinds outside of the specification name: it exists before them and stays until nothing names it, although the server would
// delete most of it. What they switch on stays on.
import { expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';

/** Each of these kinds, with these groups wherever a group can be named. */
const filesWith = (...groups: readonly string[]) =>
  desiredOf(`groups: [${groups.map(name => `{ name: ${name} }`).join(', ')}]
account_settings: { ipv6_enabled_groups: [${groups}] }
dns:
  settings: { disabled_management_groups: [${groups}] }
  zones: [{ domain: corp.example, name: Corp, distribution_groups: [${groups}], records: [{ name: db.corp.example, type: A, content: 10.0.0.5 }] }]
  nameserver_groups: [{ name: office, nameservers: [{ ip: 10.0.0.53 }], groups: [${groups}], domains: [office.example] }]
networks: [{ name: office, resources: [{ name: wiki, address: 10.0.0.5, groups: [staff] }] }]
reverse_proxy:
  domains: [{ domain: apps.example, target_cluster: eu.proxy.test }]
  services:
    - { domain: wiki.apps.example, name: Wiki, private: true, access_groups: [${groups}], targets: [{ target: { network_resource: [office, wiki] }, port: 80, protocol: http }] }
    - { domain: in.apps.example, name: In, auth: { bearer_auth: { enabled: true, distribution_groups: [${groups}] } }, targets: [{ target: { peer: web }, port: 80, protocol: http }] }
`);
const BOTH = filesWith('staff', 'former');
const ONE = filesWith('staff');

async function started(): Promise<TestAccount> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  const cluster = { address: 'eu.proxy.test', shared: true, private: true };
  await account.control('POST', '/emulator/proxy-clusters', cluster);
  await account.enrol('web');
  const { result } = await reconcile(account, BOTH);
  expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  return account;
}

/** Of these pairs of actions, those that a plan does not have in this order. */
const misplaced = ({ actions }: Plan, pairs: readonly (readonly [string, string])[]) => {
  const at = new Map(actions.map(({ id }, index) => [String(id), index]));
  return pairs.filter(([first, then]) => !((at.get(first) ?? -1) < (at.get(then) ?? -1)));
};

const NAMING = [
  'account_settings.account',
  'dns_settings.account',
  'dns_zone.corp.example',
  'nameserver_group.office',
  'proxy_service.in.apps.example',
  'proxy_service.wiki.apps.example',
];
const WIKI = 'proxy_service.wiki.apps.example';
const RECORD = 'dns_record["corp.example/db.corp.example A 10.0.0.5"]';

test('an object that others name is created first, and deleted last', async () => {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/proxy-clusters', { address: 'eu.proxy.test' });
  await account.enrol('web');
  const { plan: made } = await reconcile(account, ONE);
  const verb = (address: string) =>
    `${address.endsWith('.account') ? 'update' : 'create'} ${address}`;
  expect(
    misplaced(made, [
      ...NAMING.map(address => ['create group.staff', verb(address)] as const),
      ['create network_resource.office/wiki', `create ${WIKI}`],
      ['create proxy_domain.apps.example', `create ${WIKI}`],
      ['create dns_zone.corp.example', `create ${RECORD}`],
    ]),
  ).toEqual([]);
  const gone = await reconcile(account, desiredOf('groups: [{ name: staff }]'), {
    base: ONE,
    prune: 'removed',
  });
  expect(gone.result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(
    misplaced(gone.plan, [
      [`delete ${WIKI}`, 'delete network.office'],
      [`delete ${WIKI}`, 'delete proxy_domain.apps.example'],
    ]),
  ).toEqual([]);
});

test('a group is removed from every object that names it before it is deleted', async () => {
  const account = await started();
  const { plan: made, result } = await reconcile(account, ONE, { base: BOTH, prune: 'removed' });
  expect(
    misplaced(
      made,
      NAMING.map(address => [`update ${address}`, 'delete group.former'] as const),
    ),
  ).toEqual([]);
  expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
});

test('a network stays while a service that no file declares leads to it', async () => {
  const account = await started();
  const base = BOTH.filter(({ kind }) => kind !== 'proxy_service' && kind !== 'proxy_domain');
  const files = base.filter(({ kind }) => !kind.startsWith('network'));
  const made = await plan(account, files, { base, prune: 'removed' });
  expect(made.actions).toEqual([]);
  expect(made.leftAlone).toContainEqual(
    expect.objectContaining({
      address: 'network_resource.office/wiki',
      because: `${WIKI} refers to it`,
    }),
  );
});

test('nameserver groups, zones, services and targets that somebody disabled are enabled again', async () => {
  const account = await started();
  const off = async (path: string, more: (live: JsonObject) => JsonObject = () => ({})) => {
    for (const live of (await account.call('GET', path)) as JsonObject[]) {
      const { id, records: _, ...body } = live;
      await account.call('PUT', `${path}/${id}`, { ...body, enabled: false, ...more(live) });
    }
  };
  await off('/api/dns/nameservers');
  await off('/api/dns/zones');
  await off('/api/reverse-proxies/services', ({ targets }) => ({
    targets: (targets as JsonObject[]).map(target => ({ ...target, enabled: false })),
  }));
  const { plan: made } = await reconcile(account, BOTH);
  expect(
    made.changes.map(({ address, fields }) => [address, fields.map(({ path }) => path.at(-1))]),
  ).toEqual([
    ['dns_zone.corp.example', ['enabled']],
    ['nameserver_group.office', ['enabled']],
    ['proxy_service.in.apps.example', ['enabled', 'enabled']],
    ['proxy_service.wiki.apps.example', ['enabled', 'enabled']],
  ]);
  expect((await plan(account, BOTH)).changes).toEqual([]);
});
