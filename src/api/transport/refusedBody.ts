// A dispatcher that stores the body of the last error response, for callers that need more than its message.
import type { Dispatcher } from 'undici';

/** A dispatcher, and the body of the last error response that passed through it. */
export interface KeptErrorBody {
  readonly dispatcher: Dispatcher;
  /** The body of the last response if it was an error; otherwise empty. */
  readonly refusedBody: () => string;
}

/** The maximum number of bytes to store. Error responses for people are shorter. */
const LONGEST = 65_536;

/** The same dispatcher, storing error responses. */
export function keepingErrorBody(dispatcher: Dispatcher): KeptErrorBody {
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
