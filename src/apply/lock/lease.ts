// How long a lock that others may take over is certainly held. The holder counts from before the renewal was sent, others from
// when they first saw it, so the holder stops first, even if their clocks differ.

/** Two clocks of one machine, in milliseconds. */
export interface LeaseClocks {
  /** Never set back or forward, but it may stand still while the machine sleeps. */
  readonly monotonic: () => number;
  /** Goes on while the machine sleeps, but may be set. */
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

/** Milliseconds since a moment: by the clock that shows more. */
export function elapsedSince(moment: Moment, clocks: LeaseClocks): number {
  return Math.max(clocks.monotonic() - moment.monotonic, clocks.wall() - moment.wall);
}
