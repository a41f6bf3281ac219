// An audit event, as who causes it says it.
import type { ActivityCode } from './activities.ts';
import type { Meta } from './meta.ts';

/** Something that happened. */
interface Happening {
  readonly code: ActivityCode;
  readonly target: string;
  readonly meta?: Meta;
  /** Who did it; by default the one who calls. */
  readonly initiator?: string;
}

/** Takes note of something that happened. */
export type Log = (happening: Happening) => void;
