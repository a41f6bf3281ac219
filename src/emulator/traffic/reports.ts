// The reports of a connection: which machines report it, and in which form. A connection between machines is reported by both. A
// connection to a routed address is reported by the machine that started it and the machine that routes it. Only the receiving
// side, and only if it filters in user space, knows the policy or reports a drop. For the other side, a refused attempt looks
// like any start.

import type { Environment } from '../environment.ts';
import type { EndpointRecord, FlowRecord, TrafficSums } from '../records/logs.ts';
import type { PeerRecord } from '../records/peers.ts';
import { type Account, settingsOf } from '../store/account.ts';
import { SECOND } from '../time/times.ts';
import { drawsAbout } from './chance.ts';
import type { ConnectionAttempt } from './connection-attempt.ts';
import { addressEndpoint, hostAndPort, peerEndpoint, resourceEndpoint } from './endpoints.ts';
import { COUNTS, keyOfSum, reportsSums, WINDOW, withoutPort } from './sums.ts';
import type { Mode, TrafficPlan } from './trafficSettings.ts';

/** A record that has no number yet. */
export type Report = Omit<FlowRecord, 'id'>;

/** The reports of connections, and for each connection the machines that reported it. */
export interface Reports {
  readonly records: readonly Report[];
  readonly reporters: ReadonlyMap<ConnectionAttempt, readonly PeerRecord[]>;
}

/** The modes of machines by id. */
type Modes = ReadonlyMap<string, Mode>;

const NUMBERS = { icmp: 1, tcp: 6, udp: 17 } as const;

/** The number of a protocol. */
export function numberOf({ protocol }: Pick<ConnectionAttempt, 'protocol'>): number {
  return NUMBERS[protocol];
}

/** The traffic that may be reported. */
interface ReportedTraffic {
  readonly happenings: readonly ConnectionAttempt[];
  readonly modes: Modes;
  readonly plan: TrafficPlan;
}

/** The reports of the machines of an account, depending on their modes. */
export function reportsOf(
  account: Account,
  { happenings, modes, plan }: ReportedTraffic,
  environment: Environment,
): Reports {
  const isReporting = newReporting(account, modes, environment);
  const isCounting = settingsOf(account).network_traffic_packet_counter_enabled;
  const reporters = new Map<ConnectionAttempt, readonly PeerRecord[]>();
  const flows: Report[] = [];
  const sums = newSums(plan, environment);
  for (const happening of happenings) {
    const found: PeerRecord[] = [];
    for (const [isReceiver, peer] of [
      [false, happening.source],
      [true, happening.hop],
    ] as const) {
      const isInKernel = modes.get(peer.id) === 'kernel';
      // Nothing reports traffic that the kernel refuses.
      const isUnseen = isReceiver && isInKernel && !happening.isAdmitted;
      if (!isReporting(peer) || isUnseen) continue;
      found.push(peer);
      const seen = { peer, isReceiver, isInKernel, hasCounts: isCounting || !isInKernel };
      const report = reportOf(account, happening, seen, plan);
      if (reportsSums(peer, environment)) sums.add(report);
      else flows.push({ ...report, flow_id: environment.newId() });
    }
    reporters.set(happening, found);
  }
  return { records: [...flows, ...sums.all()], reporters };
}

/**
 * Returns a function that decides whether a machine reports: its mode and the settings of the account must allow it. Dialect
 * `spec` has no such settings.
 */
function newReporting(
  account: Account,
  modes: Modes,
  { behaviour }: Environment,
): (peer: PeerRecord) => boolean {
  const settings = settingsOf(account);
  const groups = settings.network_traffic_logs_groups ?? [];
  const isOn = !behaviour.furtherPaths || settings.network_traffic_logs_enabled;
  const members = new Set(groups.flatMap(id => account.groups.get(id)?.peers ?? []));
  return ({ id }) => isOn && modes.get(id) !== 'off' && (groups.length === 0 || members.has(id));
}

interface Seen {
  readonly peer: PeerRecord;
  readonly isReceiver: boolean;
  readonly isInKernel: boolean;
  readonly hasCounts: boolean;
}

