// The part of the forge's API that the action uses: comments, issues, and the pull request of a commit.
import { ForgeError, redirected, refusal, unreachable } from './forgeError.ts';
import type { Post } from './report.ts';

/** The connection to the forge. */
export interface ForgeOptions {
  readonly api: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
  /** Ends all calls. */
  readonly signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type Forge = ReturnType<typeof forgeAt>;

/** More comments than any pull request written by people has. */
const PAGES = 50;
/** More redirects than a renamed repository behind a proxy causes. */
const REDIRECTS = 5;
/** The user of the token that GitHub gives to a job. That token may not query its own user. */
const JOB_USER = 'github-actions[bot]';

/** The API calls of the action. */
export function forgeAt({ api, repository, token, signal }: ForgeOptions) {
  const answered = async (method: Method, path: string, body?: object): Promise<Response> => {
    const what = `${method} ${path}`;
    const ends = () => [AbortSignal.timeout(30_000), ...(signal ? [signal] : [])];
    const send = (url: string) =>
      fetch(url, {
        // A redirected write would be repeated as a GET, and taken for written. The token is for one origin only.
        redirect: 'manual',
        method,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'user-agent': 'meshform-action',
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any(ends()),
      }).catch(error => unreachable(what, error));
    let response = await send(`${api}${path}`);
    for (let count = 0; isRedirect(response); count += 1) {
      const to = targetOf(response);
      if (method !== 'GET' || to?.origin !== new URL(api).origin || count === REDIRECTS)
        throw redirected(what, to);
      response = await send(to.href);
    }
    if (!response.ok) throw await refusal(what, response);
    return response;
  };
  const call = async (method: Method, path: string, body?: object): Promise<unknown> => {
    const response = await answered(method, path, body);
    if (response.status === 204) return null;
    return response.json().catch(error => unreachable(`${method} ${path}`, error));
  };
  const repo = `/repos/${repository}`;
  const listed = async (path: string): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for (let page = 1; page <= PAGES; page += 1) {
      const paged = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
      const response = await answered('GET', paged);
      const items = await response.json().catch(error => unreachable(`GET ${path}`, error));
      // Taken for an empty list, it would lead to a second comment.
      if (!Array.isArray(items)) throw new ForgeError(`GET ${path} returned no list`);
      for (const item of items) found.push(item);
      // Servers have pages of different sizes; all of them name the next one.
      if (!/;\s*rel="?next"?/.test(response.headers.get('link') ?? '')) return found;
    }
    return found;
  };
  return {
    /** The login of the token's user. */
    author: async (): Promise<string> => {
      try {
        return text(field(await call('GET', '/user'), 'login')) || JOB_USER;
      } catch (error) {
        if (error instanceof ForgeError && error.isForbidden) return JOB_USER;
        throw error;
      }
    },
    comments: async (pull: number): Promise<readonly Post[]> =>
      (await listed(`${repo}/issues/${pull}/comments`)).map(postOf),
    createComment: (pull: number, body: string) =>
      call('POST', `${repo}/issues/${pull}/comments`, { body }),
    updateComment: (id: number, body: string) =>
      call('PATCH', `${repo}/issues/comments/${id}`, { body }),
    deleteComment: (id: number) => call('DELETE', `${repo}/issues/comments/${id}`),
    openIssues: async (): Promise<readonly Post[]> =>
      (await listed(`${repo}/issues?state=open`))
        .filter(issue => field(issue, 'pull_request') === undefined)
        .map(issue => ({ ...postOf(issue), id: Number(field(issue, 'number')) })),
    createIssue: (title: string, body: string) => call('POST', `${repo}/issues`, { title, body }),
    updateIssue: (number: number, body: string) =>
      call('PATCH', `${repo}/issues/${number}`, { body }),
    closeIssue: (number: number, body: string) =>
      call('PATCH', `${repo}/issues/${number}`, { body, state: 'closed' }),
    /** The pull request of a pushed commit. */
    pullOf: async (revision: string): Promise<number | null> => {
      const pulls = await listed(`${repo}/commits/${revision}/pulls`);
      const numbers = pulls.map(pull => Number(field(pull, 'number'))).filter(Number.isInteger);
      return numbers[0] ?? null;
    },
  };
}

const isRedirect = ({ status }: Response): boolean => [301, 302, 303, 307, 308].includes(status);

function targetOf({ headers, url }: Response): URL | null {
  const location = headers.get('location');
  return location !== null && URL.canParse(location, url) ? new URL(location, url) : null;
}

function postOf(item: unknown): Post {
  return {
    id: Number(field(item, 'id')),
    author: text(field(field(item, 'user'), 'login')),
    body: text(field(item, 'body')),
  };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(name);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
