// The logs of an account: which operation reads each, what tells its rows apart, and when they happened.
import type { Operation } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { operationTable } from '../operations/operations.ts';
import { type Moment, momentOf } from './time.ts';

/** The names that logs have on the command line. */
export type LogName = 'audit' | 'traffic' | 'proxy';

/** One row of a log. */
export interface LogRow {
  /** What no other row of the log has. */
  readonly id: string;
  /** When it happened; 1970 where it does not say. */
  readonly moment: Moment;
  /** As the server gave it. */
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
  // A flow is one row that grows: with each thing that happens to it, it is another one.
  traffic: {
    operation: 'listNetworkTrafficEvents',
    idOf: ({ flow_id: flow, reporter_id: reporter, events }) =>
      JSON.stringify([flow, reporter, isList(events) ? events.length : 0]),
    timeOf: ({ events }) => (isList(events) ? lastTime(events) : undefined),
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

/** What a log can be asked for, apart from the page and the times, which every log is asked for alike. */
export function filtersOf(log: LogName): Operation['parameters'] {
  const others = ['page', 'start_date', 'end_date'];
  return operationOf(log).parameters.filter(({ name }) => !others.includes(name));
}

/** The audit log shows no more rows than these (docs/server-behaviour.md#timing-of-the-audit-log). */
export const SHOWN = 10_000;

/** Whether a log is read page by page, and asked for times. */
export const isPaged = (log: LogName): boolean =>
  operationOf(log).parameters.some(({ name }) => name === 'page');

/** A row as the server gave it, understood. */
export function rowOf(log: LogName, body: JsonObject): LogRow {
  const { idOf, timeOf } = FORMS[log];
  const time = timeOf(body);
  return { id: idOf(body), body, moment: (typeof time === 'string' ? momentOf(time) : null) ?? 0n };
}

// Events of a flow come one after the other; the last of them is what is new.
function lastTime(events: readonly Json[]): Json | undefined {
  const last = events.filter(isObject).at(-1);
  return last?.timestamp;
}
