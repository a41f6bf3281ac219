// A delivery by a routing machine: a resource or route, its receivers, and the machine's rules for it.
import type { Bits } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import type { Network, Resource, Route } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';

/** A rule at a routing machine. */
export interface RoutedEntry {
  readonly compiled: CompiledRule;
  readonly entry: PooledEntry;
}

type Delivered =
  | { readonly type: 'network_resource'; readonly resource: Resource; readonly network: Network }
  | { readonly type: 'route'; readonly route: Route };

export interface Delivery {
  readonly what: Delivered;
  /**
   * A string that identifies the destination: an address of one network, or of routes with one
   * network id.
   */
  readonly destination: string;
  /** The address or domain that is delivered. */
  readonly address: string;
  readonly router: number;
  readonly receivers: Bits;
  readonly entries: readonly RoutedEntry[];
  /** Whether the routing machine admits all traffic. */
  readonly isOpen: boolean;
}

/**
 * The deliveries of a destination with a single address. Computed on demand, because most questions
 * concern few addresses.
 */
export interface Offer {
  readonly destination: string;
  readonly address: string;
  readonly deliveries: () => readonly Delivery[];
}
