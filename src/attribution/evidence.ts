// The evidence of the log about a difference.

import type { Part } from './differenceParts.ts';
import type { LoggedEvent } from './log.ts';

/**
 * Why the events that explain a difference may not be its only cause:
 * - `earlier`: somebody changed the object before the period under consideration, and the log does not say who set which value.
 * - `unseen`: the log does not reach back to the creation of the object, or to a run that wrote it.
 * - `rewritten`: a run of meshform wrote the object afterwards.
 */
export type Doubt = 'earlier' | 'unseen' | 'rewritten';

/** The evidence of the log about a difference. */
export interface Evidence {
  /** Events of others that explain a part of the difference, oldest first. */
  readonly explaining: readonly LoggedEvent[];
  /** All events of others about the object: one of these people may have caused the difference. */
  readonly others: readonly LoggedEvent[];
  /** The parts of the difference that no event explains. */
  readonly unexplained: readonly Part[];
  /** Whether a run of meshform set the value. */
  readonly isOwn: boolean;
  readonly doubts: readonly Doubt[];
}

/** Each event once, oldest first. */
export const distinctEvents = (logged: readonly LoggedEvent[]): readonly LoggedEvent[] =>
  [...new Map(logged.map(one => [one.order, one])).values()].sort((a, b) => a.order - b.order);
