// What the log has to say of a difference.
import type { LoggedEvent } from './log.ts';
import type { Part } from './parts.ts';

/**
 * Why the events that explain a difference may not be its only cause:
 * - `earlier`: somebody changed the object before the time that is looked at, and the log does not say who set which value.
 * - `unseen`: the log does not reach back to where the object began, or to a run that wrote it.
 * - `rewritten`: a run of meshform wrote the object afterwards.
 */
export type Doubt = 'earlier' | 'unseen' | 'rewritten';

/** What the log has to say of a difference. */
export interface Evidence {
  /** Events of others that explain a part of it, the oldest first. */
  readonly explaining: readonly LoggedEvent[];
  /** All events of others about the object: who is among them may have caused it. */
  readonly others: readonly LoggedEvent[];
  /** Parts that no event explains. */
  readonly unexplained: readonly Part[];
  /** Whether the value is from a run of our own. */
  readonly isOwn: boolean;
  readonly doubts: readonly Doubt[];
}

/** Each event once, the oldest first. */
export const inOrder = (logged: readonly LoggedEvent[]): readonly LoggedEvent[] =>
  [...new Map(logged.map(one => [one.order, one])).values()].sort((a, b) => a.order - b.order);
