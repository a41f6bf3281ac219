// Cross-origin requests: every existing path accepts them from every origin.
import { type Answer, type Headers, withHeaders } from '../request/answer.ts';
import type { RawRequest } from './request.ts';

/** The response to a browser's preflight request. */
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

/** The response with headers that let a browser show it to a page from any origin. */
export function crossOrigin(answer: Answer, { origin }: RawRequest): Answer {
  return origin === '' ? answer : withHeaders(answer, { ...ANY_ORIGIN, Vary: 'Origin' });
}

const ANY_ORIGIN: Headers = { 'Access-Control-Allow-Origin': '*' };
