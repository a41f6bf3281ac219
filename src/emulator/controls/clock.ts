// The passing of time.
import { ok } from '../request/answer.ts';
import { object, optional, whole } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';
import { SECOND, timestamp } from '../time/times.ts';
import type { Control } from './control.ts';

/** What time it is to the emulator. */
export const readClock: Control = ({ clock }) => ok({ now: timestamp(clock.now) });

/** Puts the clock forward by `advance` seconds. Answers the time it is then. */
export const advanceClock: Control = ({ rows, clock, body }) => {
  const { advance } = body(object({ advance: optional(whole) }));
  if (advance === undefined) throw invalid('advance is required: seconds');
  if (advance < 0) throw invalid('advance must not be negative');
  clock.forward(rows, advance * SECOND);
  return ok({ now: timestamp(clock.now) });
};
