// A large account, generated from a seed: as many machines, groups, policies and resources as the model must bear.
import type { Account, Group, Policy, Rule } from '../slow/account.ts';

export interface Size {
  readonly machines: number;
  readonly groups: number;
  readonly policies: number;
  readonly resources: number;
}

/** The size that the time and memory of the model are measured at. */
export const LARGE: Size = { machines: 10_000, groups: 1_000, policies: 2_000, resources: 200 };

/** Every machine is in All and in three other groups; a fifth of the policies lead to resources, a third has posture checks. */
export function largeAccount(
  { machines, groups, policies, resources }: Size,
  seed: number,
): Account {
  const draw = drawing(seed);
  const peers = Array.from({ length: machines }, (_, at) => ({
    id: `p${at}`,
    name: `machine-${at}`,
    ip: `100.${64 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
    version: at % 7 === 0 ? '0.40.0' : '0.60.0',
    os: 'Ubuntu 22.04',
    kernel_version: '6.1.0',
    country_code: at % 3 === 0 ? 'DE' : 'PL',
    city_name: '',
    connection_ip: '203.0.113.9',
    approval_required: at % 500 === 1,
    login_expired: at % 400 === 1,
  }));
  const members: string[][] = Array.from({ length: groups }, () => []);
  for (const { id } of peers)
    for (let times = 0; times < 3; times++) members[draw(groups)]?.push(id);
  const listed = members.map(
    (ids, at): Group => ({
      id: `g${at}`,
      name: `group-${at}`,
      peers: [...new Set(ids)].map(id => ({ id })),
    }),
  );
  const networks = Math.max(1, Math.floor(resources / 10));
  return {
    peers,
    groups: [{ id: 'gAll', name: 'All', peers: peers.map(({ id }) => ({ id })) }, ...listed],
    policies: Array.from({ length: policies }, (_, at) => policyOf(at, groups, draw)),
    posture_checks: [
      { id: 'c0', name: 'recent agent', checks: { nb_version_check: { min_version: '0.50.0' } } },
      {
        id: 'c1',
        name: 'places',
        checks: { geo_location_check: { action: 'allow', locations: [{ country_code: 'DE' }] } },
      },
    ],
    routes: Array.from({ length: 20 }, (_, at) => ({
      id: `w${at}`,
      network_id: `route-${at}`,
      enabled: true,
      network: `172.16.${at}.0/24`,
      peer_groups: [`g${draw(groups)}`],
      groups: [`g${draw(groups)}`, 'gAll'],
      ...(at % 2 === 0 && { access_control_groups: [`g${draw(groups)}`] }),
    })),
    networks: Array.from({ length: networks }, (_, at) => ({
      id: `n${at}`,
      name: `network-${at}`,
      resources: Array.from({ length: Math.floor(resources / networks) }, (__, one) => ({
        id: `r${at}-${one}`,
        name: `resource-${at}-${one}`,
        enabled: true,
        address: `10.${at}.${one}.0/24`,
        groups: [{ id: `g${draw(groups)}` }],
      })),
      routers: [{ id: `t${at}`, enabled: true, peer_groups: [`g${draw(groups)}`] }],
    })),
  };
}

function policyOf(at: number, groups: number, draw: (below: number) => number): Policy {
  const refs = (count: number) => Array.from({ length: count }, () => ({ id: `g${draw(groups)}` }));
  const rule: Rule = {
    id: `q${at}r`,
    name: 'rule',
    enabled: at % 20 !== 0,
    bidirectional: at % 6 === 0,
    action: at % 25 === 3 ? 'drop' : 'accept',
    ...(at % 4 === 0 ? { protocol: 'all' } : { protocol: 'tcp', ports: [String(20 + draw(400))] }),
    sources: refs(1 + draw(3)),
    destinations: refs(1 + draw(2)),
  };
  const source_posture_checks = at % 3 === 0 ? [at % 2 === 0 ? 'c0' : 'c1'] : [];
  return {
    id: `q${at}`,
    name: `policy-${at}`,
    enabled: true,
    source_posture_checks,
    rules: [rule],
  };
}

// A linear congruential generator: the same account for the same seed.
function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
