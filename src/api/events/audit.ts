// The audit log as entries. Ids and values are converted to strings, whatever type the server uses
// for them.
import type { KindTable } from '../../kinds/kind.ts';
import type { AuditEntry } from '../../model/audit/entry.ts';
import { ApiError } from '../../model/errors.ts';
import { addAll } from '../../model/text/longLists.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { type Caller, callerOf } from './caller.ts';
import { type LogRow, rowOf, SHOWN } from './logs.ts';
import { logPages } from './pages.ts';
import { compareRows } from './tail.ts';

/** Parses a row of the log into an entry. */
export function auditEntry(body: JsonObject): AuditEntry {
  const { id, moment } = rowOf('audit', body);
  const meta = Object.entries(isObject(body.meta) ? body.meta : {});
  return {
    id,
    moment,
    time: textOf(body.timestamp),
    code: textOf(body.activity_code),
    by: {
      id: textOf(body.initiator_id),
      name: textOf(body.initiator_name),
      email: textOf(body.initiator_email),
    },
    target: textOf(body.target_id),
    meta: Object.fromEntries(meta.map(([name, value]) => [name, textOf(value)])),
  };
}

// A value as a string. Lists get the same form, whether the server writes them as JSON or as text.
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (isList(value)) return `[${value.map(textOf).join(' ')}]`;
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/**
 * The number of rows from which a log may be incomplete. The server first cuts off the log and then
 * leaves out repeated entries, so an incomplete log may show fewer rows than the limit.
 */
const NEARLY_ALL = SHOWN * 0.9;

/** The entries that the log shows. */
export interface ShownLog {
  /** The entries, the oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether older entries are not shown. */
  readonly isCut: boolean;
}

/** All entries that the log shows. Throws an `ApiError` if the log cannot be read. */
export async function readAuditLog(transport: ReadTransport): Promise<ShownLog> {
  const rows: LogRow[] = [];
  for await (const page of logPages(transport, 'audit', {})) addAll(rows, page);
  const entries = rows.toSorted(compareRows).map(({ body }) => auditEntry(body));
  return { entries, isCut: mayBeCut(rows.length) };
}

/** Whether a log that shows this many entries may leave out older entries. */
export const mayBeCut = (shown: number): boolean => shown >= NEARLY_ALL;

/** The user whose token is used; null if the token may not read the user. */
export function ownUser(transport: ReadTransport, kinds: KindTable): Promise<Caller | null> {
  return callerOf(transport, kinds).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
}
