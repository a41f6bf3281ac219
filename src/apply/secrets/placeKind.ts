// What a place for secrets is: its text form, and how it is prepared.

import type { KeepSecret } from '../port.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import type { PlaceHost } from './placeHost.ts';

/** A built-in place for secrets. `NAME:TEXT` is its text form; `NAME` is its name in `places.ts`. */
export interface PlaceKind<Choice> {
  /** The allowed text forms, for messages. */
  readonly forms: readonly string[];
  /** The choice with the settings in `TEXT`, which is undefined in the form `NAME`; null if the form is not allowed. */
  readonly parse: (text: string | undefined) => Choice | null;
  /** Prepares the place for the awaited secrets, or returns a refusal; `state` are the paths of the desired state. */
  readonly open: (
    choice: Choice,
    awaited: readonly AwaitedSecret[],
    host: PlaceHost,
    state: readonly string[],
  ) => Promise<KeepSecret | PlaceRefusal> | KeepSecret | PlaceRefusal;
}
