// Compiles policies: their rules become sets of members and sets of traffic.
import { type Bits, bitsOf, noBits } from '../sets/bits.ts';
import {
  ALL_TRAFFIC,
  type Interval,
  NO_TRAFFIC,
  portsOf,
  SPAN,
  type Traffic,
} from '../sets/traffic.ts';
import type { InternetPort, Policy, PortRange, Rule, Side } from '../state/accessState.ts';

export interface CompiledPolicy {
  readonly policy: Policy;
  readonly rules: readonly CompiledRule[];
}

export interface CompiledRule {
  /** The number of the rule, unique in the compiled state. */
  readonly number: number;
  readonly policy: Policy;
  readonly rule: Rule;
  /** Whether the rule is in effect: the rule and its policy are enabled. */
  readonly isActive: boolean;
  /** The port that the rule opens; absent for a rule of a policy. */
  readonly internetPort?: InternetPort;
  readonly sources: Bits;
  /** The destination machines. Destinations that are network resources are looked up elsewhere. */
  readonly destinations: Bits;
  /** The traffic of the rule, at routers and at machines whose agents understand port ranges. */
  readonly traffic: Traffic;
  /** The part of the traffic that counts for an older agent. */
  readonly trafficOfOldAgents: Traffic;
}

/** The members that are needed to compile policies. */
interface Members {
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
      number: next++,
      policy,
      rule,
      isActive: policy.isEnabled && rule.isEnabled,
      sources: membersOf(rule.source, members),
      destinations: membersOf(rule.destination, members),
      traffic: trafficOf(rule, rule.ranges),
      trafficOfOldAgents: trafficOf(rule, rule.ranges.filter(isSinglePort)),
    })),
  }));
}

// The members of a side. A network resource on a side is not a machine, so it is left out.
function membersOf(side: Side, { machineOf, inGroups }: Members): Bits {
  if (side.type === 'groups') return inGroups(side.groups);
  const index = side.type === 'machine' ? machineOf(side.machine) : undefined;
  return index === undefined ? noBits() : bitsOf([index]);
}

/** The traffic that a rule accepts or drops. */
export const ruleTraffic = (rule: Rule): Traffic => trafficOf(rule, rule.ranges);

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

// The interval of a port range. The server writes the range from 0 to 0 for every port.
function rangeOf({ start, end }: PortRange): Interval {
  return start === 0 && end === 0 ? { from: 0, to: 0xffff } : { from: start, to: end };
}

const isSinglePort = ({ start, end }: PortRange): boolean => start === end;

/** The traffic of a rule at a router. Routers refuse `netbird-ssh`. */
export function routedTraffic({ rule, traffic }: CompiledRule): Traffic {
  return rule.protocol === 'netbird-ssh' ? NO_TRAFFIC : traffic;
}
