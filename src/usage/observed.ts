// The observed traffic of an account: the input of every question about use. It is plain data, so that a store, a file of
// exported logs and a test all yield the same type.
import type { AccessState } from '../access/state/accessState.ts';

/** Milliseconds since 1970. */
export type Time = number;

/** Whole days since 1970, UTC. */
export type Day = number;

export const DAY_MS = 86_400_000;

/** The day of a time. */
export const dayOf = (time: Time): Day => Math.floor(time / DAY_MS);

/** The traffic of an account in a window. Objects are identified by the server's ids. */
export interface Observed {
  /** The time from the first to the last observation of the log within the requested window. */
  readonly window: Span;
  readonly flows: readonly ObservedFlow[];
  /**
   * The states of the account in the window, oldest first. Each is valid from its time until the
   * time of the next.
   */
  readonly states: readonly ObservedState[];
  /** The observed days of machines by id. A machine that is absent was never seen connected. */
  readonly machines: ReadonlyMap<string, MachineDays>;
  /** The times at which records may have been missed, and why. */
  readonly gaps: readonly Gap[];
  /** Machines whose traffic was deleted. */
  readonly forgotten?: readonly Forgotten[];
}

/** The mark of a machine whose traffic was deleted. */
export interface Forgotten {
  /** The digest of its id. */
  readonly machine: string;
  /** The ids of the groups that it was in. */
  readonly groups: readonly string[];
  /** When it was deleted. */
  readonly until: Time;
}

/** The length of a window in whole days, at least one. */
export const daysIn = ({ from, to }: Span): number => Math.max(1, Math.round((to - from) / DAY_MS));

/** The id that identifies the observed account: that of its built-in group of all peers. Undefined if no state is known. */
export function accountOf({ states }: Pick<Observed, 'states'>): string | undefined {
  const last = states.at(-1)?.state;
  return last && accountOfState(last);
}

/** The id of the account of a state; undefined if the state does not come from a server. */
export const accountOfState = ({ groups }: AccessState): string | undefined =>
  groups.find(({ isAll }) => isAll)?.id;

export interface Span {
  readonly from: Time;
  readonly to: Time;
}

export interface Gap extends Span {
  /** A clause: `the log had more than 50,000 records`. */
  readonly reason: string;
  /** The id of the only machine whose records may be missing; absent if records of any machine may be. */
  readonly machine?: string;
  /** If only machines outside some groups did not report, the ids of these groups. */
  readonly outside?: readonly string[];
}

/** Everything that access depends on, valid from a time. */
export interface ObservedState {
  readonly from: Time;
  readonly state: AccessState;
}

/** All records of the same flow in the same states. */
export interface ObservedFlow {
  readonly source: Endpoint;
  readonly destination: Endpoint;
  /** The number of the protocol: 6 is TCP. */
  readonly protocol: number;
  /** The port of the destination, or the ICMP type; null where the record has none. */
  readonly port: number | null;
  /** As the reporters saw it. */
  readonly direction: Direction;
  readonly first: Time;
  readonly last: Time;
  /** Counts by day. A day with neither starts nor drops means that a flow which began earlier was still open. */
  readonly days: ReadonlyMap<Day, Counts>;
  /** The ids of the machines that reported the flow. */
  readonly reporters: readonly string[];
  /**
   * Positions in `states` of the states before and after the windows of its records. Of several
   * states that are the same for its ends, only the first is listed. Empty if no state is known, so
   * that it is unknown what admitted the flow.
   */
  readonly states: readonly number[];
  /** The ids of policies that the server named. */
  readonly policies: readonly string[];
}

export type Direction = 'in' | 'out' | 'unknown';

export interface Counts {
  readonly starts: number;
  /** Attempts that a machine refused. They do not count as use. */
  readonly drops: number;
}

/**
 * One end of a flow. For a resource with many addresses, `address` is the one in the record if it is declared, otherwise absent.
 */
export type Endpoint =
  | { readonly type: 'machine'; readonly id: string }
  | { readonly type: 'resource'; readonly id: string; readonly address?: string }
  | { readonly type: 'address'; readonly address: string };

/** The reports of one machine. */
export interface MachineDays {
  /** Days on which it was seen connected. */
  readonly connected: ReadonlySet<Day>;
  /** The days on which it reported a flow, of any rule. */
  readonly reported: ReadonlySet<Day>;
  /**
   * Whether it filters in user space: only then does it report drops and policies. Null if this is
   * unknown.
   */
  readonly isUserSpace: boolean | null;
}
