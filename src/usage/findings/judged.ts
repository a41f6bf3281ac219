// Evaluates a finding: which flows would stop if the access were removed, and what the log does not
// show.

import { flowText } from '../../access/admitted/admission.ts';
import { trafficOf } from '../../access/admitted/flowTraffic.ts';
import { protocolAt } from '../../access/sets/traffic.ts';
import { timeText } from '../../model/ending.ts';
import type { FindingState, LostFlow, LostFlows, ObjectUse } from '../../model/tightening.ts';
import { daysOf, flowCount } from '../attribution/flowCount.ts';
import { type Covered, reasonText } from '../coverage/gapReasons.ts';
import { DAY_MS, type Day, dayOf, type Endpoint, type ObservedFlow } from '../observed.ts';
import type { Evidence } from './evidence.ts';

/** The number of flows that a finding gives as examples. */
const EXAMPLES = 3;

/** The state of a finding with its reason and the lost flows. */
export interface JudgedFinding {
  readonly state: FindingState;
  readonly reason?: string;
  readonly lost: LostFlows;
}

/**
 * Evaluates a finding. `lost`: the flows that would stop. `all`: all flows of the rule. `unknown`:
 * flows that may have used the rule.
 */
export function judged(
  {
    lost,
    all,
    unknown,
    covered,
  }: {
    readonly lost: readonly ObservedFlow[];
    readonly all: readonly ObservedFlow[];
    readonly unknown: readonly ObservedFlow[];
    readonly covered: Covered;
  },
  evidence: Evidence,
): JudgedFinding {
  const stopped = lostFlows(lost, all, evidence);
  if (lost.length > 0) return { state: 'decide', lost: stopped };
  const reason =
    unknown.length > 0
      ? 'for some observed flows it is unknown what admitted them'
      : reasonsOf(covered, evidence);
  return reason === undefined
    ? { state: 'certain', lost: stopped }
    : { state: 'unknown', reason, lost: stopped };
}

function reasonsOf({ isCovered, reasons }: Covered, evidence: Evidence): string | undefined {
  const [first, ...others] = reasons;
  if (isCovered) return undefined;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return first
    ? `${reasonText(first, id => machineName(id, evidence))}${more}`
    : 'not everything was observed';
}

function lostFlows(
  lost: readonly ObservedFlow[],
  all: readonly ObservedFlow[],
  evidence: Evidence,
): LostFlows {
  const machines = new Set(
    lost.flatMap(({ source }) => (source.type === 'machine' ? source.id : [])),
  );
  return {
    flows: flowCount(lost, evidence.usedDays),
    of: flowCount(all, evidence.usedDays),
    machines: machines.size,
    examples: examplesOf(lost, evidence),
  };
}

/** A few of these flows, each once, the latest first. */
export function examplesOf(
  flows: readonly ObservedFlow[],
  evidence: Evidence,
): readonly LostFlow[] {
  const latest = new Map(
    flows.toSorted((one, other) => one.last - other.last).map(flow => [flowText(flow), flow]),
  );
  return [...latest.values()]
    .sort((one, other) => other.last - one.last)
    .slice(0, EXAMPLES)
    .map(flow => exampleOf(flow, evidence));
}

/** The use of a rule or route, in its heading. */
export function objectUse(
  flows: readonly ObservedFlow[],
  { machines, reporting }: Covered,
  evidence: Evidence,
): ObjectUse {
  const ofDays = evidence.days;
  return {
    days: Math.min(daysOf(flows, evidence.usedDays).size, ofDays),
    ofDays,
    reporting: reporting.length,
    ofMachines: machines.length,
  };
}

function exampleOf(flow: ObservedFlow, evidence: Evidence): LostFlow {
  const { current } = evidence;
  const nameOf = (end: Endpoint): string => {
    if (end.type === 'address') return end.address;
    if (end.type === 'machine') return machineName(end.id, evidence);
    const resources = current.networks.flatMap(({ resources: own }) => own);
    return resources.find(({ id }) => id === end.id)?.key ?? `id:${end.id}`;
  };
  return {
    source: nameOf(flow.source),
    destination: nameOf(flow.destination),
    protocol: protocolText(flow),
    last: flow.last,
  };
}

const machineName = (id: string, { current }: Evidence): string =>
  current.machines.find(machine => machine.id === id)?.key ?? `id:${id}`;

/** `tcp/443`, `icmp`. */
function protocolText(flow: ObservedFlow): string {
  const protocol = protocolAt(trafficOf(flow).from);
  if (protocol === 'icmp')
    return flow.protocol === 1 || flow.protocol === 58 ? 'icmp' : `protocol ${flow.protocol}`;
  return flow.port === null ? protocol : `${protocol}/${flow.port}`;
}

/** The last day of some flows. */
export const lastText = (flows: readonly ObservedFlow[]): string =>
  dayText(dayOf(flows.reduce((last, flow) => Math.max(last, flow.last), 0)));

/** `2026-10-02`. */
const dayText = (day: Day): string => timeText(day * DAY_MS).slice(0, 10);
