// The hint about the next step after a failed call.
import { offeredBy } from '../../api/account/editions.ts';
import type { ApiErrorDetails } from '../../model/errors.ts';
import { nameText } from '../../model/text/visible.ts';

/** The hint for a failed call to the server at `url`. */
export function apiHint(details: ApiErrorDetails, url: string): string {
  const { code, requestId, proxy, request, isUnknownPath, isFaultyContent, limit } = details;
  const other = isUnknownPath ? offeredBy(request) : undefined;
  const only = isFaultyContent ? FAULTY : other;
  if (limit !== undefined) return `increase ${limit}; 0 is no limit`;
  const hint = only ?? hintFor(code, url, proxy);
  if (requestId === undefined) return hint;
  const id = `server’s id of the request is ${nameText(requestId)}`;
  return hint.endsWith('?') ? `${hint} The ${id}` : `${hint}; the ${id}`;
}

const FAULTY =
  'the server is at fault, or something on the way changed its response: `meshform api call` shows it';

function hintFor(code: ApiErrorDetails['code'], url: string, proxy: string | undefined): string {
  switch (code) {
    case 'API_UNAUTHENTICATED':
      return `${url} rejects this token, or is not the address of a Management API`;
    case 'API_DENIED':
      return 'the user of the token is not permitted to do this';
    case 'API_NETWORK':
    case 'API_TIMEOUT':
      return proxy === undefined
        ? `is ${nameText(url)} the right address, and is the server up?`
        : `is ${nameText(proxy)} the right proxy? List servers that need no proxy in NO_PROXY`;
    case 'API_DEADLINE':
      return 'increase --deadline, or omit it';
    case 'API_UNTRUSTED':
      return `if ${url} is a private server, name its certificates with --ca-file FILE`;
    case 'API_BAD_ANSWER':
      return `check that ${url} is the API, not the dashboard`;
    case 'API_THROTTLED':
      return 'the server limits the rate of this token: wait, or add --rate NUMBER, the requests per minute that it allows';
    case 'API_UNAVAILABLE':
      return 'the server failed: check its log, and try again later';
    case 'API_NOT_FOUND':
    case 'API_CONFLICT':
      return 'the object may have changed in the meantime: check it with `meshform drift` or `meshform api call`';
    default:
      return 'check the request: the server rejects it';
  }
}
