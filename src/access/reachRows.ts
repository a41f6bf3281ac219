// Reach as rows of ids, `[source, destination, via, allowed]`, for current machines only.
import { accountReach } from './accountReach.ts';
import { indexesIn } from './sets/bits.ts';
import { type Row, trafficFrom } from './sets/row.ts';
import { rowPool } from './sets/rowPool.ts';
import { SPAN, type Traffic } from './sets/traffic.ts';
import { portsText } from './sets/trafficText.ts';
import type { AccessState } from './state/accessState.ts';
import { type World, worldOf } from './world/world.ts';

/** The allowed ports and ranges by protocol, separated by commas; a protocol without allowed traffic is absent. */
interface Allowed {
  readonly icmp?: true;
  readonly tcp?: string;
  readonly udp?: string;
}

/** `via` is the id of the routing machine; null if the destination is a machine. */
export type ReachRow = readonly [
  source: string,
  destination: string,
  via: string | null,
  allowed: Allowed,
];

/**
 * The rows of an account, sorted by source, destination and `via`. Posture is judged by the visible
 * facts only.
 */
export function* reachRows(state: AccessState): Generator<ReachRow> {
  const world = worldOf(state);
  const targets = targetsOf(world).sort(byDestination);
  for (const [source, id] of idsIn(world).sort(([, one], [, other]) => (one < other ? -1 : 1))) {
    for (const { destination, via, row, index } of targets) {
      const allowed = index === source ? [] : trafficFrom(row, source);
      if (allowed.length > 0) yield [id, destination, via, allowedOf(allowed)];
    }
  }
}

/** A machine, or a destination behind a routing machine. */
interface Target {
  readonly destination: string;
  readonly via: string | null;
  /** The index of the destination; absent if it is not a machine. */
  readonly index?: number;
  readonly row: Row;
}

function targetsOf(world: World): Target[] {
  const reach = accountReach(world, 'seen', rowPool());
  const ids = new Map(idsIn(world));
  const machines = [...ids].map(([index, destination]) => ({
    destination,
    via: null,
    index,
    row: reach.machines.rowAt(index),
  }));
  const passages = reach.passageRows().flatMap(({ address, router, row }) => {
    const via = ids.get(router);
    return via === undefined ? [] : [{ destination: address, via, row }];
  });
  return [...machines, ...passages].filter(({ row }) => row.length > 0);
}

function idsIn(world: World): [index: number, id: string][] {
  return [...indexesIn(world.today)].map(index => {
    const machine = world.machineAt(index);
    return [index, machine?.id ?? machine?.key ?? ''];
  });
}

function byDestination(one: Target, other: Target): number {
  if (one.destination !== other.destination) return one.destination < other.destination ? -1 : 1;
  return (one.via ?? '') < (other.via ?? '') ? -1 : 1;
}

function allowedOf(traffic: Traffic): Allowed {
  const tcp = portsText(traffic, 'tcp');
  const udp = portsText(traffic, 'udp');
  return {
    ...(traffic.some(({ from }) => from === SPAN.icmp.from) && { icmp: true as const }),
    ...(tcp !== '' && { tcp }),
    ...(udp !== '' && { udp }),
  };
}
