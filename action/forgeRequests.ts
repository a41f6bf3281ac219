// Requests to the forge's API: redirects, errors, and lists in pages.
import { ForgeError, redirected, refusal, unreachable } from './forgeError.ts';

/** The connection to the forge. */
export interface ForgeOptions {
  readonly api: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
  /** Aborts all calls. */
  readonly signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The largest number of pages that are read: no pull request that people write has so many comments. */
const PAGES = 50;
/** The largest number of redirects: a renamed repository behind a proxy causes fewer. */
const REDIRECTS = 5;

/** Requests by a path of the API. They reject with a `ForgeError`. */
export function requestsOf(options: ForgeOptions) {
  return {
    /** The body of the answer; null if it has none. */
    call: async (method: Method, path: string, body?: object): Promise<unknown> => {
      const response = await answered(options, { method, path, body });
      if (response.status === 204) return null;
      return response.json().catch(error => unreachable(`${method} ${path}`, error));
    },
    /** The items of a list, from all of its pages. */
    listed: (path: string) => itemsOf(options, path),
  };
}

async function itemsOf(options: ForgeOptions, path: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const paged = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
    const response = await answered(options, { method: 'GET', path: paged });
    const items = await response.json().catch(error => unreachable(`GET ${path}`, error));
    // If this counted as an empty list, the action would post a second comment.
    if (!Array.isArray(items)) throw new ForgeError(`GET ${path} returned no list`);
    for (const item of items) found.push(item);
    // The sizes of pages differ between servers, but all servers name the next page.
    if (!/;\s*rel="?next"?/.test(response.headers.get('link') ?? '')) return found;
  }
  return found;
}

interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: object | undefined;
}

// The answer to a call, after redirects that may be followed.
async function answered(options: ForgeOptions, call: Call): Promise<Response> {
  const { method, path } = call;
  const what = `${method} ${path}`;
  const { api } = options;
  let response = await sent(`${api}${path}`, options, call);
  for (let count = 0; isRedirect(response); count += 1) {
    const to = targetOf(response);
    // The token must not be sent to another origin.
    if (method !== 'GET' || to?.origin !== new URL(api).origin || count === REDIRECTS)
      throw redirected(what, to);
    response = await sent(to.href, options, call);
  }
  if (!response.ok) throw await refusal(what, response);
  return response;
}

function sent(
  url: string,
  { token, signal }: ForgeOptions,
  { method, path, body }: Call,
): Promise<Response> {
  return fetch(url, {
    // Otherwise `fetch` would repeat a redirected write as a GET, and it would seem to have succeeded.
    redirect: 'manual',
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'meshform-action',
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(30_000), ...(signal ? [signal] : [])]),
  }).catch(error => unreachable(`${method} ${path}`, error));
}

const isRedirect = ({ status }: Response): boolean => [301, 302, 303, 307, 308].includes(status);

function targetOf({ headers, url }: Response): URL | null {
  const location = headers.get('location');
  return location !== null && URL.canParse(location, url) ? new URL(location, url) : null;
}
