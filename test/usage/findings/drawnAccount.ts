// A drawn account on an emulator whose machines use some of it, what was observed of that, and what really happened.
import { stateOfAnswers } from '../../../src/access/state/ofAnswers.ts';
import { seededRandom } from '../../../src/emulator/index.ts';
import type { TrueFlow } from '../../../src/emulator/traffic/truth.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import {
  DAY_MS,
  dayOf,
  type Endpoint,
  type MachineDays,
  type Observed,
  type ObservedFlow,
} from '../../../src/usage/observed.ts';
import { policyBody, ruleBody } from '../../emulator/bodies.ts';
import { type Emulated, idOf, standing } from '../../emulator/emulated.ts';
import type { Truth } from '../../support/servers/traffic.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const DAYS = 31;

/** A policy with one rule. */
export interface DrawnPolicy {
  readonly name: string;
  readonly id: string;
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
  readonly protocol: string;
  readonly ports: readonly string[];
  readonly isBidirectional: boolean;
}

export interface DrawnAccount {
  /** The files that declare it. */
  readonly text: string;
  readonly policies: readonly DrawnPolicy[];
  /** By group, the ids of its machines. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The ids of the machines that route the network, and its groups of resources. */
  readonly routers: readonly string[];
  readonly resourceGroups: ReadonlySet<string>;
  readonly truth: Truth;
  readonly observed: Observed;
}

/** Draws an account, and lets its machines live for a month. */
export async function drawnAccount(seed: number): Promise<DrawnAccount> {
  const { api, end } = await standing({ dialect: 'netbird', clock: () => new Date(START) });
  try {
    return await drawn(api, seed);
  } finally {
    await end();
  }
}

async function drawn(api: Emulated, seed: number): Promise<DrawnAccount> {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const some = <T>(list: readonly T[], most: number): T[] => {
    const left = [...list];
    return Array.from({ length: 1 + below(most) }, () => left.splice(below(left.length), 1)).flat();
  };
  for (const policy of [await api.get('/api/policies')].flat())
    await api.remove(`/api/policies/${idOf(policy)}`);
  const machines: string[] = [];
  for (let at = 0; at < 8; at++)
    machines.push(await api.enrol(`m${at}`, { version: at % 2 ? '0.76.0' : '0.74.0' }));
  const members = new Map<string, readonly string[]>();
  const ids = new Map<string, string>();
  for (const name of ['a', 'b', 'c', 'd']) {
    const peers = some(machines, 3);
    members.set(name, peers);
    ids.set(name, await api.make('/api/groups', { name, peers }));
  }
  const routers = members.get('d') ?? [];
  const network = await api.make('/api/networks', { name: 'net' });
  const router = { peer_groups: [ids.get('d')], metric: 9999, masquerade: true, enabled: true };
  await api.make(`/api/networks/${network}/routers`, router);
  for (const name of ['r', 's']) ids.set(name, await api.make('/api/groups', { name, peers: [] }));
  const resources = ['r1', 'r2', 's1'];
  for (const [at, name] of resources.entries()) {
    const groups = [ids.get(name.charAt(0))];
    const body = { name, description: '', address: `10.9.${at}.1/32`, enabled: true, groups };
    await api.make(`/api/networks/${network}/resources`, body);
  }
  const policies: DrawnPolicy[] = [];
  for (let at = 0; at < 6; at++) {
    const sources = some(['a', 'b', 'c'], 2);
    const destinations = some(at % 3 === 0 ? ['r', 's'] : ['a', 'b', 'c', 'd'], 2);
    const protocol = ['tcp', 'udp', 'all', 'tcp'][below(4)] ?? 'tcp';
    const ports = protocol === 'all' ? [] : some(['22', '80', '443', '8443'], 3);
    const isBidirectional = at % 3 !== 0 && random() < 0.3;
    const rule = ruleBody({
      name: `p${at}`,
      sources: sources.map(name => ids.get(name)),
      destinations: destinations.map(name => ids.get(name)),
      protocol,
      ports,
      bidirectional: isBidirectional,
    });
    const id = await api.make('/api/policies', policyBody([rule], { name: `p${at}` }));
    policies.push({ name: `p${at}`, id, sources, destinations, protocol, ports, isBidirectional });
  }
  await switchLogOn(api);
  const plan = { seed, days: DAYS, usage: 40, off: 5, kernel: 30, quiet: 0, refused: 10 };
  const truth = (await api.control('POST', '/emulator/traffic-days', plan)) as Truth;
  const state = await stateOf(api);
  const text = textOf(members, machines, policies);
  const resourceGroups = new Set(['r', 's']);
  const observed = observedIn(truth, state);
  return { text, policies, members, routers, resourceGroups, truth, observed };
}

