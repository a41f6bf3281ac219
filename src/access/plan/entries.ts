// An access change of a plan in the form of output: names, ports, granting rules, and causes.
import type { AccessChangeEntry, AccessFlow } from '../../model/access/planAccess.ts';
import { flowsBetween } from '../ask/flows.ts';
import type { Namer } from '../ask/party.ts';
import { asFlow } from '../ask/shown.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { ChangedProtocol } from '../diff/changedCells.ts';
import type { Reaches } from '../flows/reaches.ts';
import { ALL_TRAFFIC, type Traffic, without } from '../sets/traffic.ts';
import { rangesOf } from '../sets/trafficText.ts';
import type { partsIn } from './causes.ts';
import type { CausesOf } from './leftOut.ts';

export interface Compared {
  readonly before: Reaches;
  readonly after: Reaches;
  readonly namers: { readonly before: Namer; readonly after: Namer };
  /** By state, the changes of the plan that are involved in the access of some sources to targets. */
  readonly involved: readonly ReturnType<typeof partsIn>[];
  readonly causes: CausesOf;
}

/** A change with names. */
export function entryOf(change: AccessChange, compared: Compared): AccessChangeEntry {
  const { kind, protocol, sources, targets, before, after } = change;
  const { namers, before: was, after: is } = compared;
  const [namer, reaches] = kind === 'lost' ? [namers.before, was] : [namers.after, is];
  const shown = flowsOf(reaches, namer, change, trafficOf(change));
  const from = namer.party(sources);
  const to = namer.target(targets);
  const posture = shown.find(flow => flow.posture !== undefined)?.posture;
  return {
    change: kind,
    from: from.name,
    to: to.name,
    protocol,
    ...(to.address !== undefined && { address: to.address }),
    ports_before: portsOf(before?.granted, protocol),
    ports_after: portsOf(after?.granted, protocol),
    machines: from.machines,
    members_to_come: from.members_to_come,
    via: distinct(shown.flatMap(({ via }) => via)),
    ...(posture && { posture }),
    ...causesOf(change, compared),
  };
}

// For a gain the new grants, for a loss the removed grants, otherwise all grants.
function trafficOf({ kind, before, after }: AccessChange): Traffic {
  const was = before?.granted ?? [];
  const is = after?.granted ?? [];
  if (kind === 'lost') return before ? without(was, is) : ALL_TRAFFIC;
  if (kind === 'gained') return after ? without(is, was) : ALL_TRAFFIC;
  return after ? is : ALL_TRAFFIC;
}

function flowsOf(
  reaches: Reaches,
  namer: Namer,
  { sources, targets: [target] }: AccessChange,
  traffic: Traffic,
): readonly AccessFlow[] {
  const flows = flowsBetween(reaches, { sources, targets: [target], traffic });
  return flows.map(flow => asFlow(reaches, flow, namer, {}));
}

/** The changes of the plan that cause a change of access. */
export function causesOf(
  change: AccessChange,
  { involved, causes: causesBy }: Compared,
): Pick<AccessChangeEntry, 'causes' | 'one_of'> {
  const { sources, targets, examples = targets.slice(0, 1) } = change;
  const found = involved.flatMap(partsOf => [...partsOf(sources, examples)]);
  const { addresses, isOneOf } = causesBy(change, [...new Set(found)]);
  const causes = [...addresses].sort();
  return isOneOf ? { causes, one_of: true } : { causes };
}

function portsOf(traffic: Traffic | undefined, protocol: ChangedProtocol): readonly string[] {
  if (traffic === undefined || traffic.length === 0) return [];
  if (protocol === 'icmp' || protocol === 'all') return ['*'];
  const ranges = rangesOf(traffic, protocol);
  return ranges.join() === '0-65535' ? ['*'] : ranges;
}

function distinct<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map(item => [JSON.stringify(item), item])).values()];
}
