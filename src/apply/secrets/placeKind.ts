// The form of a place for secrets: its text, and the function that prepares it.

import type { KeepSecret } from '../port.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import type { PlaceHost } from './placeHost.ts';

/**
 * A built-in place for secrets. Its text form is `NAME:TEXT`, and `NAME` is its name in
 * `places.ts`.
 */
export interface PlaceKind<Choice> {
  /** The allowed text forms, for messages. */
  readonly forms: readonly string[];
  /**
   * Parses the settings in `TEXT`, which is undefined for the form `NAME`. Returns the choice; null
   * if the form is not allowed.
   */
  readonly parse: (text: string | undefined) => Choice | null;
  /**
   * Prepares the place for the awaited secrets, or returns a refusal. `state`: the paths of the
   * desired state.
   */
  readonly open: (
    choice: Choice,
    awaited: readonly AwaitedSecret[],
    host: PlaceHost,
    state: readonly string[],
  ) => Promise<KeepSecret | PlaceRefusal> | KeepSecret | PlaceRefusal;
}
