// One request and what became of it. Knows HTTP and undici; nothing of retries, nothing of kinds.
import { type Dispatcher, request as send } from 'undici';
import type { ApiError, RequestLine } from '../../model/errors.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import type { Json } from '../../model/value.ts';
import { type RawAnswer, refusal, unreadable } from './httpErrors.ts';
import { noAnswer } from './networkErrors.ts';
import { answerText } from './responseText.ts';

/** Where a request goes, and for how long it may take. */
export interface Destination {
  /** The server's address, without `/api` and without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly dispatcher: Dispatcher;
  /** Ends the attempt, its body included, when its time is over. */
  readonly signal: AbortSignal;
  /** The address of the proxy on the way, for messages. */
  readonly proxy?: string | undefined;
}

/** What became of one attempt. */
export type Attempt =
  | { readonly value: Json; readonly status: number }
  | { readonly error: ApiError; readonly retryAfter?: string };

/** Sends a request once. Never throws for what the network or the server does. */
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
  const { status, text, retryAfter } = answer;
  if (status < 200 || status > 299)
    return { error: refusal(line, answer), ...(retryAfter && { retryAfter }) };
  // A write may have an empty response. An empty response to a read is incomplete: taken for an empty list it would
  // make every object look new.
  if (text.trim() === '')
    return line.method === 'GET' ? { error: unreadable(line, answer) } : { value: null, status };
  // Read on, a name would be another one, and its object a stranger.
  if (!answer.isUtf8) return { error: unreadable(line, answer) };
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? { error: unreadable(line, answer) } : { value, status };
  } catch {
    return { error: unreadable(line, answer) };
  }
}

async function exchange(
  { url, token, dispatcher, signal }: Destination,
  { method, path }: RequestLine,
  body: Json | undefined,
): Promise<RawAnswer> {
  const {
    statusCode,
    headers,
    body: stream,
  } = await send(`${url}${path}`, {
    ...{ method: method as Dispatcher.HttpMethod, dispatcher },
    // The one limit is the signal's: undici's own are for parts of a call, and begin anew with every byte.
    ...{ signal, headersTimeout: 0, bodyTimeout: 0 },
    headers: {
      accept: 'application/json',
      // What is public is asked for without credentials.
      ...(token !== '' && { authorization: `${schemeOf(token)} ${token}` }),
      'user-agent': 'meshform',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const [requestId, retryAfter, location, length] = [
    'x-request-id',
    'retry-after',
    'location',
    'content-length',
  ].map(name => [headers[name]].flat().at(0));
  return {
    status: statusCode,
    ...(await answerText(stream, length)),
    ...(requestId && { requestId }),
    ...(retryAfter && { retryAfter }),
    ...(location && { location }),
  };
}

// Three parts of base64url, the first of which is an object: what an identity provider gives to whoever signs in. A token of
// the platform's own has no dot in it.
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

const schemeOf = (token: string): 'Bearer' | 'Token' => (JWT.test(token) ? 'Bearer' : 'Token');
