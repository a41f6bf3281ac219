// The traffic that really happened, regardless of what the log shows.
import type { Mode } from './trafficSettings.ts';

export type Truth = {
  readonly flows: readonly TrueFlow[];
  readonly machines: readonly MachineDay[];
};

/** One connection that a machine started or tried to start. */
export type TrueFlow = {
  /** The id of the machine that started the connection. */
  readonly source: string;
  readonly destination: Reached;
  /** The id of the machine that routed the connection; null for a connection between machines. */
  readonly via: string | null;
  /** The number of the protocol. */
  readonly protocol: number;
  /** The port of the destination; 0 for ICMP. */
  readonly port: number;
  readonly at: string;
  readonly isAdmitted: boolean;
  /** The ids of all policies that accept the connection. Empty if it is refused, and on a route without access control groups. */
  readonly policies: readonly string[];
  /**
   * The ids of the machines that reported the connection. If it was refused, the machine that started it reports it as a start.
   */
  readonly reporters: readonly string[];
};

export type Reached =
  | { readonly type: 'machine'; readonly id: string }
  | { readonly type: 'resource' | 'route'; readonly id: string; readonly address: string };

type MachineDay = {
  readonly id: string;
  /** The UTC day of the first moment of the period. */
  readonly day: string;
  readonly isConnected: boolean;
  readonly mode: Mode;
  /** Whether the machine reported a flow that started on this day. */
  readonly isReporting: boolean;
};
