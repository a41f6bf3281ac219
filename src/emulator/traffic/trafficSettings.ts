// The settings for the random use of the network over some days. Shares are percentages.

/**
 * The place where a machine filters traffic. With `kernel`, a machine reports neither policies nor drops; with `off`, it reports
 * nothing.
 */
export const MODES = ['off', 'kernel', 'user space'] as const;

export type Mode = (typeof MODES)[number];

export interface TrafficPlan {
  readonly seed: number;
  /** The number of days, beginning at the time of the clock. */
  readonly days: number;
  /** The share of policies that are in use at all, and of their ports, sources and destinations. */
  readonly alive: number;
  /** The share of the remaining possible connections that are used. */
  readonly usage: number;
  /** The maximum number of starts of one connection on a day. */
  readonly starts: number;
  /** The share of machines that try something on a day that is refused. */
  readonly refused: number;
  /** The share of machines that are not connected on a day. */
  readonly away: number;
  /** The share of connected machines that start nothing on a day. */
  readonly quiet: number;
  /** The share of machines that report nothing. */
  readonly off: number;
  /** The share of machines that filter in the kernel. */
  readonly kernel: number;
  /** The modes of some machines, by id; the modes of other machines are random. */
  readonly machines: Readonly<Record<string, Mode>>;
  /** The maximum delay of a report, in seconds. */
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
