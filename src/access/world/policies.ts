// Policies with their rules as sets of members and of traffic.
import { type Bits, bitsOf, noBits } from '../sets/bits.ts';
import {
  ALL_TRAFFIC,
  type Interval,
  NO_TRAFFIC,
  portsOf,
  SPAN,
  type Traffic,
} from '../sets/traffic.ts';
import type { Policy, PortRange, Rule, Side } from '../state/accessState.ts';

export interface CompiledPolicy {
  readonly policy: Policy;
  readonly rules: readonly CompiledRule[];
}

export interface CompiledRule {
  /** A number that no other rule of the world has. */
  readonly number: number;
  readonly policy: Policy;
  readonly rule: Rule;
  /** Whether it counts: the rule and its policy are enabled. */
  readonly isActive: boolean;
  readonly sources: Bits;
  /** Machines only. What a rule names of networks is looked up where resources are. */
  readonly destinations: Bits;
  /** What it means to a machine whose agent understands port ranges, and to routers. */
  readonly traffic: Traffic;
  /** What is left of it for an older agent. */
  readonly trafficOfOldAgents: Traffic;
}

/** What policies are compiled against. */
interface Members {
  readonly size: number;
  readonly machineOf: (key: string) => number | undefined;
  readonly inGroups: (groups: readonly string[]) => Bits;
}

/** Policies as sets. */
export function compiledPolicies(
  policies: readonly Policy[],
  members: Members,
): readonly CompiledPolicy[] {
  let next = 0;
  return policies.map(policy => ({
    policy,
    rules: policy.rules.map(rule => ({
      ...{ number: next++, policy, rule, isActive: policy.isEnabled && rule.isEnabled },
      sources: membersOf(rule.source, members),
      destinations: membersOf(rule.destination, members),
      traffic: trafficOf(rule, rule.ranges),
      trafficOfOldAgents: trafficOf(rule, rule.ranges.filter(isSinglePort)),
    })),
  }));
}

// A resource on either side is no machine.
function membersOf(side: Side, { size, machineOf, inGroups }: Members): Bits {
  if (side.type === 'groups') return inGroups(side.groups);
  const index = side.type === 'machine' ? machineOf(side.machine) : undefined;
  return index === undefined ? noBits(size) : bitsOf(size, [index]);
}

function trafficOf(
  { protocol, ports, ranges: written }: Rule,
  ranges: readonly PortRange[],
): Traffic {
  if (protocol === 'icmp') return [SPAN.icmp];
  const intervals = ports.length > 0 ? ports.map(portOf) : ranges.map(rangeOf);
  const everyPort = ports.length === 0 && written.length === 0;
  const of = (one: 'tcp' | 'udp') => (everyPort ? [SPAN[one]] : portsOf(one, intervals));
  if (protocol === 'udp') return of('udp');
  if (protocol !== 'all') return of('tcp');
  return everyPort ? ALL_TRAFFIC : [...of('tcp'), ...of('udp'), SPAN.icmp];
}

const NOTHING: Interval = { from: 1, to: 0 };

function portOf(text: string): Interval {
  const port = Number(text);
  return Number.isInteger(port) ? { from: port, to: port } : NOTHING;
}

// The server writes the range from 0 to 0 where it means every port.
function rangeOf({ start, end }: PortRange): Interval {
  return start === 0 && end === 0 ? { from: 0, to: 0xffff } : { from: start, to: end };
}

const isSinglePort = ({ start, end }: PortRange): boolean => start === end;

/** What a rule means to a router: `netbird-ssh` is refused there. */
export function routedTraffic({ rule, traffic }: CompiledRule): Traffic {
  return rule.protocol === 'netbird-ssh' ? NO_TRAFFIC : traffic;
}
