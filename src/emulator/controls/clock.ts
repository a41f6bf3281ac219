// Controls for the clock.
import { ok } from '../request/answer.ts';
import { object, optional, whole } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';
import { SECOND, timestamp } from '../time/times.ts';
import type { Control } from './control.ts';

/** The emulator's time. */
export const readClock: Control = ({ clock }) => ok({ now: timestamp(clock.now) });

/** Advances the clock by `advance` seconds. Responds with the new time. */
export const advanceClock: Control = ({ rows, clock, body }) => {
  const { advance } = body(object({ advance: optional(whole) }));
  if (advance === undefined) throw invalid('advance is required: seconds');
  if (advance < 0) throw invalid('advance must not be negative');
  clock.forward(rows, advance * SECOND);
  return ok({ now: timestamp(clock.now) });
};
