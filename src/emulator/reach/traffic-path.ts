// A path of traffic from a peer to its target.

import type { PeerRecord } from '../records/peers.ts';
import type { NetworkResourceRecord, PolicyRecord, RouteRecord } from '../records/topology.ts';
import type { Traffic } from './port-ranges.ts';

export type Target =
  | { readonly type: 'machine'; readonly peer: PeerRecord }
  | { readonly type: 'resource'; readonly resource: NetworkResourceRecord }
  | { readonly type: 'route'; readonly route: RouteRecord };

export interface TrafficPath {
  readonly target: Target;
  /** The machine that admits the traffic: the target itself, or the machine that routes to it. */
  readonly at: PeerRecord;
  readonly grants: readonly Grant[];
  /** The traffic that drop rules remove from the accepted traffic. */
  readonly drops: readonly Traffic[];
}

/** Traffic that is accepted because of a policy, or on a route without access control groups. */
export interface Grant {
  readonly policy?: PolicyRecord;
  /** Whether the traffic runs against the direction of a bidirectional rule. */
  readonly isBackward?: boolean;
  readonly traffic: Traffic;
}
