// The users who caused a difference, according to the account's audit log.

import type { ShownChange } from '../change.ts';
import type { Initiator } from './entry.ts';

/** An event by a user that may have caused a difference. */
export interface CausingEvent {
  readonly by: Initiator;
  /** The time of the event, as the server wrote it. */
  readonly when: string;
  /** The activity code of the event. */
  readonly activity: string;
}

/** How certain it is who caused a difference. */
export type Attribution =
  /** Only this person caused events that may explain the difference, and these events explain all of it. */
  | { readonly confidence: 'exact'; readonly event: CausingEvent }
  /** One or more of these people caused the difference. Contains the newest event of each person, newest first. */
  | {
      readonly confidence: 'window';
      readonly events: readonly CausingEvent[];
      readonly reason?: string;
    }
  | { readonly confidence: 'none'; readonly reason: string };

/** The users who caused each difference. */
export type Attributions = ReadonlyMap<ShownChange, Attribution>;
