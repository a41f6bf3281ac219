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

interface WorkflowRun {
  readonly id: number;
  readonly conclusion: string;
  /** The conclusion of its job; that of the run if omitted. */
  readonly job?: string;
  /** The revision of the run. */
  readonly head: string;
  /** The name of its file; `merge.yml` if omitted. */
  readonly workflow?: string;
  /** `push` if omitted. */
  readonly event?: string;
  /** The repository of the branch; the own one if omitted. */
  readonly from?: string;
}

interface Artifact {
  readonly name: string;
  readonly run: number;
  /** The revision of its run. */
  readonly head: string;
  readonly isOfFork?: boolean;
  readonly isExpired?: boolean;
}

interface Fault {
  readonly call: RegExp;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the forge holds; tests look at it and change it. */
export interface ForgeState {
  readonly comments: Post[];
  readonly issues: Post[];
  /** Completed runs, the newest first. */
  runs: readonly WorkflowRun[];
  /** The newest first. */
  artifacts: readonly Artifact[];
  /** The head of the pull request. */
  head: string;
  /** Every call that was refused or is unknown. */
  readonly refused: string[];
  /** How calls are answered whose method and path match, instead of as they should be. */
  fault?: Fault | undefined;
  /** Called before a comment is written. */
  onComment?: ((body: string) => Promise<void>) | undefined;
}

/** Starts the forge. */
export async function startForge() {
  const state: ForgeState = {
    comments: [],
    issues: [],
    runs: [],
    artifacts: [],
    head: '',
    refused: [],
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
  const { fault } = state;
  if (fault?.call.test(`${method} ${pathname}`))
    return void response.writeHead(fault.status, fault.headers).end(fault.body);
  const token = request.headers.authorization?.replace(/^Bearer /, '');
  if (token !== TOKENS.job && token !== TOKENS.fork) return refuse(401);
  if (token === TOKENS.fork && method !== 'GET') return refuse(403);
  const body = ['GET', 'DELETE'].includes(method) ? {} : JSON.parse(await text(request));
  if (typeof body.body === 'string' && body.body.length > 65_536) return refuse(422);
  if (pathname.includes('/comments') && method !== 'GET') await state.onComment?.(body.body ?? '');
  const [, path = ''] = new RegExp(`^/repos/${REPOSITORY}(/.*)$`).exec(pathname) ?? [];
  const more = () => response.setHeader('link', `<${url}>; rel="prev", <${url}>; rel="next"`);
  const found = route(state, { method, path, query: searchParams, body, more });
  if (found === undefined) return refuse(pathname === '/user' ? 403 : 404);
  send(method === 'POST' ? 201 : 200, found);
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Says that there is another page. */
  readonly more: () => void;
  readonly body: { readonly title?: string; readonly body?: string; readonly state?: 'closed' };
}

function route(state: ForgeState, asked: Call): unknown {
  const { method, path, query, body } = asked;
  const { comments, issues } = state;
  const named = state.artifacts.filter(({ name }) => name === query.get('name'));
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
    `${method} ${path
      .replaceAll(/\/[0-9a-f]{40}(?=\/|$)/g, '/{sha}')
      .replaceAll(/\/\d+(?=\/|$)/g, '/{id}')
      .replace(/[\w-]+\.yml/, '{file}')}`
  ) {
    case 'GET /issues/{id}/comments':
      return paged(comments, asked);
    case 'POST /issues/{id}/comments':
      return post(comments);
    case 'PATCH /issues/comments/{id}':
      return patch(comments);
    case 'DELETE /issues/comments/{id}':
      return comments.splice(
        comments.findIndex(one => one.id === Number(id)),
        1,
      );
    case 'GET /issues':
      return paged(
        issues.filter(({ state: one }) => one === 'open'),
        asked,
      );
    case 'POST /issues':
      return post(issues);
    case 'PATCH /issues/{id}':
      return patch(issues);
    case 'GET /commits/{sha}/pulls':
      return [{ number: PULL }];
    case 'GET /pulls/{id}':
      return { number: PULL, head: { sha: state.head } };
    case 'GET /actions/workflows/{file}/runs':
      return { workflow_runs: runsFor(state, asked).map(listedRun) };
    case 'GET /actions/runs/{id}/jobs': {
      const run = state.runs.find(one => path.includes(`/${one.id}/`));
      return run && { jobs: [{ name: 'apply', conclusion: run.job ?? run.conclusion }] };
    }
    case 'GET /actions/runs/{id}/artifacts':
      return {
        artifacts: named.filter(({ run }) => path.includes(`/${run}/`)).map(listedArtifact),
      };
    case 'GET /actions/artifacts':
      return { artifacts: named.map(listedArtifact) };
    default:
      return undefined;
  }
}

/** The runs of a workflow that a query asks for. */
function runsFor({ runs }: ForgeState, { path, query }: Call): readonly WorkflowRun[] {
  const revision = query.get('head_sha');
  const event = query.get('event');
  return runs.filter(
    run =>
      path.endsWith(`/${workflowOf(run)}/runs`) &&
      (revision === null || run.head === revision) &&
      (event === null || eventOf(run) === event),
  );
}

const workflowOf = ({ workflow = 'merge.yml' }: WorkflowRun): string => workflow;
const eventOf = ({ event = 'push' }: WorkflowRun): string => event;

// A tag and a branch of a fork can be called like the protected branch, so every run says that it is of that branch.
const listedRun = (run: WorkflowRun) => ({
  id: run.id,
  conclusion: run.conclusion || null,
  event: eventOf(run),
  path: `.github/workflows/${workflowOf(run)}@main`,
  head_sha: run.head,
  head_branch: 'main',
  head_repository: { full_name: run.from ?? REPOSITORY },
});

const listedArtifact = ({ run, head, isOfFork, isExpired = false }: Artifact) => ({
  expired: isExpired,
  workflow_run: {
    id: run,
    head_sha: head,
    repository_id: 1,
    head_repository_id: isOfFork ? 2 : 1,
  },
});

/** A post that somebody has written. */
export const postOf = (id: number, login: string, body: string): Post => ({
  id,
  number: id,
  user: { login },
  body,
  state: 'open',
});

/** The most that a page has, whatever is asked for. */
const PAGE = 50;

function paged(posts: readonly Post[], { query, more }: Call): readonly Post[] {
  const size = Math.min(Number(query.get('per_page')), PAGE);
  const page = Number(query.get('page'));
  if (page * size < posts.length) more();
  return posts.slice((page - 1) * size, page * size);
}
