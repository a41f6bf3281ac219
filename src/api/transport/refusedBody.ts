// A dispatcher that remembers the body of a refusal as it came, for those who want more of it than its sentence.
import type { Dispatcher } from 'undici';

/** What passes through a dispatcher, and what the last refusal among it said. */
export interface Remembering {
  readonly dispatcher: Dispatcher;
  /** The body of the last answer, if that was a refusal; empty elsewhere. */
  readonly refusedBody: () => string;
}

/** Bytes of it that are kept; no refusal that is meant for people has more. */
const LONGEST = 65_536;

/** The same dispatcher, its refusals remembered. */
export function remembering(dispatcher: Dispatcher): Remembering {
  let isRefused = false;
  let kept = Buffer.alloc(0);
  const composed = dispatcher.compose(dispatch => (options, handler) => {
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: (controller, status, ...rest) => {
        isRefused = status >= 400;
        kept = Buffer.alloc(0);
        handler.onResponseStart?.(controller, status, ...rest);
      },
      onResponseData: (controller, chunk) => {
        if (isRefused) kept = Buffer.concat([kept, chunk]).subarray(0, LONGEST);
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
  });
  return { dispatcher: composed, refusedBody: () => kept.toString() };
}
