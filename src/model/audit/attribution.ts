// Who caused a difference, by the account's audit log.

import type { ShownChange } from '../change.ts';
import type { Initiator } from './entry.ts';

/** An event by a user that can have caused a difference. */
export interface Deed {
  readonly by: Initiator;
  /** The time of the event, as the server wrote it. */
  readonly when: string;
  /** The activity code of the event. */
  readonly activity: string;
}

/** How sure it is who caused a difference. */
export type Attribution =
  /** Only this person has events that can have caused it, and these explain all of it. */
  | { readonly confidence: 'exact'; readonly deed: Deed }
  /** It is among what these people did. The newest deed of each, the newest first. */
  | { readonly confidence: 'window'; readonly deeds: readonly Deed[]; readonly reason?: string }
  | { readonly confidence: 'none'; readonly reason: string };

/** By difference, who caused it. */
export type Attributions = ReadonlyMap<ShownChange, Attribution>;
