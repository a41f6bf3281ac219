// The lints about routes, routing peers, posture, SSH and port ranges: a case that each finds, and the nearest that it does not.
import { describe, expect, test } from 'vitest';
import { type Case, foundBy } from './linted.ts';

const GROUPS = 'groups: [{ name: staff }, { name: gateways }, { name: office }, { name: dba }]\n';
const ROUTE = `${GROUPS}routes:
  - network_id: office
    network: 10.10.0.0/16
    peer_groups: [gateways]
    masquerade: true
    groups: [staff]
`;
const NETWORK = `${GROUPS}networks:
  - name: prod
    routers: [{ peer_groups: [gateways], masquerade: true }]
    resources:
      - { name: db, address: 10.0.0.5, groups: [dba] }
      - { name: web, address: 10.0.0.6, groups: [office] }
`;
const rule = (fields: string, policy = '') => `policies:
  - name: p
    ${policy === '' ? 'description: x' : policy}
    rules:
      - ${fields}
`;
const TWO = (first: string, second: string) => `policies:
  - name: p
    rules:
      - ${first}
      - ${second}
`;
const CHECKS = `posture_checks:
  - { name: new, checks: { nb_version_check: { min_version: 0.60.0 } } }
  - { name: old, checks: { nb_version_check: { min_version: 0.40.0 } } }
`;
const PEERS = 'peers: [{ name: laptop }, { name: server }]\n';
const PG = '{ name: pg, sources: [staff], destinations: [dba], protocol: tcp, ports: ["5432"] }';
const SSH = '{ name: ssh, sources: [staff], destinations: [dba], protocol: netbird-ssh }';

