// Observed traffic as a value, for tests: an account as its API answers it, and flows between its objects.
import type { AccessState } from '../../src/access/state/accessState.ts';
import {
  type Counts,
  DAY_MS,
  type Endpoint,
  type MachineDays,
  type Observed,
  type ObservedFlow,
} from '../../src/usage/observed.ts';
import { stateOf } from '../access/names.ts';
import type { Account, Peer, Policy, Route, Rule } from '../access/slow/account.ts';

/** The first day of every observation: 2026-10-01. */
export const FIRST_DAY = Date.UTC(2026, 9, 1) / DAY_MS;

export const machine = (id: string): Endpoint => ({ type: 'machine', id });
export const resource = (id: string, address?: string): Endpoint => ({
  type: 'resource',
  id,
  ...(address !== undefined && { address }),
});
export const address = (text: string): Endpoint => ({ type: 'address', address: text });

/** Days after the first one, with one start each. */
export const onDays = (...days: readonly number[]): ReadonlyMap<number, Counts> =>
  new Map(days.map(day => [FIRST_DAY + day, { starts: 1, drops: 0 }]));

/** A flow of TCP to port 443 on the first day, in the first state, that both of its ends reported. */
export function flow(
  source: Endpoint,
  destination: Endpoint,
  given: Partial<ObservedFlow> = {},
): ObservedFlow {
  const days = given.days ?? onDays(0);
  const all = [...days.keys()];
  return {
    source,
    destination,
    protocol: 6,
    port: 443,
    direction: 'in',
    first: Math.min(...all) * DAY_MS,
    last: Math.max(...all) * DAY_MS + 3_600_000,
    days,
    reporters: [source, destination].flatMap(end => (end.type === 'machine' ? end.id : [])),
    states: [0],
    policies: [],
    ...given,
  };
}

/** A machine that was connected on each day of the window, and that reported except on some of them. */
export const reporting = (
  days: number,
  except: readonly number[] = [],
  isUserSpace: boolean | null = true,
): MachineDays => {
  const all = Array.from({ length: days }, (_, day) => day);
  return {
    connected: new Set(all.map(day => FIRST_DAY + day)),
    reported: new Set(all.filter(day => !except.includes(day)).map(day => FIRST_DAY + day)),
    isUserSpace,
  };
};

interface Given {
  readonly days?: number;
  readonly machines?: Readonly<Record<string, MachineDays>>;
  readonly gaps?: Observed['gaps'];
}

/** What was observed of these states, by the day since which each held. */
export function observed(
  states: Readonly<Record<number, Account | AccessState>>,
  flows: readonly ObservedFlow[],
  { days = 45, machines = {}, gaps = [] }: Given = {},
): Observed {
  return {
    window: { from: FIRST_DAY * DAY_MS, to: (FIRST_DAY + days) * DAY_MS },
    flows,
    states: Object.entries(states).map(([day, state]) => ({
      from: (FIRST_DAY + Number(day)) * DAY_MS,
      state: 'peers' in state ? stateOf(state) : state,
    })),
    machines: new Map(Object.entries(machines)),
    gaps,
  };
}

const peer = (id: string, name = id, given: Partial<Peer> = {}): Peer => ({
  id,
  name,
  ip: `100.64.0.${id.replaceAll(/\D/g, '')}`,
  version: '0.70.0',
  os: 'Ubuntu 24.04',
  kernel_version: '6.8.0',
  country_code: 'DE',
  city_name: 'Berlin',
  connection_ip: '203.0.113.7',
  approval_required: false,
  login_expired: false,
  ...given,
});

const group = (id: string, name: string, ...peers: readonly string[]) => ({
  id,
  name,
  peers: peers.map(one => ({ id: one })),
});

/** A policy of one rule, from groups to groups, by their ids. */
export const policy = (
  id: string,
  name: string,
  sources: readonly string[],
  destinations: readonly string[],
  given: Partial<Rule> = {},
): Policy => ({
  id,
  name,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: `${id}-rule`,
      name,
      enabled: true,
      action: 'accept',
      bidirectional: false,
      protocol: 'tcp',
      ports: ['443'],
      sources: sources.map(one => ({ id: one })),
      destinations: destinations.map(one => ({ id: one })),
      ...given,
    },
  ],
});

export const route = (id: string, given: Partial<Route>): Route => ({
  id,
  network_id: id,
  enabled: true,
  network: '192.168.7.0/24',
  groups: [],
  ...given,
});

/** Two laptops, two servers, two gateways; laptops reach servers, and the archive behind the gateways. */
export const account = (given: Partial<Account> = {}): Account => ({
  peers: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map((id, at) =>
    peer(id, ['mia', 'noor', 'web-1', 'web-2', 'gate-1', 'gate-2'][at]),
  ),
  groups: [
    group('g0', 'All', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'),
    group('g1', 'laptops', 'p1', 'p2'),
    group('g2', 'servers', 'p3', 'p4'),
    group('g3', 'gateways', 'p5', 'p6'),
    group('g4', 'archives'),
    group('g5', 'contractors', 'p2'),
  ],
  policies: [
    policy('q1', 'laptops to servers', ['g1', 'g5'], ['g2']),
    policy('q2', 'laptops to archives', ['g1'], ['g4']),
  ],
  posture_checks: [],
  routes: [],
  networks: [
    {
      id: 'n1',
      name: 'office',
      resources: [
        {
          id: 'r1',
          name: 'archive',
          address: '10.20.0.0/24',
          enabled: true,
          groups: [{ id: 'g4' }],
        },
      ],
      routers: [{ id: 'x1', enabled: true, peer_groups: ['g3'] }],
    },
  ],
  ...given,
});
