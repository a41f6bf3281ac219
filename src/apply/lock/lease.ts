// How long a lock that others may take over is certainly held. The holder counts from before it sent a renewal; other machines
// count from when they first saw that renewal. So the holder stops first, even if the clocks differ.

/** Two clocks of one machine, in milliseconds. */
export interface LeaseClocks {
  /** A clock that nobody sets, but that may stand still while the machine sleeps. */
  readonly monotonic: () => number;
  /** Continues while the machine sleeps, but may be set. */
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

/** The milliseconds since a moment, by whichever clock shows more. */
export function elapsedSince(moment: Moment, clocks: LeaseClocks): number {
  return Math.max(clocks.monotonic() - moment.monotonic, clocks.wall() - moment.wall);
}
