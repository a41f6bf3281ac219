// One access change of a plan as people and programs read it: names, ports, what grants it, and what causes it.
import type { AccessChangeEntry, AccessFlow } from '../../model/access.ts';
import type { Address } from '../../model/names.ts';
import { flowsBetween } from '../ask/flows.ts';
import type { Namer } from '../ask/party.ts';
import { asFlow } from '../ask/shown.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { ChangedProtocol } from '../diff/changedCells.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { ALL_TRAFFIC, type Traffic, without } from '../sets/traffic.ts';
import { rangesOf } from '../sets/trafficText.ts';
import { partakers } from './causes.ts';

export interface Compared {
  readonly before: Reaches;
  readonly after: Reaches;
  readonly namers: { readonly before: Namer; readonly after: Namer };
  /** By object, the changes of the plan that concern it. */
  readonly effective: ReadonlyMap<string, readonly Address[]>;
}

/** A change with names. */
export function entryOf(change: AccessChange, compared: Compared): AccessChangeEntry {
  const { kind, protocol, sources, targets, before, after } = change;
  const { namers, before: was, after: is } = compared;
  const [namer, reaches] = kind === 'lost' ? [namers.before, was] : [namers.after, is];
  const [target] = targets;
  const shown = flowsOf(reaches, namer, change, trafficOf(change));
  const from = namer.party(sources);
  const to = namer.target(targets);
  const posture = shown.find(flow => flow.posture !== undefined)?.posture;
  return {
    ...{ change: kind, from: from.name, to: to.name, protocol },
    ...(to.address !== undefined && { address: to.address }),
    ports_before: portsOf(before?.granted, protocol),
    ports_after: portsOf(after?.granted, protocol),
    machines: from.machines,
    members_to_come: from.members_to_come,
    via: distinct(shown.flatMap(({ via }) => via)),
    ...(posture && { posture }),
    causes: causesOf(change, target, compared),
  };
}

// What is new of a gain, what is gone of a loss, and all of it elsewhere.
function trafficOf({ kind, before, after }: AccessChange): Traffic {
  const [was, is] = [before?.granted ?? [], after?.granted ?? []];
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

function causesOf(
  { sources }: AccessChange,
  target: Target,
  { before, after, effective }: Compared,
): readonly string[] {
  const names = [before, after].flatMap(reaches => partakers(reaches, sources, target));
  const found = names.flatMap(name => effective.get(name) ?? []);
  return [...new Set<string>(found)].sort();
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
