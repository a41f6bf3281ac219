// Observes repeatedly, until it is interrupted. A failed observation loses nothing, because the
// next observation reads the missing records.
import { ApiError } from '../../model/errors.ts';
import { EXIT, exitOn } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import {
  type LastObservation,
  type ObservationResult,
  type ObservationSource,
  observeOnce,
} from './observeOnce.ts';

/** Follows the log; resolves to the exit code. `interval` is in seconds. */
export async function followTraffic(
  observing: ObservationSource,
  interval: number,
  onFirst: (looked: ObservationResult) => void,
  io: Io,
): Promise<number> {
  const stop = new AbortController();
  const release = io.onInterrupt(signal => {
    if (stop.signal.aborted) io.abort(exitOn(signal));
    stop.abort();
  });
  let last: LastObservation | null = null;
  try {
    while (!stop.signal.aborted) {
      const begun = io.now();
      const looked = await lasting(observing, last, interval, io);
      if (last === null && looked !== null) onFirst(looked);
      last = looked?.last ?? last;
      // The interval is counted from the start of one observation to the start of the next.
      const left = interval * 1000 - (io.now() - begun);
      if (!stop.signal.aborted) await io.sleep(Math.max(left, 0), stop.signal);
    }
  } finally {
    release();
  }
  return EXIT.done;
}

async function lasting(
  observing: ObservationSource,
  last: LastObservation | null,
  interval: number,
  io: Io,
): Promise<ObservationResult | null> {
  try {
    return await observeOnce(observing, last, io);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details.retryable) throw error;
    say(io.stderr, `${error.message}; trying again in ${interval} s`);
    return null;
  }
}
