// The logs of an account: the operation that reads each log, what identifies its rows, and the
// times of its rows.
import type { Operation } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { operationTable } from '../operations/operationsById.ts';
import { type Moment, momentOf } from './time.ts';

/** The names of logs on the command line. */
export type LogName = 'audit' | 'traffic' | 'proxy';

/** One row of a log. */
export interface LogRow {
  /** Unique in the log. */
  readonly id: string;
  /** The time of the row; 1970 if it has none. */
  readonly moment: Moment;
  /** The row as the server returned it. */
  readonly body: JsonObject;
}

interface LogForm {
  readonly operation: string;
  readonly idOf: (row: JsonObject) => string;
  readonly timeOf: (row: JsonObject) => Json | undefined;
}

const FORMS: Readonly<Record<LogName, LogForm>> = {
  audit: {
    operation: 'listAuditEvents',
    idOf: ({ id }) => String(id),
    timeOf: ({ timestamp }) => timestamp,
  },
  // A flow is a single row that grows, so it counts as a new row with every event. A sum of flows
  // has no events, only a time.
  traffic: {
    operation: 'listNetworkTrafficEvents',
    idOf: ({ flow_id: flow, reporter_id: reporter, events, id, window_start: start }) =>
      JSON.stringify([flow, reporter, isList(events) ? events.length : 0, id ?? 0, start ?? 0]),
    timeOf: ({ events, window_end: end }) => (isList(events) ? lastTime(events) : undefined) ?? end,
  },
  proxy: {
    operation: 'listProxyAccessLogs',
    idOf: ({ id }) => String(id),
    timeOf: ({ timestamp }) => timestamp,
  },
};

/** The operation that reads a log. */
export function operationOf(log: LogName): Operation {
  const { operation } = FORMS[log];
  return present(operationTable().operations.get(operation), `the operation ${operation}`);
}

/**
 * The filters of a log, without the parameters that all paged logs have, which select pages and
 * times.
 */
export function filtersOf(log: LogName): Operation['parameters'] {
  const others = ['page', 'start_date', 'end_date'];
  return operationOf(log).parameters.filter(({ name }) => !others.includes(name));
}

/** The audit log shows at most this many rows (docs/server-behaviour.md#timing-of-the-audit-log). */
export const SHOWN = 10_000;

/** Whether a log is read page by page, with filters for times. */
export const isPaged = (log: LogName): boolean =>
  operationOf(log).parameters.some(({ name }) => name === 'page');

/** Parses a row of the server. */
export function rowOf(log: LogName, body: JsonObject): LogRow {
  const { idOf, timeOf } = FORMS[log];
  const time = timeOf(body);
  return { id: idOf(body), body, moment: (typeof time === 'string' ? momentOf(time) : null) ?? 0n };
}

// The time of the last event of a flow. The events of a flow are in order, so the last event is the newest.
function lastTime(events: readonly Json[]): Json | undefined {
  const last = events.filter(isObject).at(-1);
  return last?.timestamp;
}