function reportOf(
  account: Account,
  happening: ConnectionAttempt,
  { peer, isReceiver, isInKernel, hasCounts }: Seen,
  plan: TrafficPlan,
): Report {
  const { source, hop, address, port, protocol, at, lasts, salt, isAdmitted, target } = happening;
  const draws = drawsAbout(plan.seed, 'report', peer.id, salt);
  const isRefusing = isReceiver && !isAdmitted;
  const isTold = isReceiver && !isInKernel;
  const { id = '', name = '' } = (isTold && happening.policies[0]) || {};
  const user = account.users.get(source.user_id);
  const event = (type: string, time: number) => ({
    type,
    timestamp: new Date(time).toISOString(),
  });
  const sourcePort = protocol === 'icmp' ? 0 : 32_768 + (salt % 28_000);
  const count = (most: number) => (hasCounts && isAdmitted ? draws.below(most) : 0);
  return {
    connection_type: target.type === 'machine' ? 'P2P' : 'ROUTED',
    flow_id: '',
    reporter_id: isReceiver ? hop.id : source.id,
    direction: isReceiver ? 'INGRESS' : 'EGRESS',
    source: peerEndpoint(account, source, `${source.ip}:${sourcePort}`),
    destination: destinationOf(account, happening, hostAndPort(address, port)),
    user: { id: user?.id ?? '', email: user?.email ?? '', name: user?.name ?? '' },
    policy: { id, name },
    icmp: { type: protocol === 'icmp' ? 8 : 0, code: 0 },
    protocol: numberOf(happening),
    rx_bytes: count(100_000),
    rx_packets: count(100),
    tx_bytes: count(100_000),
    tx_packets: count(100),
    events: isRefusing
      ? [event('TYPE_DROP', at)]
      : [event('TYPE_START', at), event('TYPE_END', at + lasts)],
    lag: draws.below(plan.late * SECOND + 1),
  };
}

function destinationOf(
  account: Account,
  { target, dnsLabel }: ConnectionAttempt,
  address: string,
): EndpointRecord {
  if (target.type === 'machine') return peerEndpoint(account, target.peer, address);
  return target.type === 'resource'
    ? resourceEndpoint(target.resource, address, dnsLabel)
    : addressEndpoint(address, dnsLabel);
}

type SummedReport = Report & { readonly sums: TrafficSums };

/** A report with totals of zero, for the window that begins at `start`. */
function emptySum(report: Report, start: number, lag: number): SummedReport {
  const end = start + WINDOW;
  return {
    ...withoutPort(report),
    ...NO_TRAFFIC,
    events: [],
    lag: 0,
    sums: {
      receive_timestamp: new Date(end + lag).toISOString(),
      window_start: new Date(start).toISOString(),
      window_end: new Date(end).toISOString(),
      num_of_starts: 0,
      num_of_ends: 0,
      num_of_drops: 0,
    },
  };
}

const NO_TRAFFIC = { rx_bytes: 0, rx_packets: 0, tx_bytes: 0, tx_packets: 0 };

/** Returns a collector for the sums of newer machines. A sum is reported once, after its window. */
function newSums({ seed, late }: TrafficPlan, environment: Environment) {
  const known = new Map<string, SummedReport>();
  const empty = (report: Report, key: string, start: number): SummedReport => {
    const lag = drawsAbout(seed, 'sum', key).below(late * SECOND + 1);
    return { ...emptySum(report, start, lag), flow_id: environment.newId() };
  };
  const addEvent = (report: Report, { type, timestamp }: Report['events'][number]) => {
    const at = Date.parse(timestamp);
    const start = at - (at % WINDOW);
    const key = keyOfSum(withoutPort(report), new Date(start).toISOString());
    const before = known.get(key) ?? empty(report, key, start);
    const count = COUNTS[type];
    const sums =
      count === undefined ? before.sums : { ...before.sums, [count]: before.sums[count] + 1 };
    known.set(key, {
      ...before,
      rx_bytes: before.rx_bytes + report.rx_bytes,
      rx_packets: before.rx_packets + report.rx_packets,
      tx_bytes: before.tx_bytes + report.tx_bytes,
      tx_packets: before.tx_packets + report.tx_packets,
      sums,
    });
  };
  return {
    add: (report: Report) => {
      const [first, ...later] = report.events;
      if (first !== undefined) addEvent(report, first);
      // The bytes and packets of the report count only once.
      for (const event of later) addEvent({ ...report, ...NO_TRAFFIC }, event);
    },
    all: (): readonly Report[] => [...known.values()],
  };
}
