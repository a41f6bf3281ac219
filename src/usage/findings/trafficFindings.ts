// Ports, ranges and protocols that are wider than the observed traffic.

import { trafficOf } from '../../access/admitted/flowTraffic.ts';
import { meantPorts } from '../../access/admitted/sshPorts.ts';
import { protocolAt, type TrafficProtocol } from '../../access/sets/traffic.ts';
import type { PortRange } from '../../access/state/accessState.ts';
import { flowCount } from '../attribution/flowCount.ts';
import type { Use } from '../attribution/uses.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence, RuleEvidence } from './evidence.ts';
import { lastText } from './judged.ts';
import { candidate, isRareAmong, unused } from './ruleFindings.ts';

/** Above these numbers a list of ports is harder to read than the range that it replaces. */
const READABLE = { ports: 8, ranges: 3 } as const;

/** A range is split only if at most this share of it was used. */
const SPARSE = 0.25;

/** The findings about the traffic of a used rule. */
export function traffic(one: RuleEvidence, evidence: Evidence): readonly Candidate[] {
  const {
    rule: {
      linted: { rule },
    },
    use,
  } = one;
  if (rule.protocol === 'icmp' || rule.protocol === 'netbird-ssh') return [];
  const used = use.uses.flatMap(pointsOf);
  // A flow without a known port may need any port.
  if (used.some(({ port, protocol }) => port === null && protocol !== 'icmp')) return [];
  if (rule.ports.length > 0) return ports(one, used, evidence);
  if (rule.ranges.length > 0) return ranges(one, used, evidence);
  return everyPort(one, used, evidence);
}

interface UsedPoint {
  readonly each: Use;
  readonly protocol: TrafficProtocol;
  readonly port: number | null;
}

function pointsOf(each: Use): readonly UsedPoint[] {
  const { flow } = each;
  const protocol = protocolAt(trafficOf(flow).from);
  const isToMachine = flow.destination.type === 'machine';
  const meant = isToMachine ? meantPorts(flow.protocol, flow.port) : [flow.port];
  return meant.map(port => ({ each, protocol, port }));
}

function ports(
  one: RuleEvidence,
  used: readonly UsedPoint[],
  evidence: Evidence,
): readonly Candidate[] {
  const { rule, use } = one;
  const all = flowCount(
    use.uses.map(({ flow }) => flow),
    evidence.usedDays,
  );
  return rule.linted.rule.ports.flatMap(port => {
    const own = used.filter(({ port: found }) => found === Number(port));
    const flows = own.map(({ each }) => each.flow);
    const count = flowCount(flows, evidence.usedDays);
    if (own.length > 0 && !isRareAmong(count, all)) return [];
    return candidate(one, evidence, {
      type: 'unused-port',
      what: `port ${port}`,
      observed: own.length === 0 ? unused(evidence) : `last used ${lastText(flows)}`,
      lost: own.map(({ each }) => each),
      narrowing: { takes: 'port', port, rule },
    });
  });
}

function ranges(
  one: RuleEvidence,
  used: readonly UsedPoint[],
  evidence: Evidence,
): readonly Candidate[] {
  const { rule } = one;
  return rule.linted.rule.ranges.flatMap(range => {
    const { start, end } = range;
    const inside = new Set(
      used.flatMap(({ port }) => port ?? []).filter(port => port >= start && port <= end),
    );
    const to = runsOf([...inside]);
    const isNarrow = to.length <= READABLE.ranges && inside.size <= (end - start + 1) * SPARSE;
    if (!isNarrow) return [];
    const isUnused = inside.size === 0;
    return candidate(one, evidence, {
      type: isUnused ? 'unused-port' : 'wide-range',
      what: start === end ? `port ${start}` : `ports ${start}-${end}`,
      observed: isUnused ? unused(evidence) : `only ${rangesText(to)} used`,
      ...(!isUnused && { edit: `keep ${rangesText(to)}` }),
      lost: [],
      narrowing: { takes: 'range', range, to, rule },
    });
  });
}

// A rule has one protocol, or all.
function everyPort(
  one: RuleEvidence,
  used: readonly UsedPoint[],
  evidence: Evidence,
): readonly Candidate[] {
  const { rule } = one;
  const { protocol: declared } = rule.linted.rule;
  const [protocol, ...others] = new Set(used.map(point => point.protocol));
  if (protocol === undefined || others.length > 0) return [];
  if (used.some(({ each }) => isOther(each))) return [];
  const found = [...new Set(used.flatMap(({ port }) => port ?? []))].sort((a, b) => a - b);
  const isListed = protocol !== 'icmp' && found.length <= READABLE.ports;
  if (protocol === declared && !isListed) return [];
  const listed = isListed ? found.map(String) : [];
  const left = listed.length === 0 ? protocol : `${protocol} ${listed.join(', ')}`;
  return [
    candidate(one, evidence, {
      type: 'wide-protocol',
      what: declared === 'all' ? 'every protocol' : `every ${declared} port`,
      observed: `only ${left} used`,
      edit: `keep ${left}`,
      lost: [],
      narrowing: { takes: 'traffic', protocol, ports: listed, rule },
    }),
  ];
}

// Protocols other than TCP, UDP and ICMP share the axis of ICMP.
function isOther({ flow: { protocol } }: Use): boolean {
  return (
    protocolAt(trafficOf({ protocol, port: null }).from) === 'icmp' && ![1, 58].includes(protocol)
  );
}

/** Ports as ranges of consecutive ports. */
function runsOf(list: readonly number[]): readonly PortRange[] {
  const runs: { start: number; end: number }[] = [];
  for (const port of list.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.end + 1 === port) last.end = port;
    else runs.push({ start: port, end: port });
  }
  return runs;
}

const rangesText = (list: readonly PortRange[]): string =>
  list.map(({ start, end }) => (start === end ? String(start) : `${start}-${end}`)).join(', ');
