// A stand-in for the API of a forge: comments, issues, pull requests, and what it knows of runs and artifacts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export const REPOSITORY = 'example/network';
/** The token of a job, and of a job for a fork: that one may only read. */
export const TOKENS = { job: 'token-of-the-job', fork: 'token-of-a-fork' } as const;
export const BOT = 'github-actions[bot]';
export const PULL = 7;

export interface Post {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly login: string };
  title?: string;
  body: string;
  state: 'open' | 'closed';
}

/** What the forge holds; tests look at it and change it. */
export interface ForgeState {
  readonly comments: Post[];
  readonly issues: Post[];
  /** Completed runs of the workflow, the newest first. */
  runs: readonly { readonly id: number; readonly conclusion: string }[];
  /** By name, the run that uploaded it. */
  readonly artifacts: Map<string, number>;
  /** The head of the pull request. */
  head: string;
  /** Every call that was refused or is unknown. */
  readonly refused: string[];
}

/** Starts the forge. */
export async function startForge() {
  const state: ForgeState = {
    ...{ comments: [], issues: [], runs: [], artifacts: new Map(), head: '', refused: [] },
  };
  const server = createServer((request, response) => {
    answer(state, request, response).catch(error => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    state,
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise(done => server.close(done)),
  };
}

async function answer(
  state: ForgeState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  const { pathname, searchParams } = new URL(url, 'http://forge');
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const refuse = (status: number) => {
    state.refused.push(`${status} ${method} ${pathname}`);
    send(status, { message: 'refused' });
  };
  const token = request.headers.authorization?.replace(/^Bearer /, '');
  if (token !== TOKENS.job && token !== TOKENS.fork) return refuse(401);
  if (token === TOKENS.fork && method !== 'GET') return refuse(403);
  const body = method === 'GET' ? {} : JSON.parse(await text(request));
  if (typeof body.body === 'string' && body.body.length > 65_536) return refuse(422);
  const [, path = ''] = new RegExp(`^/repos/${REPOSITORY}(/.*)$`).exec(pathname) ?? [];
  const found = route(state, { method, path, query: searchParams, body });
  if (found === undefined) return refuse(pathname === '/user' ? 403 : 404);
  send(method === 'POST' ? 201 : 200, found);
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: { readonly title?: string; readonly body?: string; readonly state?: 'closed' };
}

function route(state: ForgeState, { method, path, query, body }: Call): unknown {
  const { comments, issues, artifacts } = state;
  const [, id] = /\/(\d+)$/.exec(path) ?? [];
  const post = (into: Post[]): Post => {
    const made = postOf(into.length + 1, BOT, body.body ?? '');
    into.push({ ...made, ...(body.title !== undefined && { title: body.title }) });
    return made;
  };
  const patch = (within: Post[]): Post | undefined => {
    const found = within.find(one => one.id === Number(id));
    return found && Object.assign(found, body);
  };
  switch (
    `${method} ${path.replaceAll(/\/[0-9a-f]{40}(?=\/|$)/g, '/{sha}').replaceAll(/\/\d+(?=\/|$)/g, '/{id}')}`
  ) {
    case 'GET /issues/{id}/comments':
      return paged(comments, query);
    case 'POST /issues/{id}/comments':
      return post(comments);
    case 'PATCH /issues/comments/{id}':
      return patch(comments);
    case 'GET /issues':
      return paged(
        issues.filter(({ state: one }) => one === 'open'),
        query,
      );
    case 'POST /issues':
      return post(issues);
    case 'PATCH /issues/{id}':
      return patch(issues);
    case 'GET /commits/{sha}/pulls':
      return [{ number: PULL }];
    case 'GET /pulls/{id}':
      return { number: PULL, head: { sha: state.head } };
    case 'GET /actions/workflows/merge.yml/runs':
      return { workflow_runs: state.runs };
    case 'GET /actions/artifacts': {
      const run = artifacts.get(query.get('name') ?? '');
      return { artifacts: run === undefined ? [] : [{ workflow_run: { id: run } }] };
    }
    default:
      return undefined;
  }
}

/** A post that somebody has written. */
export const postOf = (id: number, login: string, body: string): Post => ({
  ...{ id, number: id, user: { login }, body },
  state: 'open',
});

function paged(posts: readonly Post[], query: URLSearchParams): readonly Post[] {
  const [size, page] = [Number(query.get('per_page')), Number(query.get('page'))];
  return posts.slice((page - 1) * size, page * size);
}
