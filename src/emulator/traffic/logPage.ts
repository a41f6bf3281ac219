// A page of a log, and the query parameters that both logs share: pages, periods, search.
import type { Json } from '../../model/value.ts';
import { type Answer, ok } from '../request/answer.ts';
import type { ApiRequest } from '../request/handler.ts';
import { invalid } from '../request/refusal.ts';

/** The default and the largest size of a page, and its deliberate faults. */
export interface Paging {
  readonly usual: number;
  readonly most: number;
  readonly faults?: PageFaults;
}

/** The deliberate faults of a page: a number that is added to the number of pages, and whether the records are missing. */
interface PageFaults {
  readonly pages: number;
  readonly isBlank: boolean;
}

const NO_FAULTS: PageFaults = { pages: 0, isBlank: false };

/** The requested page of `all`, with each item in the form of `view`. A parameter that is not a number is ignored. */
export function pageOf<T>(
  request: ApiRequest,
  all: readonly T[],
  view: (one: T) => Json,
  { usual, most, faults = NO_FAULTS }: Paging,
): Answer {
  const { pages, isBlank } = faults;
  const page = wholeIn(request, 'page') ?? 1;
  const page_size = Math.min(most, wholeIn(request, 'page_size') ?? usual);
  const start = (page - 1) * page_size;
  return ok({
    data: isBlank ? [] : all.slice(start, start + page_size).map(view),
    page,
    page_size,
    total_records: all.length,
    total_pages: Math.max(0, Math.ceil(all.length / page_size) + pages),
  });
}

/** A query parameter as a whole number of at least 1; undefined if it is missing or is not such a number. */
function wholeIn(request: ApiRequest, name: string): number | undefined {
  const text = request.query(name);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns a function that decides whether a time is in the requested period, both ends included. An invalid period is refused or
 * ignored.
 */
export function spanIn(request: ApiRequest, isStrict: boolean): (time: string) => boolean {
  const [start, end] = ['start_date', 'end_date'].map(name => {
    const text = request.query(name);
    const time = Date.parse(text);
    if (text !== '' && Number.isNaN(time) && isStrict)
      throw invalid(`${name} is not a time: ${text}`);
    return time;
  });
  if (Number.isNaN(start) && Number.isNaN(end)) return () => true;
  return time => {
    const at = Date.parse(time);
    return !(at < Number(start)) && !(at > Number(end));
  };
}

/** Whether a text contains the search term, in any case; true without a search term. */
export function holds(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase());
}

/** Whether a value equals the requested value; true without a requested value. */
export function isWanted(value: string | number, wanted: string): boolean {
  return wanted === '' || String(value) === wanted;
}
