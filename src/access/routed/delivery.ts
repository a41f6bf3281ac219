// What a routing machine delivers: one resource or route, who receives it from there, and which rules the machine has for it.
import type { Bits } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import type { Network, Resource, Route } from '../state/accessState.ts';
import type { CompiledRule } from '../world/policies.ts';

/** A rule as a routing machine has it. */
export interface RoutedEntry {
  readonly compiled: CompiledRule;
  readonly entry: PooledEntry;
}

type Delivered =
  | { readonly type: 'network_resource'; readonly resource: Resource; readonly network: Network }
  | { readonly type: 'route'; readonly route: Route };

export interface Delivery {
  readonly what: Delivered;
  /** The same for one destination as people see it: an address of one network, or of routes with one network id. */
  readonly destination: string;
  /** The address or domain that is delivered. */
  readonly address: string;
  readonly router: number;
  readonly receivers: Bits;
  readonly entries: readonly RoutedEntry[];
  /** Whether the routing machine lets everything through. */
  readonly isOpen: boolean;
}

/** The name of the destination that a resource is, in the network of this number. */
export function resourceDestination(site: number | undefined, address: string): string {
  return `resource ${site} ${address}`;
}

/** The name of the destination that a route is. */
export function routeDestination(networkId: string, address: string): string {
  return `route ${networkId} ${address}`;
}
