// The random choices for the simulated use of the network over some days. Shares are percentages.

/** Where a machine filters. In the kernel it reports neither policies nor drops; one that is off reports nothing. */
export const MODES = ['off', 'kernel', 'user space'] as const;

export type Mode = (typeof MODES)[number];

export interface TrafficPlan {
  readonly seed: number;
  /** How many days, from the time of the clock on. */
  readonly days: number;
  /** Of the policies, and of their ports, their sources and their destinations, those that are in use at all. */
  readonly alive: number;
  /** Of the connections that these leave, those that are used. */
  readonly usage: number;
  /** The most starts of one connection on a day. */
  readonly starts: number;
  /** The machines that try something on a day that is refused. */
  readonly refused: number;
  /** The machines that are not connected on a day. */
  readonly away: number;
  /** The connected machines that start nothing on a day. */
  readonly quiet: number;
  /** The machines that report nothing. */
  readonly off: number;
  /** The machines that filter in the kernel. */
  readonly kernel: number;
  /** The modes of some machines, by id, in place of a draw. */
  readonly machines: Readonly<Record<string, Mode>>;
  /** The most seconds that a report is late. */
  readonly late: number;
}

/** The default plan. */
export const USUAL_PLAN: TrafficPlan = {
  seed: 1,
  days: 1,
  alive: 75,
  usage: 30,
  starts: 4,
  refused: 10,
  away: 10,
  quiet: 0,
  off: 10,
  kernel: 30,
  machines: {},
  late: 600,
};