async function switchLogOn(api: Emulated): Promise<void> {
  const [account] = [await api.get('/api/accounts')].flat();
  const extra = {
    peer_approval_enabled: false,
    user_approval_required: false,
    network_traffic_logs_enabled: true,
    network_traffic_logs_groups: [],
    network_traffic_packet_counter_enabled: false,
  };
  const settings = { peer_login_expiration: 86_400, auto_update_version: 'disabled', extra };
  await api.put(`/api/accounts/${idOf(account)}`, { settings });
}

async function stateOf(api: Emulated) {
  const lists = ['peers', 'groups', 'policies', 'posture-checks', 'routes', 'users', 'setup-keys'];
  const answers: Record<string, unknown> = {};
  for (const list of lists) answers[list.replace('-', '_')] = await api.get(`/api/${list}`);
  const networks = [await api.get('/api/networks')].flat();
  answers.networks = await Promise.all(
    networks.map(async network => ({
      ...Object(network),
      resources: await api.get(`/api/networks/${idOf(network)}/resources`),
      routers: await api.get(`/api/networks/${idOf(network)}/routers`),
    })),
  );
  const found = stateOfAnswers(answers as JsonObject);
  if ('faults' in found) throw new Error(found.faults.join('\n'));
  return found.state;
}

function textOf(
  members: ReadonlyMap<string, readonly string[]>,
  machines: readonly string[],
  policies: readonly DrawnPolicy[],
): string {
  const list = (some: readonly string[]) => `[${some.join(', ')}]`;
  const groups = [...members].map(([name, ids]) => {
    const peers = ids.map(id => `m${machines.indexOf(id)}`);
    return `  - { name: ${name}, peers: ${list(peers)} }\n`;
  });
  const rules = policies.map(
    ({ name, sources, destinations, protocol, ports, isBidirectional }) => {
      const quoted = ports.map(port => `"${port}"`);
      const more = `${ports.length > 0 ? `, ports: ${list(quoted)}` : ''}${isBidirectional ? ', bidirectional: true' : ''}`;
      return `  - name: ${name}\n    rules:\n      - { name: ${name}, protocol: ${protocol}${more}, sources: ${list(sources)}, destinations: ${list(destinations)} }\n`;
    },
  );
  return `peers: ${list(machines.map((_, at) => `{ name: m${at} }`))}
groups:
${groups.join('')}  - { name: r }
  - { name: s }
networks:
  - name: net
    resources:
      - { name: r1, address: 10.9.0.1/32, groups: [r] }
      - { name: r2, address: 10.9.1.1/32, groups: [r] }
      - { name: s1, address: 10.9.2.1/32, groups: [s] }
    routers: [{ peer_groups: [d], metric: 9999, masquerade: true }]
policies:
${rules.join('')}`;
}

/** What the log shows of the truth. */
function observedIn(truth: Truth, state: Observed['states'][number]['state']): Observed {
  const flows = new Map<string, ObservedFlow>();
  for (const { source, destination, protocol, port, at, isAdmitted, reporters } of truth.flows)
    for (const reporter of reporters) {
      const end = endpointOf(destination);
      const direction = reporter === source ? 'out' : 'in';
      const time = Date.parse(at);
      const day = dayOf(time);
      const name = JSON.stringify([source, end, protocol, port, direction]);
      const known = flows.get(name);
      const days = new Map(known?.days ?? []);
      const { starts, drops } = days.get(day) ?? { starts: 0, drops: 0 };
      const isRefusal = !isAdmitted && reporter !== source;
      days.set(day, isRefusal ? { starts, drops: drops + 1 } : { starts: starts + 1, drops });
      flows.set(name, {
        source: { type: 'machine', id: source },
        destination: end,
        protocol,
        port: protocol === 1 ? null : port,
        direction,
        first: Math.min(known?.first ?? time, time),
        last: Math.max(known?.last ?? time, time),
        days,
        reporters: [...new Set([...(known?.reporters ?? []), reporter])],
        states: [0],
        policies: [],
      });
    }
  const machines = new Map<string, MachineDays>();
  for (const { id, day, isConnected, isReporting } of truth.machines) {
    const { connected = new Set<number>(), reported = new Set<number>() } = machines.get(id) ?? {};
    const date = dayOf(Date.parse(day));
    machines.set(id, {
      connected: isConnected ? new Set([...connected, date]) : connected,
      reported: isReporting ? new Set([...reported, date]) : reported,
      isUserSpace: null,
    });
  }
  return {
    window: { from: START, to: START + DAYS * DAY_MS },
    flows: [...flows.values()],
    states: [{ from: START, state }],
    machines,
    gaps: [],
  };
}

/** The destination of a flow as the log has it. */
export function endpointOf(reached: TrueFlow['destination']): Endpoint {
  if (reached.type === 'machine') return { type: 'machine', id: reached.id };
  const { type, id, address } = reached;
  return type === 'route' ? { type: 'address', address } : { type: 'resource', id, address };
}
