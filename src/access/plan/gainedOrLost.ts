// Splits a change that both gives and removes access into its two halves.
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import { joinedIntervals, type Traffic, without } from '../sets/traffic.ts';
import { trafficIn, trafficOf } from '../sets/trafficText.ts';
import { portsOf } from './changeEntry.ts';

/** The access that a change gives, without the access that it removes. */
export function onlyGained(entry: AccessChangeEntry): AccessChangeEntry {
  const { gains: _, loses: __, ports_before, ports_after, ports_if_passed = [], ...most } = entry;
  const { no_router_before: ___, ...rest } = most;
  const all = portsIn(entry, [...ports_before, ...ports_after, ...ports_if_passed]);
  const { summed } = rest;
  return {
    ...rest,
    change: 'gained',
    ports_before,
    ports_after: portsOf(all, entry.protocol),
    ...(summed && { summed: { ...summed, lost: [] } }),
  };
}

/** The access that a change removes, without the access that it gives. */
export function onlyLost(entry: AccessChangeEntry): AccessChangeEntry {
  const { gains: _, loses: __, ports_if_passed: ___, summed, ...most } = entry;
  const { no_router_before: ____, ...all } = most;
  const taken = { ...all, ...(summed && { summed: { ...summed, gained: [] } }) };
  if (entry.change === 'lost') return taken;
  const { ports_before, ports_after, posture_before, ...rest } = taken;
  const before = portsIn(entry, ports_before);
  const left = without(before, without(before, portsIn(entry, ports_after)));
  const { posture } = rest;
  return {
    ...rest,
    change: 'lost',
    ports_before,
    ports_after: portsOf(left, entry.protocol),
    // Lost access is shown with its conditions before the plan.
    ...(posture_before && { posture: posture_before }),
    ...(posture_before && posture && { posture_after: posture }),
  };
}

/** Ports of a change as traffic. */
export const portsIn = ({ protocol }: AccessChangeEntry, ports: readonly string[]): Traffic =>
  joinedIntervals(ports.flatMap(port => trafficOf(wordOf(protocol, port)) ?? []));

function wordOf(protocol: AccessChangeEntry['protocol'], port: string): string {
  if (protocol === 'all') return '*';
  return protocol === 'icmp' ? protocol : `${protocol}/${port}`;
}

/**
 * The traffic that a change removes. For an entry that sums up many changes, the traffic that any
 * of its pairs loses.
 */
export function lostTraffic(entry: AccessChangeEntry): Traffic {
  const { protocol, summed, ports_before, ports_after } = entry;
  if (summed === undefined || protocol === 'all')
    return without(portsIn(entry, ports_before), portsIn(entry, ports_after));
  return trafficIn(summed.lost, protocol);
}
