// Reads a log from its newest row to its oldest, page by page. A page that cannot be had ends the reading: none is passed over.
import { ApiError } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { callOperation } from '../operations/call.ts';
import type { ReadTransport } from '../transport/transport.ts';
import { isPaged, type LogName, type LogRow, operationOf, rowOf } from './logs.ts';

/** What a log is asked for, by the contract's names; times are those of the rows, as RFC 3339. */
export type LogQuery = Readonly<Record<string, string | number>>;

/**
 * The rows of each page. New rows come in at the front meanwhile and push others to the next page, so a row may be there
 * twice, and none is missing. Throws an `ApiError` for a page that cannot be had.
 */
export async function* logPages(
  transport: ReadTransport,
  log: LogName,
  query: LogQuery,
): AsyncGenerator<readonly LogRow[]> {
  const operation = operationOf(log);
  for (let page = 1; ; page++) {
    const asked = isPaged(log) ? { ...query, page } : query;
    // No log has another path in another dialect.
    const answer = await callOperation(transport, operation, { query: asked }, 'spec');
    const { rows, pages } = pageOf(answer, operation.path);
    yield rows.map(row => rowOf(log, row));
    if (rows.length === 0 || page >= pages) return;
  }
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

// What is no log must not pass for an empty one.
function noLog(path: string): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `GET ${path} was answered with something that is not a list of events`,
    ...{ retryable: false, mayHaveHappened: false },
  });
}
