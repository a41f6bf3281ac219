// Reads a log from its newest row to its oldest, page by page. A page that cannot be read ends the reading; no page is
// skipped.
import { ApiError } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { callOperation } from '../operations/call.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { isPaged, type LogName, type LogRow, operationOf, rowOf } from './logs.ts';

/**
 * The query of a log, with the parameter names of the contract. Its times refer to the rows, in RFC
 * 3339.
 */
export type LogQuery = Readonly<Record<string, string | number>>;

/**
 * The rows of each page. While the log is read, new rows push other rows to the next page, so a row
 * may appear twice, but no row is missing. Throws an `ApiError` if a page cannot be read, if the
 * server returns the same page repeatedly, or if the log has no end.
 */
export async function* logPages(
  transport: ReadTransport,
  log: LogName,
  query: LogQuery,
): AsyncGenerator<readonly LogRow[]> {
  const operation = operationOf(log);
  const isEndless = endlessness(query.page_size);
  let last = '';
  let same = 0;
  for (let page = 1; ; page++) {
    const asked = isPaged(log) ? { ...query, page } : query;
    // The dialect does not matter here, because all logs have the same path in both dialects.
    const answer = await callOperation(transport, operation, { query: asked }, 'spec');
    const { rows, pages } = pageOf(answer, operation.path);
    const read = rows.map(row => rowOf(log, row));
    yield read;
    if (rows.length === 0 || page >= pages) return;
    const ids = JSON.stringify(read.map(({ id }) => id));
    same = ids === last ? same + 1 : 0;
    if (same >= MOST_SAME) throw repeated(operation.path, page);
    last = ids;
    if (isEndless(page, read.length)) throw endless(operation.path, page);
  }
}

/** The maximum number of rows in one reading of a log. A longer log is read in parts, by times. */
const MOST_ROWS = 1_000_000;

/** The smallest default page size of a server (docs/server-behaviour.md#event-logs). */
const SMALLEST_PAGE = 50;

/**
 * Returns a function that tells whether more pages were read than a log can have. Each call passes
 * the number of the page and of its rows. `size`: the requested size of pages. Without this check,
 * a server that always announces another page would keep a run waiting forever.
 */
export function endlessness(
  size: string | number | undefined,
  mostRows = MOST_ROWS,
): (page: number, rows: number) => boolean {
  // A server may return smaller pages than requested.
  const mostPages = Math.ceil(mostRows / Math.min(Number(size) || SMALLEST_PAGE, SMALLEST_PAGE));
  let all = 0;
  return (page, rows) => {
    all += rows;
    return page >= mostPages || all >= mostRows;
  };
}

/** The error for a log that does not end. `narrower`: what to request instead. */
export const endless = (
  path: string,
  pages: number,
  narrower = '; ask for a shorter time',
): ApiError =>
  new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `GET ${path} has no end: after ${pages} pages the server names another one${narrower}`,
    isFaultyContent: true,
    retryable: false,
    mayHaveHappened: false,
  });

/**
 * The maximum number of equal pages in a row. New rows may move a page to the next number between
 * two requests, but rarely this often in a row.
 */
const MOST_SAME = 5;

function repeated(path: string, page: number): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `pages ${page - MOST_SAME} to ${page} of GET ${path} have the same events`,
    isFaultyContent: true,
    retryable: false,
    mayHaveHappened: false,
  });
}

// A server of dialect `netbird` writes an empty list as null.
function pageOf(
  answer: Json,
  path: string,
): { readonly rows: readonly JsonObject[]; readonly pages: number } {
  const { data, total_pages: pages } = isObject(answer) ? answer : { data: answer, total_pages: 1 };
  if ((data !== null && !isList(data)) || typeof pages !== 'number') throw noLog(path);
  return { rows: (data ?? []).filter(isObject), pages };
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
