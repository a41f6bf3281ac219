// The account that OpenTofu made, as its GET answers have it, loaded into an emulator through its controls; ids stay.
import { readFileSync } from 'node:fs';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';

const textOf = (name: string): string =>
  readFileSync(new URL(name, import.meta.url).pathname, 'utf8');

/** 48 objects of the vendor's provider, as OpenTofu 1.12.6 stored them. */
export const STATE = textOf('terraform.tfstate');

/** What the public server answered right after, by path. */
const ANSWERS = JSON.parse(textOf('account.json')) as Readonly<Record<string, Json>>;

const listAt = (path: string): readonly JsonObject[] => {
  const list = ANSWERS[path];
  return (isList(list) ? list : []).filter(one => isObject(one)).map(filled);
};

/** Without what says nothing: an answer has both `peer` and `peer_groups`, and a body one of them. */
const filled = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== ''));

/** Starts an emulator with that account, and returns the state with the id that the account has there. */
export async function startTofuAccount(): Promise<TestAccount & { readonly state: string }> {
  const account = await startAccount({
    dialect: 'netbird',
    edition: 'self-hosted',
    clock: () => new Date('2026-11-23T02:46:00Z'),
  });
  const [own] = (await account.call('GET', '/api/accounts')) as readonly { id: string }[];
  for (const cluster of listAt('/api/reverse-proxies/clusters'))
    await account.control('POST', '/emulator/proxy-clusters', clusterBody(cluster));
  await account.control('POST', '/emulator/load', loadOf());
  await settle(account, own?.id ?? '');
  const [former] = listAt('/api/accounts');
  return { ...account, state: STATE.replaceAll(String(former?.id), own?.id ?? '') };
}

/** Objects by path, each after those that it refers to. */
function loadOf(): JsonObject {
  const users = listAt('/api/users');
  const ofNetwork = (path: string, list: 'resources' | 'routers') =>
    listAt('/api/networks').map(network => [
      `/api/networks/${network.id}/${list}`,
      listAt(path)
        .filter(({ id }) => isList(network[list]) && network[list].includes(id ?? ''))
        .map(({ type: _, groups, ...rest }) => ({
          ...rest,
          ...(groups && { groups: idsOf(groups) }),
        })),
    ]);
  return {
    '/emulator/peers': listAt('/api/peers').map(machine =>
      only(machine, ['id', 'name', 'hostname', 'os', 'version', 'connection_ip']),
    ),
    '/api/groups': listAt('/api/groups')
      .filter(({ name }) => name !== 'All')
      .map(({ id, name, peers }) => ({ id, name, peers: idsOf(peers) })),
    '/api/networks': listAt('/api/networks').map(one => only(one, ['id', 'name', 'description'])),
    ...Object.fromEntries(ofNetwork('/api/networks/resources', 'resources')),
    ...Object.fromEntries(ofNetwork('/api/networks/routers', 'routers')),
    '/api/posture-checks': listAt('/api/posture-checks'),
    '/api/policies': listAt('/api/policies')
      .filter(({ name }) => name !== 'Default')
      .map(policyBody),
    '/api/routes': listAt('/api/routes').map(({ network_type: _, ...route }) =>
      isList(route.domains) ? without(route, 'network') : route,
    ),
    '/api/setup-keys': listAt('/api/setup-keys').map(keyBody),
    '/emulator/users': users
      .filter(one => one.is_service_user === false && one.role !== 'owner')
      .map(one => only(one, ['id', 'name', 'email', 'role'])),
    '/api/users': users
      .filter(one => one.is_service_user === true)
      .map(one => only(one, ['id', 'name', 'role', 'is_service_user', 'auto_groups'])),
    ...tokensOf(users),
    '/api/dns/nameservers': listAt('/api/dns/nameservers'),
    '/api/dns/zones': listAt('/api/dns/zones').map(({ records: _, ...zone }) => zone),
    ...Object.fromEntries(
      listAt('/api/dns/zones').map(({ id, records }) => [
        `/api/dns/zones/${id}/records`,
        records ?? [],
      ]),
    ),
    '/api/reverse-proxies/domains': listAt('/api/reverse-proxies/domains')
      .filter(({ type }) => type === 'custom')
      .map(one => only(one, ['id', 'domain', 'target_cluster'])),
    '/api/reverse-proxies/services': listAt('/api/reverse-proxies/services').map(one =>
      only(one, ['id', 'name', 'domain', 'enabled', 'mode', 'auth', 'targets']),
    ),
  };
}

const clusterBody = ({ id: _, type, ...cluster }: JsonObject): JsonObject => ({
  ...cluster,
  shared: type === 'shared',
});

const tokensOf = (users: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(
    users.flatMap(({ id }) => {
      const path = `/api/users/${id}/tokens`;
      const tokens = listAt(path).map(one => ({ ...only(one, ['id', 'name']), expires_in: 60 }));
      return tokens.length === 0 ? [] : [[path, tokens]];
    }),
  );

function policyBody({ rules, ...policy }: JsonObject): JsonObject {
  const bodies = (isList(rules) ? rules : []).filter(rule => isObject(rule));
  return {
    ...policy,
    source_posture_checks: policy.source_posture_checks ?? [],
    rules: bodies.map(({ id: _, sources, destinations, ...rule }) => ({
      ...rule,
      ...(sources && { sources: idsOf(sources) }),
      ...(destinations && { destinations: idsOf(destinations) }),
    })),
  };
}

const keyBody = (key: JsonObject): JsonObject => ({
  ...only(key, ['id', 'name', 'type', 'auto_groups', 'usage_limit', 'ephemeral']),
  allow_extra_dns_labels: key.allow_extra_dns_labels ?? false,
  expires_in: LIFETIMES[String(key.name)] ?? 86_400,
});

const LIFETIMES: Readonly<Record<string, number>> = { forever: 0, oneoff: 3600 };

/** What only an update can set. */
async function settle({ call }: TestAccount, id: string): Promise<void> {
  const [{ settings = null, onboarding = null } = {}] = listAt('/api/accounts');
  const { network_range_v6: _, ...rest } = isObject(settings) ? settings : {};
  await call('PUT', `/api/accounts/${id}`, { settings: rest, onboarding });
  await call('PUT', '/api/dns/settings', ANSWERS['/api/dns/settings'] ?? {});
  for (const { id: key, name, auto_groups } of listAt('/api/setup-keys'))
    if (name === 'forever')
      await call('PUT', `/api/setup-keys/${key}`, {
        revoked: true,
        auto_groups: auto_groups ?? [],
      });
  for (const { id: user, ...one } of listAt('/api/users'))
    if (one.role !== 'owner')
      await call('PUT', `/api/users/${user}`, only(one, ['role', 'auto_groups', 'is_blocked']));
}

const only = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap(name => (name in object ? [[name, object[name] ?? null]] : [])));

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([own]) => own !== name));

const idsOf = (list: Json | undefined): readonly Json[] =>
  (isList(list) ? list : []).map(one => (isObject(one) ? (one.id ?? '') : one));
