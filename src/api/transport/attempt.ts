// Sends one request and returns its result. Uses HTTP and undici. Does not depend on retries or
// kinds.
import type { Dispatcher } from 'undici';
import type { ApiError, RequestLine } from '../../model/errors.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import type { Json } from '../../model/value.ts';
import { type RawAnswer, refusal, unreadable } from './httpErrors.ts';
import { noAnswer } from './networkErrors.ts';
import { answerText } from './responseText.ts';

/** The destination and the time limit of requests. */
export interface Destination {
  /** The address of the server, without `/api` and without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** The id of the account that the request is for, if the token reaches several accounts. */
  readonly tenant?: string | undefined;
  readonly dispatcher: Dispatcher;
  /** Ends the attempt, including the reading of the body, when its time has expired. */
  readonly signal: AbortSignal;
  /** The address of the proxy, for messages. */
  readonly proxy?: string | undefined;
}

/** The result of one attempt. */
export type Attempt = (
  | { readonly value: Json; readonly status: number }
  | { readonly error: ApiError; readonly retryAfter?: string }
) & {
  /** The time of the response by the clock of the server. */
  readonly date?: string | undefined;
};

/** Sends a request once. Never throws because of the network or the server. */
export async function attempt(
  destination: Destination,
  line: RequestLine,
  body?: Json,
): Promise<Attempt> {
  let answer: RawAnswer;
  try {
    answer = await exchange(destination, line, body);
  } catch (error) {
    return { error: noAnswer(line, error, destination.proxy) };
  }
  return { ...outcomeOf(line, answer), date: answer.date };
}

function outcomeOf(line: RequestLine, answer: RawAnswer): Attempt {
  const { status, text, retryAfter } = answer;
  if (status < 200 || status > 299)
    return { error: refusal(line, answer), ...(retryAfter && { retryAfter }) };
  // An empty response is valid only for a write. If it were read as an empty list, every object
  // would look new.
  if (text.trim() === '')
    return line.method === 'GET' ? { error: unreadable(line, answer) } : { value: null, status };
  // If bytes were replaced, a name may have changed, and its object would look like a different
  // object.
  if (!answer.isUtf8) return { error: unreadable(line, answer) };
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? { error: unreadable(line, answer) } : { value, status };
  } catch {
    return { error: unreadable(line, answer) };
  }
}

async function exchange(
  { url, token, tenant, dispatcher, signal }: Destination,
  { method, path }: RequestLine,
  body: Json | undefined,
): Promise<RawAnswer> {
  const address = new URL(`${url}${path}`);
  // Without this parameter, the request would be for the account of the token itself.
  if (tenant !== undefined) address.searchParams.append('account', tenant);
  const { origin, pathname, search } = address;
  const {
    statusCode,
    headers,
    body: stream,
  } = await dispatcher.request({
    origin,
    path: `${pathname}${search}`,
    method: method as Dispatcher.HttpMethod,
    // The signal is the only time limit, because the limits of undici apply to parts of a request
    // and restart with every byte.
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
    headers: requestHeaders(token, body),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const length = firstOf(headers['content-length']);
  return { status: statusCode, ...(await answerText(stream, length)), ...answerHeaders(headers) };
}

const requestHeaders = (token: string, body: Json | undefined): Record<string, string> => ({
  accept: 'application/json',
  // Public operations are requested without credentials.
  ...(token !== '' && { authorization: `${schemeOf(token)} ${token}` }),
  'user-agent': 'meshform',
  ...(body !== undefined && { 'content-type': 'application/json' }),
});

function answerHeaders(headers: Dispatcher.ResponseData['headers']) {
  const requestId = firstOf(headers['x-request-id']);
  const retryAfter = firstOf(headers['retry-after']);
  const location = firstOf(headers.location);
  const date = firstOf(headers.date);
  return {
    ...(requestId && { requestId }),
    ...(retryAfter && { retryAfter }),
    ...(location && { location }),
    ...(date && { date }),
  };
}

const firstOf = (value: string | string[] | undefined): string | undefined => [value].flat().at(0);

// A JSON web token, as identity providers issue it: three parts in base64url, the first of which is an object. The personal
// tokens of the platform contain no dot.
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

const schemeOf = (token: string): 'Bearer' | 'Token' => (JWT.test(token) ? 'Bearer' : 'Token');
