// The part of the forge's API that the action uses: comments, issues, and the pull request of a commit.
import { ForgeError } from './forgeError.ts';
import { type ForgeOptions, requestsOf } from './forgeRequests.ts';
import type { Post } from './report.ts';

export type Forge = ReturnType<typeof forgeAt>;

/** The user of the token that GitHub gives to a job. The API does not let this token query its own user. */
const JOB_USER = 'github-actions[bot]';

/** The API calls of the action. */
export function forgeAt(options: ForgeOptions) {
  const { call, listed } = requestsOf(options);
  const repo = `/repos/${options.repository}`;
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
