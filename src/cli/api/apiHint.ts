// What to do next after a call that failed.
import { offeredBy } from '../../api/account/editions.ts';
import type { ApiErrorDetails } from '../../model/errors.ts';
import { nameText } from '../../model/text/visible.ts';

/** The hint for a failed call to the server at `url`. */
export function apiHint(details: ApiErrorDetails, url: string): string {
  const { code, requestId, proxy, request, isUnknownPath } = details;
  const only = isUnknownPath ? offeredBy(request) : undefined;
  const hint = only ?? hintFor(code, url, proxy);
  if (requestId === undefined) return hint;
  return `${hint}; the server calls this request ${nameText(requestId)}`;
}

function hintFor(code: ApiErrorDetails['code'], url: string, proxy: string | undefined): string {
  switch (code) {
    case 'API_UNAUTHENTICATED':
      return `${url} does not take this token, or is not the address of a Management API`;
    case 'API_DENIED':
      return 'the token’s user may not do this';
    case 'API_NETWORK':
    case 'API_TIMEOUT':
      return proxy === undefined
        ? `is ${nameText(url)} the right address, and is the server up?`
        : `is ${nameText(proxy)} the right proxy? Servers that need none are listed in NO_PROXY`;
    case 'API_DEADLINE':
      return 'give --deadline more seconds, or leave it out';
    case 'API_UNTRUSTED':
      return `if ${url} is a private server, give its certificates with --ca-file FILE`;
    case 'API_BAD_ANSWER':
      return `is ${url} the address of the Management API, and not of its web pages?`;
    case 'API_THROTTLED':
      return 'the server limits this token: wait, or give --rate NUMBER, the requests a minute that it allows';
    case 'API_UNAVAILABLE':
      return 'the fault is the server’s: look into its log, and try again later';
    case 'API_NOT_FOUND':
    case 'API_CONFLICT':
      return 'it may have been changed meanwhile: look at what the account has now';
    default:
      return 'look at what was asked for: the server does not take it';
  }
}
