// How long a lock that others may take over is certainly held. The holder measures from before it
// sent a renewal; other machines measure from when they first saw that renewal. So the holder stops
// first, even if the clocks differ.

/** Two clocks of one machine, in milliseconds. */
export interface LeaseClocks {
  /** A monotonic clock. It may stop while the machine sleeps. */
  readonly monotonic: () => number;
  /** A clock that continues while the machine sleeps, but that somebody may set. */
  readonly wall: () => number;
}

/** A reading of both clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export const momentNow = ({ monotonic, wall }: LeaseClocks): Moment => ({
  monotonic: monotonic(),
  wall: wall(),
});

/** The milliseconds since a moment, by the clock that shows more. */
export function elapsedSince(moment: Moment, clocks: LeaseClocks): number {
  return Math.max(clocks.monotonic() - moment.monotonic, clocks.wall() - moment.wall);
}
