// One connection that a machine started or tried, before any machine reports it.

import type { Ip } from '../normalise/ip.ts';
import type { Protocol } from '../reach/port-ranges.ts';
import type { Target } from '../reach/traffic-path.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord } from '../records/topology.ts';

export interface ConnectionAttempt {
  readonly source: PeerRecord;
  readonly target: Target;
  /** The machine that admits or refuses the connection: the target, or the machine that routes to it. */
  readonly hop: PeerRecord;
  readonly address: Ip;
  readonly dnsLabel: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** The policies that accept the connection. */
  readonly policies: readonly PolicyRecord[];
  readonly isAdmitted: boolean;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The first moment of the day, in milliseconds since 1970. */
  readonly day: number;
  /** Milliseconds from the start to the end of the connection. */
  readonly lasts: number;
  /** A seed for the other random values of the flow. */
  readonly salt: number;
}
