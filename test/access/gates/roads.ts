// A small account with a guarded network resource, and every road that opens its address without naming it.
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import type { Json, JsonObject } from '../../../src/model/value.ts';

const peer = (id: string, name: string, ip: string): JsonObject => ({
  id,
  name,
  ip,
  ipv6: `fd00::${id.slice(1)}`,
  dns_label: `${name}.netbird.selfhosted`,
  extra_dns_labels: name === 'admin' ? ['ops.netbird.selfhosted'] : [],
  version: '0.60.0',
  os: 'Ubuntu 24.04',
});
const group = (id: string, name: string, ...peers: string[]): JsonObject => ({
  id,
  name,
  peers: peers.map(one => ({ id: one })),
});
const policy = (id: string, from: string, to: string, traffic: JsonObject): JsonObject => ({
  id,
  name: `policy ${id}`,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      name: 'rule',
      enabled: true,
      action: 'accept',
      bidirectional: false,
      sources: [{ id: from }],
      destinations: [{ id: to }],
      ...traffic,
    },
  ],
});
const POSTGRES: JsonObject = { protocol: 'tcp', ports: ['5432'] };
const PING: JsonObject = { protocol: 'icmp' };

/** A network resource whose address a road opens. */
export const resourceAt = (
  id: string,
  name: string,
  address: string,
  groupId: string,
): JsonObject => ({ id, name, address, enabled: true, groups: [{ id: groupId }] });

/** A route that the gateway serves to laptops without access control. */
export const routeTo = (destination: JsonObject): JsonObject => ({
  id: 'w1',
  network_id: 'road',
  enabled: true,
  peer: 'p2',
  groups: ['g1'],
  access_control_groups: [],
  ...destination,
});

/** A DNS record: what a name leads to. */
export const recordOf = (name: string, type: string, content: string, id = name): JsonObject => ({
  id,
  name,
  type,
  content,
});

/** A DNS zone that is distributed to these groups; without groups, nobody knows to whom. */
export const zoneOf = (
  domain: string,
  groups: readonly string[] | undefined,
  records: readonly Json[],
  more: JsonObject = {},
): JsonObject => ({
  id: `zone ${domain}`,
  domain,
  enabled: true,
  ...(groups && { distribution_groups: groups }),
  records,
  ...more,
});

/** Admins reach the database; laptops only ping the gateway. A road adds something else. */
export function stateWith({
  address = '10.20.0.5/32',
  resources = [],
  routes = [],
  records = [],
  isAnswered = true,
  zones = [],
  ips = {},
}: {
  readonly address?: string;
  readonly resources?: readonly Json[];
  readonly routes?: readonly Json[];
  readonly records?: readonly Json[];
  /** Whether the DNS zone with the records is enabled. */
  readonly isAnswered?: boolean;
  /** More DNS zones. */
  readonly zones?: readonly Json[];
  /** By machine, an overlay address other than its usual one. */
  readonly ips?: Readonly<Record<string, string>>;
}): AccessState {
  const answered = stateOfAnswers({
    peers: [
      peer('p1', 'mia', ips.p1 ?? '100.64.0.1'),
      peer('p2', 'gateway', ips.p2 ?? '100.64.0.2'),
      peer('p3', 'admin', ips.p3 ?? '100.64.0.3'),
    ],
    groups: [
      group('g0', 'All', 'p1', 'p2', 'p3'),
      group('g1', 'laptops', 'p1'),
      group('g2', 'gateways', 'p2'),
      group('g3', 'admins', 'p3'),
      group('g4', 'databases'),
      group('g5', 'copies'),
    ],
    policies: [
      policy('q1', 'g3', 'g4', POSTGRES),
      policy('q2', 'g1', 'g2', PING),
      policy('q3', 'g1', 'g5', POSTGRES),
    ],
    networks: [
      {
        id: 'n1',
        name: 'production',
        resources: [resourceAt('r1', 'orders-db', address, 'g4'), ...resources],
        routers: [{ id: 't1', enabled: true, peer_groups: ['g2'] }],
      },
    ],
    routes,
    zones: [{ id: 'z1', domain: 'internal', enabled: isAnswered, records }, ...zones],
  });
  if (!('state' in answered)) throw new Error(answered.faults.join());
  return answered.state;
}
