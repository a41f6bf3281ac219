// A drawn account on an emulator whose machines use some of it, what was observed of that, and what really happened.
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
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
import { checkBody, policyBody, routeBody, ruleBody } from '../../emulator/bodies.ts';
import { type Emulated, idOf, standing } from '../../emulator/emulated.ts';
import type { Truth } from '../../support/servers/traffic.ts';
import { testFailures } from './testFailures.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const DAYS = 31;

/** Between the name of a policy and that of one of its rules. */
const SEPARATOR = ' / ';

export interface DrawnRule {
  readonly name: string;
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
  /** The network resource that stands in the place of the destination groups. */
  readonly resource?: string;
  readonly protocol: string;
  readonly ports: readonly string[];
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  readonly isBidirectional: boolean;
}

/** A policy of the files. The server keeps each of several rules as a policy of its own. */
export interface DrawnPolicy {
  readonly name: string;
  readonly ids: readonly string[];
  readonly rules: readonly DrawnRule[];
  readonly isChecked: boolean;
}

/** A route by group d. */
export interface DrawnRoute {
  readonly name: string;
  readonly id: string;
  readonly network: string;
  readonly distribution: readonly string[];
  readonly accessControl: readonly string[];
}

/** An access test with one line. */
interface DrawnTest {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** What files declare of an account besides its machines, groups and networks. */
export interface DrawnFiles {
  readonly policies: readonly DrawnPolicy[];
  /** The policies that one `for_each` makes: all with the same rules. */
  readonly repeated: readonly DrawnPolicy[];
  readonly routes: readonly DrawnRoute[];
  readonly tests: readonly DrawnTest[];
}

export interface DrawnAccount extends DrawnFiles {
  readonly api: Emulated;
  /** The files that declare it, with these policies, routes and tests or others. */
  readonly textOf: (files?: Partial<DrawnFiles>) => string;
  /** By group, the ids of its machines. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The ids of the machines that pass the posture check. */
  readonly recent: ReadonlySet<string>;
  /** The ids of the machines that route the network and the routes. */
  readonly routers: readonly string[];
  readonly resourceGroups: ReadonlySet<string>;
  readonly truth: Truth;
  readonly observed: Observed;
}

/** Draws an account, lets its machines live for a month, and hands it over while its server is there. */
export async function withDrawnAccount<T>(
  seed: number,
  use: (account: DrawnAccount) => Promise<T>,
): Promise<T> {
  const { api, end } = await standing({ dialect: 'netbird', clock: () => new Date(START) });
  try {
    return await use(await drawn(api, seed));
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
    machines.push(await api.enrol(`m${at}`, { version: isRecent(at) ? '0.76.0' : '0.74.0' }));
  const recent = new Set(machines.filter((_, at) => isRecent(at)));
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
  for (const name of ['o', 'q']) ids.set(name, await api.make('/api/groups', { name, peers: [] }));
  const idsOf = (names: readonly string[]) => names.map(name => ids.get(name));
  const routes: DrawnRoute[] = [];
  for (let at = 0; at < 2; at++) {
    const name = `way${at}`;
    const route = {
      name,
      network: `10.3${at}.0.0/16`,
      distribution: some(['a', 'b', 'c'], 2),
      accessControl: some(['o', 'q'], 2),
    };
    const body = routeBody({
      description: '',
      network_id: name,
      network: route.network,
      peer_groups: idsOf(['d']),
      groups: idsOf(route.distribution),
      access_control_groups: idsOf(route.accessControl),
    });
    routes.push({ ...route, id: await api.make('/api/routes', body) });
  }
  const check = await api.make(
    '/api/posture-checks',
    checkBody({ nb_version_check: { min_version: '0.75.0' } }, { name: 'recent' }),
  );
  const draw: Draw = { below, some, random };
  const policies: DrawnPolicy[] = [];
  const create = async ({ name, rules, isChecked }: Omit<DrawnPolicy, 'ids'>) => {
    const made: string[] = [];
    for (const rule of rules) {
      const body = ruleBody({
        name: rule.name,
        sources: idsOf(rule.sources),
        destinations: idsOf(rule.destinations),
        protocol: rule.protocol,
        bidirectional: rule.isBidirectional,
        ...(rule.ports.length > 0 && { ports: rule.ports }),
        ...(rule.ranges.length > 0 && { port_ranges: rule.ranges }),
      });
      const called = rules.length > 1 ? `${name}${SEPARATOR}${rule.name}` : name;
      const checks = { source_posture_checks: isChecked ? [check] : [] };
      made.push(await api.make('/api/policies', policyBody([body], { name: called, ...checks })));
    }
    return { name, ids: made, rules, isChecked };
  };
  for (let at = 0; at < 7; at++) {
    const isChecked = below(4) === 0;
    const rules = Array.from({ length: 1 + below(2) }, (_, nth) => drawnRule(at, nth, draw));
    policies.push(await create({ name: `p${at}`, rules, isChecked }));
  }
  // Every second account has policies of one `for_each`, every third one access tests.
  const repeated: DrawnPolicy[] = [];
  const rules = seed % 2 === 1 ? [drawnRule(below(3), 0, draw)] : [];
  for (const each of rules.length > 0 ? EACH : [])
    repeated.push(await create({ name: `twice ${each}`, rules, isChecked: false }));
  const wanted = seed % 3 === 1 ? policies.map(policy => drawnTest(policy, draw)) : [];
  await switchLogOn(api);
  const plan = { seed, days: DAYS, usage: 40, off: 5, kernel: 30, quiet: 0, refused: 10 };
  const truth = (await api.control('POST', '/emulator/traffic-days', plan)) as Truth;
  const state = await stateOf(api);
  const files = { policies, repeated, routes };
  const textWith = (other: Partial<DrawnFiles>) =>
    filesText({ members, machines, ...files, tests: [], ...other });
  // A posture check or a missing router may stand against what a rule says.
  const isPassed = (one: DrawnTest) => testFailures(textWith({ tests: [one] }), state).length === 0;
  const tests = wanted.filter(isPassed).slice(0, 3);
  const textOf = (other: Partial<DrawnFiles> = {}) => textWith({ tests, ...other });
  const resourceGroups = new Set(['r', 's']);
  const watched = observedIn(truth, state);
  const observed = seed % 2 === 0 ? withShortLived(watched, policies, { members, below }) : watched;
  const known = { members, recent, routers, resourceGroups, truth, observed };
  return { ...files, tests, api, textOf, ...known };
}

/** Whether a machine passes the posture check. */
const isRecent = (at: number): boolean => at % 2 === 1;

interface Draw {
  readonly below: (count: number) => number;
  readonly some: <T>(list: readonly T[], most: number) => T[];
  readonly random: () => number;
}

// Of the policies, one in three leads to network resources, and one in three to what is behind routes.
function drawnRule(policy: number, nth: number, { below, some, random }: Draw): DrawnRule {
  const among =
    [
      ['r', 's'],
      ['a', 'b', 'c', 'd'],
      ['o', 'q', 'd'],
    ][policy % 3] ?? [];
  const protocol = ['tcp', 'udp', 'all', 'tcp'][below(4)] ?? 'tcp';
  const isRanged = protocol !== 'all' && random() < 0.25;
  const start = 1_000 + below(100);
  return {
    name: `r${nth}`,
    sources: some(['a', 'b', 'c'], 2),
    destinations: some(among, 2),
    protocol,
    ports: protocol === 'all' || isRanged ? [] : some(['22', '80', '443', '8443'], 3),
    ranges: isRanged ? [{ start, end: start + below(40) }] : [],
    isBidirectional: policy % 3 === 1 && random() < 0.3,
  };
}

/** The keys of the entries of `for_each`. */
const EACH = ['x', 'y'];

// That one of a policy's sources reaches one of its destinations by a port of it.
function drawnTest({ rules }: DrawnPolicy, { below, some }: Draw): DrawnTest {
  const [rule] = some(rules, 1);
  if (rule === undefined) throw new Error('a policy has rules');
  const { sources, destinations, protocol, ports, ranges } = rule;
  const listed = [...ports.map(Number), ...ranges.map(({ start }) => start)];
  const [from = ''] = some(sources, 1);
  const [to = ''] = some(destinations, 1);
  const port = listed[below(listed.length)] ?? 22;
  return { from, to, protocol: protocol === 'udp' ? 'udp' : 'tcp', port };
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

/** All that access depends on in an account. */
export async function stateOf(api: Emulated) {
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

function filesText({
  members,
  machines,
  policies,
  repeated,
  routes,
  tests,
}: DrawnFiles & Pick<DrawnAccount, 'members'> & { readonly machines: readonly string[] }): string {
  const groups = [...members].map(([name, ids]) => {
    const peers = ids.map(id => `m${machines.indexOf(id)}`);
    return `  - { name: ${name}, peers: ${listText(peers)} }\n`;
  });
  const declared = [...policies.map(policy => policyText(policy)), ...repeatedTexts(repeated)];
  return `peers: ${listText(machines.map((_, at) => `{ name: m${at} }`))}
groups:
${groups.join('')}  - { name: r }
  - { name: s }
  - { name: o }
  - { name: q }
posture_checks:
  - { name: recent, checks: { nb_version_check: { min_version: 0.75.0 } } }
networks:
  - name: net
    resources:
      - { name: r1, address: 10.9.0.1/32, groups: [r] }
      - { name: r2, address: 10.9.1.1/32, groups: [r] }
      - { name: s1, address: 10.9.2.1/32, groups: [s] }
    routers: [{ peer_groups: [d], metric: 9999, masquerade: true }]
${sectionText('routes', routes.map(routeText))}${sectionText('policies', declared)}${testsText(tests)}`;
}

const sectionText = (name: string, objects: readonly string[]): string =>
  objects.length > 0 ? `${name}:\n${objects.join('')}` : `${name}: []\n`;

const listText = (some: readonly string[]): string => `[${some.join(', ')}]`;

const routeText = ({ name, network, distribution, accessControl }: DrawnRoute): string =>
  `  - { network_id: ${name}, network: ${network}, peer_groups: [d], groups: ${listText(distribution)}, access_control_groups: ${listText(accessControl)}, masquerade: true }\n`;

function policyText({ name, rules, isChecked }: Omit<DrawnPolicy, 'ids'>, more = ''): string {
  const checks = isChecked ? '    source_posture_checks: [recent]\n' : '';
  return `  - name: ${name}\n${more}${checks}    rules:\n${rules.map(ruleText).join('')}`;
}

function repeatedTexts([policy]: readonly DrawnPolicy[]): readonly string[] {
  if (policy === undefined) return [];
  const name = `twice ${'$'}{each.key}`;
  return [policyText({ ...policy, name }, `    for_each: ${listText(EACH)}\n`)];
}

function testsText(tests: readonly DrawnTest[]): string {
  const lines = tests.map(
    ({ from, to, protocol, port }, at) =>
      `  - { name: t${at}, from: group/${from}, allow: ["group/${to}:${protocol}/${port}"] }\n`,
  );
  return lines.length > 0 ? `access_tests:\n${lines.join('')}` : '';
}

function ruleText({
  name,
  protocol,
  ports,
  ranges,
  isBidirectional,
  sources,
  destinations,
  resource,
}: DrawnRule): string {
  const quoted = ports.map(port => `"${port}"`);
  const spans = ranges.map(({ start, end }) => `{ start: ${start}, end: ${end} }`);
  const more = [
    ports.length > 0 ? `ports: ${listText(quoted)}, ` : '',
    ranges.length > 0 ? `port_ranges: ${listText(spans)}, ` : '',
    isBidirectional ? 'bidirectional: true, ' : '',
  ];
  const to = resource
    ? `destinationResource: { network_resource: ${resource} }`
    : `destinations: ${listText(destinations)}`;
  return `      - { name: ${name}, protocol: ${protocol}, ${more.join('')}sources: ${listText(sources)}, ${to} }\n`;
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

/** The id of a machine that is in no state. */
export const SHORT_LIVED = 'short-lived';

// One policy between machines was used by a machine that came and went between two observations: no state has it. The machine that it
// reached reported the flow, among others of that day.
function withShortLived(
  { flows, states, ...observed }: Observed,
  policies: readonly DrawnPolicy[],
  { members, below }: Pick<DrawnAccount, 'members'> & Pick<Draw, 'below'>,
): Observed {
  const rules = policies.flatMap(({ rules: own }) => own);
  const rule = rules[below(rules.length)];
  const reportedBy = (id: string) => Array.from(observed.machines.get(id)?.reported ?? []);
  const to = rule?.destinations
    .flatMap(name => members.get(name) ?? [])
    .filter(id => reportedBy(id).length > 0);
  const destination = to?.[below(to.length)];
  if (rule === undefined || destination === undefined) return { flows, states, ...observed };
  const days = reportedBy(destination);
  const port = [...rule.ports.map(Number), ...rule.ranges.map(({ start }) => start), 7].at(0) ?? 7;
  const day = days[below(days.length)] ?? 0;
  const time = day * DAY_MS;
  const flow: ObservedFlow = {
    source: { type: 'machine', id: SHORT_LIVED },
    destination: { type: 'machine', id: destination },
    protocol: rule.protocol === 'udp' ? 17 : 6,
    port,
    direction: 'in',
    first: time,
    last: time,
    days: new Map([[day, { starts: 1, drops: 0 }]]),
    reporters: [destination],
    states: [0],
    policies: [],
  };
  return { ...observed, states, flows: flows.concat(flow) };
}

/** The destination of a flow as the log has it. */
export function endpointOf(reached: TrueFlow['destination']): Endpoint {
  if (reached.type === 'machine') return { type: 'machine', id: reached.id };
  const { type, id, address } = reached;
  return type === 'route' ? { type: 'address', address } : { type: 'resource', id, address };
}
