// An account, as the API's GET answers have it, as records of the emulator in memory: for what is asked of records, not of the API.
import { BEHAVIOUR } from '../../../src/emulator/dialect.ts';
import { type Environment, seededRandom } from '../../../src/emulator/environment.ts';
import { memoryStore } from '../../../src/emulator/index.ts';
import type { PeerRecord } from '../../../src/emulator/records/peers.ts';
import type {
  NetworkResourceRecord,
  NetworkRouterRecord,
  PolicyRecord,
  PostureCheckRecord,
  Reference,
  RouteRecord,
  RuleRecord,
} from '../../../src/emulator/records/topology.ts';
import { type Account, openAccount } from '../../../src/emulator/store/account.ts';

type Fields = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Fields[] => [value ?? []].flat().map(Object);
const ids = (value: unknown): readonly string[] =>
  [value ?? []].flat().map(one => (typeof one === 'string' ? one : String(Object(one).id)));
const nullable = <T>(value: unknown): T | null => (value ?? null) as T | null;

/** An environment whose time stands still. */
export function standingEnvironment(now = '2026-01-01T00:00:00Z'): Environment {
  let made = 0;
  return {
    clock: () => new Date(now),
    random: seededRandom(1),
    newId: () => {
      made += 1;
      return `new-${made}`;
    },
    behaviour: BEHAVIOUR.netbird,
    edition: 'cloud',
    signIn: 'embedded',
    acceptsIssuer: () => true,
    eventDelay: 0,
  };
}

/** Does work with an account that holds what the answers say. */
export function withStored<T>(answers: unknown, work: (account: Account) => T): T {
  const store = memoryStore();
  return store.transaction(rows => {
    const account = openAccount(rows, 'stored');
    fill(account, Object(answers));
    return work(account);
  });
}

function fill(account: Account, answers: Fields): void {
  account.settings.put({
    id: account.id,
    network: '100.64.0.0/16',
    dns_domain: 'example',
    group_propagation: false,
    user_approval_required: false,
    regular_users_view_blocked: false,
    peer_login_expiration: 86_400,
  });
  for (const peer of list(answers.peers)) account.peers.put(peerOf(peer));
  for (const group of list(answers.groups))
    account.groups.put({
      id: String(group.id),
      name: String(group.name),
      issued: 'api',
      peers: ids(group.peers),
      resources: list(group.resources) as unknown as readonly Reference[],
    });
  for (const check of list(answers.posture_checks))
    account.postureChecks.put(check as unknown as PostureCheckRecord);
  for (const policy of list(answers.policies)) account.policies.put(policyOf(policy));
  for (const route of list(answers.routes)) account.routes.put(routeOf(route));
  for (const network of list(answers.networks)) {
    const id = String(network.id);
    account.networks.put({ id, name: String(network.name), description: '' });
    for (const one of list(network.resources))
      account.resources.put({ ...one, network: id } as unknown as NetworkResourceRecord);
    for (const one of list(network.routers))
      account.routers.put({
        ...one,
        network: id,
        peer: String(one.peer ?? ''),
        peer_groups: nullable(one.peer_groups),
      } as unknown as NetworkRouterRecord);
  }
}

function peerOf(peer: Fields): PeerRecord {
  const known = {
    network_addresses: [],
    processes: [],
    ui_version: '',
    extra_dns_labels: [],
    label: String(peer.name),
  };
  return { ...known, ...peer, machine: { ...known, ...peer } } as unknown as PeerRecord;
}

function policyOf(policy: Fields): PolicyRecord {
  const rules = list(policy.rules).map(
    rule =>
      ({
        ...rule,
        ports: ids(rule.ports),
        port_ranges: list(rule.port_ranges),
        authorized_groups: {},
        sources: ids(rule.sources),
        sourceResource: nullable(rule.sourceResource),
        destinations: ids(rule.destinations),
        destinationResource: nullable(rule.destinationResource),
      }) as unknown as RuleRecord,
  );
  return {
    ...policy,
    source_posture_checks: ids(policy.source_posture_checks),
    rules,
  } as unknown as PolicyRecord;
}

function routeOf(route: Fields): RouteRecord {
  return {
    ...route,
    peer: String(route.peer ?? ''),
    peer_groups: nullable(route.peer_groups),
    network: String(route.network ?? ''),
    domains: ids(route.domains),
    groups: ids(route.groups),
    access_control_groups: ids(route.access_control_groups),
  } as unknown as RouteRecord;
}
