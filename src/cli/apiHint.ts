// What to do next after a call that failed.
import type { ApiErrorDetails } from '../model/errors.ts';

/** The hint for a failed call to the server at `url`; undefined where its sentence says all there is to say. */
export function apiHint(
  { code, requestId, proxy }: ApiErrorDetails,
  url: string,
): string | undefined {
  const hint = hintFor(code, url, proxy);
  const trace = requestId === undefined ? undefined : `the server calls this request ${requestId}`;
  return hint && trace ? `${hint}; ${trace}` : (hint ?? trace);
}

function hintFor(
  code: ApiErrorDetails['code'],
  url: string,
  proxy: string | undefined,
): string | undefined {
  switch (code) {
    case 'API_UNAUTHENTICATED':
      return `${url} does not take this token, or is not the address of a Management API`;
    case 'API_DENIED':
      return 'the token’s user may not do this';
    case 'API_NETWORK':
    case 'API_TIMEOUT':
      return proxy === undefined
        ? `is ${url} the right address, and is the server up?`
        : `is ${proxy} the right proxy? Servers that need none are listed in NO_PROXY`;
    case 'API_DEADLINE':
      return 'give --deadline more seconds, or leave it out';
    case 'API_UNTRUSTED':
      return `if ${url} is a private server, give its certificates with --ca-file FILE`;
    case 'API_BAD_ANSWER':
      return `is ${url} the address of the Management API, and not of its web pages?`;
    case 'API_THROTTLED':
      return 'the server limits this token; wait, or lower --concurrency';
    default:
      return undefined;
  }
}
