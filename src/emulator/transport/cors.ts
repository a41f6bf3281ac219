// Cross-origin requests: every path that exists takes them from every origin.
import { type Answer, type Headers, withHeaders } from '../request/answer.ts';
import type { RawRequest } from '../request/request.ts';

/** The answer to a browser that asks whether it may send a request. */
export function preflight({ asksFor }: RawRequest): Answer {
  const { method, headers } = asksFor;
  return {
    status: 204,
    text: '',
    headers: {
      ...ANY_ORIGIN,
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      ...(method === '' ? {} : { 'Access-Control-Allow-Methods': method.toUpperCase() }),
      ...(headers === '' ? {} : { 'Access-Control-Allow-Headers': headers }),
    },
  };
}

/** An answer that a browser shows to the page which sent the request, wherever the page comes from. */
export function crossOrigin(answer: Answer, { origin }: RawRequest): Answer {
  return origin === '' ? answer : withHeaders(answer, { ...ANY_ORIGIN, Vary: 'Origin' });
}

const ANY_ORIGIN: Headers = { 'Access-Control-Allow-Origin': '*' };
