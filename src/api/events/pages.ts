// Reads a log from its newest row to its oldest, page by page. A page that cannot be read ends the reading; no page is
// skipped.
import { ApiError } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { callOperation } from '../operations/call.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { isPaged, type LogName, type LogRow, operationOf, rowOf } from './logs.ts';

/** The query of a log, with the parameter names of the contract. Times are those of the rows, in RFC 3339. */
export type LogQuery = Readonly<Record<string, string | number>>;

/**
 * The rows of each page. New rows push other rows to the next page while the log is read, so a row may appear twice, but no row
 * is missing. Throws an `ApiError` for a page that cannot be read, and if the server returns the same page repeatedly.
 */
export async function* logPages(
  transport: ReadTransport,
  log: LogName,
  query: LogQuery,
): AsyncGenerator<readonly LogRow[]> {
  const operation = operationOf(log);
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
  }
}

/** New rows may move one page to the next number between two requests, but they rarely do so this many times in a row. */
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

// The error for a response that is not a log, which must not count as an empty log.
function noLog(path: string): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `GET ${path} did not return a list of events`,
    retryable: false,
    mayHaveHappened: false,
  });
}
