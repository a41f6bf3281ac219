// An audit event before it is stored.
import type { ActivityCode } from './activities.ts';
import type { Meta } from './audit-meta.ts';

/** The content of an event. */
interface AuditEntry {
  readonly code: ActivityCode;
  readonly target: string;
  readonly meta?: Meta;
  /** The user who caused the event; by default the caller. */
  readonly initiator?: string;
}

/** Records an event. */
export type Log = (entry: AuditEntry) => void;
