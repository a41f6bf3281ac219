// The rules that grant a flow, with the routing machines between source and target.
import type { AccountReach } from '../accountReach.ts';
import type { Target } from '../flows/targets.ts';
import type { Delivery } from '../routed/delivery.ts';
import { type Bits, count, has, intersect } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import { overlap, type Traffic } from '../sets/traffic.ts';
import type { Route } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';

/** An accept rule, or a route that is open to all. */
export interface Grant {
  readonly compiled?: CompiledRule;
  readonly isReverse: boolean;
  readonly openRoute?: Route;
  /** The routing machines; empty if both sides are machines. */
  readonly routers: readonly number[];
}

interface Granted {
  readonly sources: Bits;
  readonly traffic: Traffic;
}

/** A string that is the same for equal grants. */
export function grantText({ compiled, isReverse, openRoute, routers }: Grant): string {
  return `${compiled?.number} ${isReverse} ${openRoute?.key} ${routers.join()}`;
}

/** The grants for some traffic of some sources to a target. */
export function grantsOf(reach: AccountReach, target: Target, granted: Granted): readonly Grant[] {
  if (target.type !== 'machine') return routedGrants(reach, target.id, granted);
  return reach.machines
    .inboundAt(target.index)
    .filter(({ entry }) => accepts(entry, granted))
    .map(({ compiled, isReverse }) => ({ compiled, isReverse, routers: [] }));
}

/** The drop rules that affect some traffic of some sources to a machine. */
export function dropsOf(
  reach: AccountReach,
  target: Target,
  { traffic, sources }: Granted,
): readonly Pick<Grant, 'compiled' | 'isReverse'>[] {
  if (target.type !== 'machine') return [];
  return reach.machines
    .inboundAt(target.index)
    .filter(
      ({ entry }) =>
        entry.isDrop && overlap(entry.traffic, traffic) && intersect(entry.sources, sources),
    );
}

function accepts({ isDrop, traffic, sources }: PooledEntry, granted: Granted): boolean {
  return !isDrop && overlap(traffic, granted.traffic) && intersect(sources, granted.sources);
}

// A routing machine applies all its rules for an address, for whichever resource or route the
// traffic is.
function routedGrants(reach: AccountReach, id: string, granted: Granted): readonly Grant[] {
  const received = reach.deliveriesOf(id).filter(one => intersect(one.receivers, granted.sources));
  const passages = received.flatMap(({ address, router }) =>
    reach.deliveriesThrough(router, address),
  );
  const found = new Map<CompiledRule | Route, number[]>();
  const note = (key: CompiledRule | Route, router: number) => {
    const routers = found.get(key) ?? [];
    if (!routers.includes(router)) routers.push(router);
    found.set(key, routers);
  };
  for (const delivery of new Set(passages)) {
    const route = openRouteOf(delivery);
    if (route && !isOnlyItself(granted.sources, delivery.router)) note(route, delivery.router);
    for (const { compiled, entry } of delivery.entries)
      if (accepts(entry, granted)) note(compiled, delivery.router);
  }
  const opened = reach
    .openedRules(id)
    .filter(
      ({ traffic, sources }) =>
        overlap(traffic, granted.traffic) && intersect(sources, granted.sources),
    );
  return [
    ...[...found].map(([key, routers]) =>
      'number' in key
        ? { compiled: key, isReverse: false, routers }
        : { openRoute: key, isReverse: false, routers },
    ),
    ...opened.map(compiled => ({ compiled, isReverse: false, routers: [] })),
  ];
}

function openRouteOf({ what, isOpen }: Delivery): Route | undefined {
  return isOpen && what.type === 'route' ? what.route : undefined;
}

function isOnlyItself(sources: Bits, router: number): boolean {
  return has(sources, router) && count(sources) === 1;
}
