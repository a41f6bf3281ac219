// The part of the forge's API that the action uses: comments, issues, and the pull request of a commit.
import type { Post } from './report.ts';

/** The connection to the forge. */
export interface ForgeOptions {
  readonly api: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
}

/** A call that the forge rejected. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  readonly status: number;

  constructor(status: number, what: string) {
    super(`the forge answered ${what} with status ${status}`);
    this.status = status;
  }
}

type Method = 'GET' | 'POST' | 'PATCH';

export type Forge = ReturnType<typeof forgeAt>;

const PAGE = 100;
/** More comments than any pull request written by people has. */
const PAGES = 50;
/** The user of the token that GitHub gives to a job. That token may not query its own user. */
const JOB_USER = 'github-actions[bot]';

/** The API calls of the action. */
export function forgeAt({ api, repository, token }: ForgeOptions) {
  const call = async (method: Method, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': 'meshform-action',
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new ForgeError(response.status, `${method} ${path}`);
    return response.json();
  };
  const repo = `/repos/${repository}`;
  const listed = async (path: string): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for (let page = 1; page <= PAGES; page += 1) {
      const items = await call(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}&page=${page}`,
      );
      if (!Array.isArray(items)) return found;
      for (const item of items) found.push(item);
      if (items.length < PAGE) return found;
    }
    return found;
  };
  return {
    /** The login of the token's user. */
    author: async (): Promise<string> => {
      try {
        return text(field(await call('GET', '/user'), 'login')) || JOB_USER;
      } catch (error) {
        if (error instanceof ForgeError && error.status < 500) return JOB_USER;
        throw error;
      }
    },
    comments: async (pull: number): Promise<readonly Post[]> =>
      (await listed(`${repo}/issues/${pull}/comments`)).map(postOf),
    createComment: (pull: number, body: string) =>
      call('POST', `${repo}/issues/${pull}/comments`, { body }),
    updateComment: (id: number, body: string) =>
      call('PATCH', `${repo}/issues/comments/${id}`, { body }),
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
