// A request for a log: the selected events, the start of the period, and the format.
export interface EventFlags extends ServerFlags {
  readonly since?: string;
  readonly until?: string;
  readonly follow?: boolean;
  /** In seconds. */
  readonly interval: number;
  /** In seconds. */
  readonly grace: number;
  readonly format?: 'jsonl' | 'table';
}

import type { LogName, LogRow } from '../../api/events/logs.ts';
import type { LogQuery } from '../../api/events/pages.ts';
import type { Moment } from '../../api/events/time.ts';
import type { ServerFlags } from '../flags/flags.ts';

/** A log, and the requested rows of the log. */
export interface Wanted {
  readonly log: LogName;
  readonly query: LogQuery;
  readonly since?: Moment;
  readonly until?: Moment;
}

/** The requested rows of each page of a log; see `logPages`. */
export type ReadPages = (since: Moment | undefined) => AsyncIterable<readonly LogRow[]>;
