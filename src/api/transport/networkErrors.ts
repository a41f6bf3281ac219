// The error for a request without a response, from the code of the network error.
import { ApiError, type ApiErrorCode, type RequestLine } from '../../model/errors.ts';
import { nameText } from '../../model/text/visible.ts';
import { TOO_LARGE } from './responseText.ts';

/** A reason why a request gets no response. */
interface NetworkFailure {
  readonly why: string;
  /** Whether the request did not reach the server. */
  readonly neverSent: boolean;
  /** Whether a retry would fail in the same way. */
  readonly lasting?: true;
}

const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to its network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

const CUT_SHORT: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed before the request was complete',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
};

const TIMEOUTS = new Set([
  'TimeoutError',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Errors of handshakes with an untrusted or unsuitable certificate. */
export const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH/;

/** Errors of handshakes with a server that does not speak TLS. */
const NOT_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

/** Errors that occur before a proxy has opened the connection. */
export const PROXY = new Set(['UND_ERR_ABORTED', 'UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS']);

/** The error for a request without a complete response; `proxy` is the address of the proxy, if there is one. */
export function noAnswer(request: RequestLine, cause: unknown, proxy?: string): ApiError {
  const code = codeOf(cause);
  const { why, neverSent, lasting } = silenceOf(code, cause, proxy);
  return new ApiError(
    {
      code: named(code),
      request,
      message: `${request.method} ${request.path} failed: ${why}`,
      retryable: lasting !== true,
      mayHaveHappened: request.method !== 'GET' && !neverSent,
      ...(proxy !== undefined && { proxy }),
    },
    { cause },
  );
}

function named(code: string): ApiErrorCode {
  if (TIMEOUTS.has(code)) return 'API_TIMEOUT';
  if (code === TOO_LARGE) return 'API_BAD_ANSWER';
  return CERTIFICATE.test(code) ? 'API_UNTRUSTED' : 'API_NETWORK';
}

function silenceOf(code: string, cause: unknown, proxy: string | undefined): NetworkFailure {
  const notConnected = NOT_CONNECTED[code];
  // With a proxy, all connections go to the proxy. So it was the proxy that could not be reached.
  const who = proxy === undefined ? '' : `the proxy ${nameText(proxy)} cannot be reached: `;
  if (notConnected !== undefined) return { why: `${who}${notConnected}`, neverSent: true };
  if (code === TOO_LARGE)
    return { why: 'its response is larger than 512 MB', neverSent: false, lasting: true };
  if (CERTIFICATE.test(code))
    return { why: `its certificate is not trusted (${code})`, neverSent: true, lasting: true };
  if (NOT_TLS.has(code)) return { why: 'it does not speak https', neverSent: true, lasting: true };
  if (PROXY.has(code) || (proxy !== undefined && code === 'UND_ERR_INVALID_ARG')) {
    const why = `the proxy refused the connection${proxy === undefined ? '' : ` ${nameText(proxy)}`}`;
    return { why: `${why}: ${textOf(cause)}`, neverSent: true };
  }
  const way = proxy === undefined ? '' : `, through the proxy ${nameText(proxy)}`;
  if (TIMEOUTS.has(code)) return { why: `no response in time${way}`, neverSent: false };
  return { why: CUT_SHORT[code] ?? (textOf(cause) || code), neverSent: false };
}

// The code of an error. Network errors have a string as code. Expired deadlines have a number, so
// they are recognised by name.
function codeOf(cause: unknown): string {
  const { code, name } = Object(cause);
  return String(typeof code === 'string' ? code : (name ?? ''));
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '');
