// Artificial traffic: flows between existing peers according to existing policies, and requests to services without a backend.
// All random values come from the emulator's random source, so a seed reproduces the traffic.

import { type Environment, randomBelow } from '../environment.ts';
import { nextNumber } from '../ids/numbers.ts';
import { reachedPeers } from '../reach/reached.ts';
import type { FlowRecord } from '../records/logs.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { SECOND, timestampAfter } from '../time/times.ts';
import { peerEndpoint } from './endpoints.ts';
import { addToSums, reportsSums } from './sums.ts';

/** The number of records to generate, and the number of seconds up to now over which they are spread. */
export interface Amount {
  readonly count: number;
  readonly over: number;
}

/** IP protocol numbers: ICMP, TCP and UDP. */
const PROTOCOLS = [1, 6, 6, 6, 17];
const PORTS = [22, 53, 80, 443, 5432, 8080];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const STATUSES = [200, 200, 200, 201, 204, 304, 400, 401, 403, 404, 500, 502];
const HOSTS = ['app.example.com', 'wiki.example.com', 'shop.example.com'];
const PATHS = ['/', '/login', '/api/orders', '/api/orders/7', '/static/site.css'];
const COUNTRIES = ['DE', 'FR', 'US'];

/**
 * Adds flows, each reported by one of its endpoints; none if there are fewer than two peers. Returns the number of added flows.
 */
export function addFlows(account: Account, amount: Amount, environment: Environment): number {
  const peers = account.peers.all();
  if (peers.length < 2) return 0;
  const reached = new Map<PeerRecord, Reached>();
  for (const at of times(amount, environment)) {
    const source = picked(peers, environment);
    const others = peers.filter(peer => peer !== source);
    const policies = reached.get(source) ?? reachedPeers(account, source, environment);
    reached.set(source, policies);
    const friends = peers.filter(peer => policies.has(peer));
    // Sometimes a connection is denied.
    const isDropped = friends.length === 0 || randomBelow(environment.random, 10) === 0;
    const destination = picked(isDropped ? others : friends, environment);
    const policy = policies.get(destination);
    const seen = flow(account, { source, destination, policy, at }, environment);
    const reporter = seen.reporter_id === source.id ? source : destination;
    if (reportsSums(reporter, environment)) addToSums(account, seen, environment);
    else account.flows.put(seen);
  }
  return amount.count;
}

type Reached = ReturnType<typeof reachedPeers>;

interface Meeting {
  readonly source: PeerRecord;
  readonly destination: PeerRecord;
  /** The policy that accepts the traffic; absent if it is dropped. */
  readonly policy: PolicyRecord | undefined;
  readonly at: string;
}

function flow(
  account: Account,
  { source, destination, policy, at }: Meeting,
  environment: Environment,
): FlowRecord {
  const below = (end: number) => randomBelow(environment.random, end);
  const protocol = picked(PROTOCOLS, environment);
  const isIngress = below(2) === 0;
  const isTold = isIngress || environment.behaviour.trafficEvents === 'one event for each flow';
  const { id: policy_id = '', name: policy_name = '' } = isTold ? (policy ?? {}) : {};
  const { id = '', email = '', name = '' } = account.users.get(source.user_id) ?? {};
  const port = (peer: PeerRecord, number: number) => `${peer.ip}:${protocol === 1 ? 0 : number}`;
  const end = timestampAfter(() => new Date(at), below(5 * SECOND));
  return {
    id: String(nextNumber(account, 'flows')),
    connection_type: below(3) === 0 ? 'ROUTED' : 'P2P',
    flow_id: environment.newId(),
    reporter_id: isIngress ? destination.id : source.id,
    direction: isIngress ? 'INGRESS' : 'EGRESS',
    source: peerEndpoint(account, source, port(source, 32_768 + below(28_000))),
    destination: peerEndpoint(account, destination, port(destination, picked(PORTS, environment))),
    user: { id, email, name },
    policy: { id: policy_id, name: policy_name },
    icmp: { type: protocol === 1 ? 8 : 0, code: 0 },
    protocol,
    rx_bytes: below(100_000),
    rx_packets: below(100),
    tx_bytes: below(100_000),
    tx_packets: below(100),
    events:
      policy === undefined
        ? [{ type: 'TYPE_DROP', timestamp: at }]
        : [
            { type: 'TYPE_START', timestamp: at },
            { type: 'TYPE_END', timestamp: end },
          ],
  };
}

/** Adds requests that the reverse proxy served. */
export function addAccesses(account: Account, amount: Amount, environment: Environment): number {
  const users = account.users.all().filter(user => !user.is_service_user);
  for (const at of times(amount, environment)) {
    const below = (end: number) => randomBelow(environment.random, end);
    const status_code = picked(STATUSES, environment);
    const user = below(3) === 0 ? undefined : picked(users, environment);
    const host = picked(HOSTS, environment);
    account.accesses.put({
      id: environment.newId(),
      service_id: host.split('.')[0] ?? '',
      timestamp: at,
      method: picked(METHODS, environment),
      host,
      path: picked(PATHS, environment),
      duration_ms: below(2000),
      status_code,
      protocol: 'http',
      source_ip: `198.51.100.${below(256)}`,
      reason: status_code === 403 ? 'no access' : '',
      user_id: user?.id ?? '',
      auth_method_used: user === undefined ? '' : 'oidc',
      country_code: picked(COUNTRIES, environment),
      city_name: '',
      subdivision_code: '',
      bytes_upload: below(10_000),
      bytes_download: below(1_000_000),
    });
  }
  return amount.count;
}

/** Evenly distributed times up to now, the earliest first. */
function times({ count, over }: Amount, { clock }: Environment): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    timestampAfter(clock, -Math.round(((count - 1 - index) / count) * over * SECOND)),
  );
}

function picked<T>(some: readonly T[], { random }: Environment): T {
  const found = some[randomBelow(random, some.length)];
  if (found === undefined) throw new Error('there is nothing to draw from');
  return found;
}