const CASES: readonly Case[] = [
  {
    code: 'ROUTE_OPEN_TO_ALL',
    what: 'a route without access-control groups',
    fires: ROUTE,
    silent: `${ROUTE}    access_control_groups: [office]\n`,
    says: ['`office`', '`staff`', '`10.10.0.0/16`'],
    at: '3:5',
  },
  {
    code: 'ROUTE_OPEN_TO_ALL',
    what: 'not while the route is disabled',
    fires: `${ROUTE}    access_control_groups: []\n`,
    silent: `${ROUTE}    enabled: false\n`,
    says: ['every port'],
    at: '8:28',
  },
  {
    code: 'RULE_LEAKS',
    what: 'a second rule of a policy that concerns a network resource',
    fires: `${NETWORK}${TWO(PG, '{ name: web, sources: [staff], destinations: [office], protocol: tcp, ports: ["443"] }')}`,
    silent: `${NETWORK}${TWO(PG, '{ name: web, sources: [staff], destinations: [dba], protocol: tcp, ports: ["443"] }')}`,
    says: ['rule `pg` of policy `p`', '`prod/web`'],
    at: '11:9',
    dialect: 'spec',
  },
  {
    code: 'RULE_LEAKS',
    what: 'a rule beside a disabled one that names an access-control group',
    fires: `${ROUTE}    access_control_groups: [office]\n${TWO('{ name: off, enabled: false, sources: [staff], destinations: [office], protocol: icmp }', '{ name: ssh, sources: [staff], destinations: [gateways], protocol: tcp, ports: ["22"] }')}`,
    silent: `${ROUTE}    access_control_groups: [office]\n${TWO('{ name: off, enabled: false, sources: [staff], destinations: [dba], protocol: icmp }', '{ name: ssh, sources: [staff], destinations: [gateways], protocol: tcp, ports: ["22"] }')}`,
    says: ['rule `ssh` of policy `p`', '`office`'],
    at: '13:9',
    dialect: 'spec',
  },
  {
    code: 'POSTURE_SKIPPED',
    what: 'a single source peer toward peers',
    fires: `${GROUPS}${PEERS}${CHECKS}${rule('{ name: r, sourceResource: { peer: laptop }, destinations: [dba], protocol: icmp }', 'source_posture_checks: [new]')}`,
    silent: `${NETWORK}${PEERS}${CHECKS}${rule('{ name: r, sourceResource: { peer: laptop }, destinations: [dba], protocol: icmp }', 'source_posture_checks: [new]')}`,
    says: ['`laptop`', '`new`'],
    at: '10:36',
  },
  {
    code: 'POSTURE_DANGLING',
    what: 'a posture check that no file declares',
    fires: `${GROUPS}${CHECKS}${rule(PG, 'source_posture_checks: [new, gone]')}`,
    silent: `${GROUPS}${CHECKS}${rule(PG, 'source_posture_checks: [new, old]')}`,
    says: ['`gone`', 'no file declares'],
    at: '7:34',
  },
  {
    code: 'DROP_OPENS_ROUTE',
    what: 'a drop rule that is the only edge to the routing peer',
    fires: `${ROUTE}${rule('{ name: no, action: drop, sources: [staff], destinations: [gateways], protocol: tcp, ports: ["22"] }')}`,
    silent: `${ROUTE}${TWO('{ name: no, action: drop, sources: [staff], destinations: [gateways], protocol: tcp, ports: ["22"] }', '{ name: ping, sources: [gateways], destinations: [staff], protocol: icmp }')}`,
    says: ['rule `no` of policy `p`', '`office`', 'open to them'],
    at: '12:9',
  },
  {
    code: 'DROP_OPENS_ROUTE',
    what: 'a policy of drop rules alone that delivers a network resource',
    fires: `${NETWORK}${rule('{ name: no, action: drop, sources: [staff], destinations: [dba], protocol: all }')}`,
    silent: `${NETWORK}${TWO('{ name: no, action: drop, sources: [staff], destinations: [dba], protocol: udp }', PG)}`,
    says: ['policy `p`', '`prod/db`'],
    at: '12:9',
  },
  {
    code: 'SSH_ALL_TCP',
    what: 'SSH between peers without ports',
    fires: `${GROUPS}${rule(SSH)}`,
    silent: `${GROUPS}${rule(SSH.replace(' }', ', ports: ["22"] }'))}`,
    says: ['rule `ssh` of policy `p`', 'all TCP ports'],
    at: '6:71',
  },
  {
    code: 'SSH_TO_RESOURCE',
    what: 'SSH toward a group of network resources',
    fires: `${NETWORK}${rule(SSH)}`,
    silent: `${NETWORK}${rule(SSH.replace('[dba]', '[gateways]'))}`,
    says: ['`prod/db`'],
    at: '12:54',
  },
  {
    code: 'SOURCE_IS_RESOURCE',
    what: 'a network resource as the source',
    fires: `${NETWORK}${rule('{ name: r, sourceResource: { network_resource: prod/db }, destinations: [office], protocol: tcp }')}`,
    silent: `${NETWORK}${PEERS}${rule('{ name: r, sourceResource: { peer: laptop }, destinations: [office], protocol: tcp }')}`,
    says: ['`prod/db`', 'matches nobody'],
    at: '12:36',
  },
  {
    code: 'UNROUTED',
    what: 'a network resource without an enabled router',
    fires: NETWORK.replace('masquerade: true', 'masquerade: true, enabled: false').replace(
      'groups: [office] }',
      'groups: [office], enabled: false }',
    ),
    silent: NETWORK,
    says: ['`prod/db`', '`prod`', 'is unreachable'],
    at: '6:9',
  },
  {
    code: 'RANGE_OLD_AGENT',
    what: 'a range of ports between peers, the version not demanded',
    fires: `${GROUPS}${CHECKS}${rule('{ name: r, sources: [staff], destinations: [dba], protocol: tcp, port_ranges: [{ start: 80, end: 89 }] }', 'source_posture_checks: [old]')}`,
    silent: `${GROUPS}${CHECKS}${rule('{ name: r, sources: [staff], destinations: [dba], protocol: tcp, port_ranges: [{ start: 80, end: 89 }] }', 'source_posture_checks: [new]')}`,
    says: ['80-89', 'older than 0.48'],
    at: '9:87',
  },
  {
    code: 'RANGE_OLD_AGENT',
    what: 'a dropped range, whatever is demanded of sources; not a range of one port',
    fires: `${GROUPS}${CHECKS}${rule('{ name: r, action: drop, sources: [staff], destinations: [dba], protocol: tcp, port_ranges: [{ start: 80, end: 89 }] }', 'source_posture_checks: [new]')}`,
    silent: `${GROUPS}${CHECKS}${rule('{ name: r, action: drop, sources: [staff], destinations: [dba], protocol: tcp, port_ranges: [{ start: 80, end: 80 }] }', 'source_posture_checks: [new]')}`,
    says: ['does not drop'],
    at: '9:101',
  },
  {
    code: 'RANGE_OLD_AGENT',
    what: 'not toward network resources',
    fires: `${GROUPS}${rule('{ name: r, sources: [staff], destinations: [dba], protocol: tcp, port_ranges: [{ start: 80, end: 89 }] }')}`,
    silent: `${NETWORK}${rule('{ name: r, sources: [staff], destinations: [dba], protocol: tcp, port_ranges: [{ start: 80, end: 89 }] }')}`,
    says: ['80-89'],
    at: '6:87',
  },
];

describe('a lint reports its case and not the most similar harmless case', () => {
  test.each(CASES)('$code: $what', ({ code, fires, silent, says, at, dialect }) => {
    const found = foundBy(code, fires, dialect);
    expect(found.map(one => `${one.at?.line}:${one.at?.column}`)).toContain(at);
    const text = found.map(({ message }) => message).join('\n');
    for (const part of says) expect(text).toContain(part);
    expect(found.every(({ severity, hint }) => severity === 'warning' && hint)).toBe(true);
    expect(foundBy(code, silent, dialect)).toEqual([]);
  });
});

test('dialect netbird keeps one rule per policy, so nothing leaks there', () => {
  const leaking = CASES.filter(({ code }) => code === 'RULE_LEAKS');
  expect(leaking.flatMap(({ fires }) => foundBy('RULE_LEAKS', fires, 'netbird'))).toEqual([]);
});

test('a disabled policy is not linted', () => {
  for (const { code, fires } of CASES.filter(({ fires: text }) => text.includes('policies:'))) {
    const disabled = fires.replace('  - name: p\n', '  - name: p\n    enabled: false\n');
    expect(foundBy(code, disabled, 'spec'), code).toEqual([]);
  }
});
