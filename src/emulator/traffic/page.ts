// One page of a log, and what of a query both logs understand alike: pages, spans of time, parts of a text.
import type { Json } from '../../model/value.ts';
import { type Answer, ok } from '../request/answer.ts';
import type { ApiRequest } from '../request/handler.ts';
import { invalid } from '../request/refusal.ts';

/** How many entries a page has. */
export interface PageSize {
  readonly usual: number;
  readonly most: number;
}

/** A page of `all`, the one and of the size that a request asks for. What is no number is as good as nothing. */
export function pageOf(
  request: ApiRequest,
  all: readonly Json[],
  { usual, most }: PageSize,
): Answer {
  const page = wholeIn(request, 'page') ?? 1;
  const page_size = Math.min(most, wholeIn(request, 'page_size') ?? usual);
  const start = (page - 1) * page_size;
  return ok({
    data: all.slice(start, start + page_size),
    ...{ page, page_size, total_records: all.length },
    total_pages: Math.ceil(all.length / page_size),
  });
}

/** A whole number from 1 that a query has; nothing where it has none. */
function wholeIn(request: ApiRequest, name: string): number | undefined {
  const text = request.query(name);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Whether a time is in the span that a query asks for, both ends included. A span that is none is refused, or is all of it. */
export function spanIn(request: ApiRequest, isStrict: boolean): (time: string) => boolean {
  const [start, end] = ['start_date', 'end_date'].map(name => {
    const text = request.query(name);
    const time = Date.parse(text);
    if (text !== '' && Number.isNaN(time) && isStrict) throw invalid(`${name} is no time: ${text}`);
    return time;
  });
  return time => {
    const at = Date.parse(time);
    return !(at < Number(start)) && !(at > Number(end));
  };
}

/** Whether a text holds what a query asks for, in any case; all do where it asks for nothing. */
export function holds(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase());
}

/** Whether a value is what a query asks for; all are where it asks for nothing. */
export function isWanted(value: string | number, wanted: string): boolean {
  return wanted === '' || String(value) === wanted;
}
