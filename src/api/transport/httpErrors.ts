// The error for a response, from its status and the form of its body. The text of a message is
// never used.
import { ApiError, type ApiErrorCode, type RequestLine } from '../../model/errors.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';

/** A response whose body is still text. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether the text is complete and unchanged. */
  readonly isUtf8: boolean;
  readonly requestId?: string;
  /** The `Retry-After` header. */
  readonly retryAfter?: string;
  /** The target of a redirect. */
  readonly location?: string;
  /** The `Date` header. */
  readonly date?: string;
}

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: 'API_INVALID',
  401: 'API_UNAUTHENTICATED',
  403: 'API_DENIED',
  404: 'API_NOT_FOUND',
  405: 'API_INVALID',
  409: 'API_CONFLICT',
  412: 'API_CONFLICT',
  422: 'API_INVALID',
  429: 'API_THROTTLED',
};

/**
 * Statuses after which the same call may succeed. 500 is not included, because the API answers 500
 * to some invalid input (docs/server-behaviour.md#errors).
 */
const PASSING = new Set([429, 502, 503, 504]);

/** Statuses of gateways that stopped waiting for a server. The server may have continued. */
const GIVEN_UP = new Set([502, 503, 504]);

/** The error for a response with an error status. */
export function refusal(request: RequestLine, answer: RawAnswer): ApiError {
  const { status } = answer;
  return failure(request, answer, {
    code: codeOf(answer),
    why: isRedirect(status) ? redirection(answer) : reason(answer.text),
    retryable: PASSING.has(status),
    // A server that refuses a request has not carried it out.
    mayHaveHappened: request.method !== 'GET' && GIVEN_UP.has(status),
  });
}

/**
 * The error for a success with an unexpected body: an HTML page, an incomplete object, or no value
 * although one is required.
 */
export function unreadable(request: RequestLine, answer: RawAnswer): ApiError {
  return failure(request, answer, {
    code: 'API_BAD_ANSWER',
    why: formOf(answer),
    retryable: true,
    mayHaveHappened: request.method !== 'GET',
  });
}

interface Failure {
  readonly code: ApiErrorCode;
  readonly why: string;
  readonly retryable: boolean;
  readonly mayHaveHappened: boolean;
}

function failure(request: RequestLine, answer: RawAnswer, { why, ...details }: Failure): ApiError {
  const { status, requestId } = answer;
  return new ApiError({
    ...details,
    request,
    status,
    message: `${request.method} ${request.path} returned ${status}: ${why}`,
    ...(requestId !== undefined && { requestId }),
    ...(isUnknownPath(answer) && { isUnknownPath: true }),
  });
}

// Whether a response means that the path is unknown. The server itself responds in plain text; a
// web page comes from another machine, such as a proxy.
function isUnknownPath({ status, text }: RawAnswer): boolean {
  return status === 404 && text.trim() !== '' && !isPage(text) && jsonOf(text) === undefined;
}

// The code of a 404. For an unknown object, the API responds with JSON. An HTML page or a plain word means that the path is
// unknown.
function codeOf({ status, text }: RawAnswer): ApiErrorCode {
  if (status === 404 && text.trim() !== '' && !isObject(jsonOf(text))) return 'API_BAD_ANSWER';
  return CODES[status] ?? (status >= 500 ? 'API_UNAVAILABLE' : 'API_BAD_ANSWER');
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

// The target of a redirect, for messages. The query is removed because it may contain a credential.
// Redirects are not followed, because that would send the token to another address.
function redirection({ location }: RawAnswer): string {
  if (location === undefined) return 'a redirect without a location';
  return `a redirect to ${location.replace(/[?#].*$/s, '')}, which is not followed`;
}

// The message of the server, if there is one; otherwise the first words of the body.
function reason(text: string): string {
  const body = jsonOf(text);
  const message = isObject(body) ? body.message : undefined;
  if (typeof message === 'string' && message !== '') return cut(message);
  if (isPage(text)) return 'a web page';
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? 'no reason given' : words.slice(0, 200);
}

/** The maximum length of a message. Some servers repeat the request, or their own stack trace. */
const LONGEST = 500;

// Cuts off the text without a mark, so that a secret that is cut off at the end is still recognised
// and redacted.
function cut(message: string): string {
  if (message.length <= LONGEST) return message;
  return `a message of ${message.length} characters, which begins: ${message.slice(0, LONGEST)}`;
}

function formOf({ text, isUtf8 }: RawAnswer): string {
  if (text.trim() === '') return 'an empty body';
  if (!isUtf8) return 'text that is not UTF-8';
  if (isPage(text)) return 'a web page';
  return jsonOf(text) === undefined ? 'text that is not JSON' : 'JSON that is nested too deep';
}

const isPage = (text: string): boolean => text.trimStart().startsWith('<');
