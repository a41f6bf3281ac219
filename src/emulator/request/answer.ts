// The response to a request, before it becomes bytes.
import type { Json } from '../../model/value.ts';
import { Refusal } from './refusal.ts';

/** Headers in addition to those of every response of this kind. */
export type Headers = Readonly<Record<string, string>>;

export type Answer =
  | {
      readonly status: number;
      readonly body: Json;
      /** The lists whose order is kept, as JSON pointers with `*` for any member of a list; absent for none. */
      readonly ordered?: readonly string[] | 'everywhere';
      readonly headers?: Headers;
    }
  | { readonly status: number; readonly text: string; readonly headers?: Headers }
  /** The connection is closed without a response, although the request is executed. */
  | typeof DROPPED;

/** The response that executes the request and closes the connection. */
export const DROPPED = { status: 0, isDropped: true } as const;

/** The response for success. Every operation answers 200, even a creation (docs/server-behaviour.md#status-codes). */
export function ok(body: Json): Answer {
  return { status: 200, body };
}

/** The response for the success of an operation without content. */
export function done(): Answer {
  return ok({});
}

/** The error body of a refusal. */
export function refused({ status, message, verbatim }: Refusal): Answer {
  return { status, body: { message: verbatim ? message : message.toLowerCase(), code: status } };
}

/** The response to an unknown path (docs/server-behaviour.md#status-codes). */
export const unknownPath: Answer = {
  status: 404,
  text: '404 page not found\n',
  headers: { 'X-Content-Type-Options': 'nosniff' },
};

/** The refusal of a method that a path lacks, with the methods that the path has. */
export function wrongMethod(methods: readonly string[]): Answer {
  return { status: 405, text: '', headers: { Allow: methods.toSorted().join(', ') } };
}

/** A response with additional headers. */
export function withHeaders(answer: Answer, headers: Headers): Answer {
  if ('isDropped' in answer) return answer;
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The response of `work`, or the error response for a refusal that it throws. Any other error is passed on. */
export function refusable(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}
