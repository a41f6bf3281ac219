// The traffic that happened, whatever the log shows.
import type { Mode } from './plan.ts';

export type Truth = {
  readonly flows: readonly TrueFlow[];
  readonly machines: readonly MachineDay[];
};

/** One connection that a machine started, or tried to. */
export type TrueFlow = {
  /** The id of the machine that started it. */
  readonly source: string;
  readonly destination: Reached;
  /** The id of the machine that routed it; null between machines. */
  readonly via: string | null;
  /** The number of the protocol. */
  readonly protocol: number;
  /** The port of the destination; 0 for ICMP. */
  readonly port: number;
  readonly at: string;
  readonly isAdmitted: boolean;
  /** The ids of all policies that accept it. Empty if it is refused, and on a route that asks for none. */
  readonly policies: readonly string[];
  /** The ids of the machines that reported it. The one that started it reports a refused attempt as a start. */
  readonly reporters: readonly string[];
};

export type Reached =
  | { readonly type: 'machine'; readonly id: string }
  | { readonly type: 'resource' | 'route'; readonly id: string; readonly address: string };

type MachineDay = {
  readonly id: string;
  /** The day that its first instant is in, in UTC. */
  readonly day: string;
  readonly isConnected: boolean;
  readonly mode: Mode;
  /** Whether it reported a flow that started on that day. */
  readonly isReporting: boolean;
};
