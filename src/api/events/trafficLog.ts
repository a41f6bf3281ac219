// Reads all records that the traffic log shows, although the log changes while it is read: new records push others to later
// pages, late records appear in between, and old records disappear. The reported number of pages can be wrong, and a page before
// the last page can be empty.
import { ApiError } from '../../model/errors.ts';
import { addAll } from '../../model/text/longLists.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import { callOperation } from '../operations/call.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { operationOf } from './logs.ts';
import { endless, endlessness } from './pages.ts';
import { type Moment, momentText } from './time.ts';

/** The log keeps at most this many records, for this many milliseconds (docs/server-behaviour.md#event-logs). */
export const MOST_RECORDS = 50_000;
export const LONGEST_KEPT = 7 * 86_400_000;

/**
 * The records since a time, or all records. Records may be repeated. Throws an `ApiError` if a page
 * cannot be read, because the other pages would look like the whole log. Also throws an `ApiError`
 * if the log does not end.
 */
export async function trafficRecords(
  transport: ReadTransport,
  since?: Moment,
): Promise<readonly JsonObject[]> {
  const first = await onePass(transport, since);
  if (first.pages < 2) return first.rows;
  // If an old record disappeared, other records moved to a page that was already read. The second pass finds them.
  const second = await onePass(transport, since);
  const all = [...first.rows];
  addAll(all, second.rows);
  return all;
}

interface Pass {
  readonly rows: readonly JsonObject[];
  /**
   * The number of pages that were read. Includes an empty page at the end, because its records may
   * have moved to the page before it.
   */
  readonly pages: number;
}

/** A server that returns the same page this many times in a row ignores the page number. */
const MOST_SAME = 3;

async function onePass(transport: ReadTransport, since?: Moment): Promise<Pass> {
  const rows: JsonObject[] = [];
  // Twice what the log keeps, because records arrive while it is read.
  const isEndless = endlessness(undefined, 2 * MOST_RECORDS);
  let last = '';
  let same = 0;
  for (let number = 1; ; number++) {
    const page = await lastingPage(transport, number, since);
    if (page.rows.length === 0) return { rows, pages: number };
    const text = JSON.stringify(page.rows);
    same = text === last ? same + 1 : 0;
    last = text;
    if (same >= MOST_SAME) return { rows, pages: number };
    addAll(rows, page.rows);
    // The end of the log has two signs, and only both together prove it: the page is not full, and
    // its number is the last number.
    if (page.isShort && number >= page.pages) return { rows, pages: number };
    if (isEndless(number, page.rows.length)) throw endless(operationOf('traffic').path, number, '');
  }
}

interface Page {
  readonly rows: readonly JsonObject[];
  readonly pages: number;
  /** Whether the page has fewer records than fit on a page. */
  readonly isShort: boolean;
}

/**
 * How often an empty page must be read before it counts as empty, if the log reports further pages.
 * Otherwise, two reads are enough.
 */
const MOST_EMPTY = 4;

async function lastingPage(
  transport: ReadTransport,
  number: number,
  since?: Moment,
): Promise<Page> {
  let page = await readPage(transport, number, since);
  for (let times = 1; page.rows.length === 0; times++) {
    if (times >= (number <= page.pages ? MOST_EMPTY : 2)) break;
    page = await readPage(transport, number, since);
  }
  return page;
}

async function readPage(transport: ReadTransport, page: number, since?: Moment): Promise<Page> {
  const operation = operationOf('traffic');
  const query = { page, ...(since !== undefined && { start_date: momentText(since) }) };
  const answer = await callOperation(transport, operation, { query }, 'spec');
  const { data, total_pages: pages, page_size: size } = isObject(answer) ? answer : {};
  // A server of dialect `netbird` writes an empty list as null.
  if (data !== null && !isList(data ?? false)) throw noLog(operation.path);
  const rows = isList(data ?? null) ? (data as readonly JsonObject[]).filter(isObject) : [];
  return {
    rows,
    pages: typeof pages === 'number' ? pages : 1,
    isShort: typeof size === 'number' && rows.length < size,
  };
}

// The error for a response that is not a log. Such a response must not count as an empty log.
function noLog(path: string): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `GET ${path} did not return a list of events`,
    retryable: false,
    mayHaveHappened: false,
  });
}
