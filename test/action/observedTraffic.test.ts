// The workflows that observe traffic and propose to tighten: which store they continue, and what they propose.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { serve } from '../api/loopback.ts';

const REPOSITORY = 'example/network';
const HEAD = 'a'.repeat(40);
/** A commit in the history of the branch, and one that is not. */
const MERGED = 'b'.repeat(40);
const ELSEWHERE = 'c'.repeat(40);

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface ListedRun {
  readonly id: number;
  readonly event: string;
  readonly conclusion: string;
  readonly head_branch: string;
  readonly head_sha: string;
  readonly path: string;
  readonly head_repository: { readonly full_name: string };
}

const listed = (id: number, other: Partial<ListedRun> = {}): ListedRun => ({
  id,
  event: 'schedule',
  conclusion: 'success',
  head_branch: 'main',
  head_sha: MERGED,
  path: '.github/workflows/observe.yml@main',
  head_repository: { full_name: REPOSITORY },
  ...other,
});

function stepOf(workflow: string, name: string): Step {
  const file = new URL(`../../examples/github/${workflow}`, import.meta.url);
  const { jobs }: { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> } =
    parse(readFileSync(file, 'utf8'));
  const found = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find(step => step.name === name);
  if (found === undefined) throw new Error(`${workflow} has no step ${name}`);
  return found;
}

interface Forge {
  readonly runs: readonly ListedRun[];
  /** Of each run, whether its artifact has expired. */
  readonly isExpired: ReadonlyMap<number, boolean>;
  readonly open: readonly { readonly number: number }[];
  readonly status: number;
}

/** A folder, a forge, and how a step of a workflow runs there. */
async function newScene(given: Partial<Forge> = {}) {
  const forge: Forge = { runs: [], isExpired: new Map(), open: [], status: 200, ...given };
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const written: { readonly call: string; readonly body: unknown }[] = [];
  const port = await serve(async (request, response) => {
    const { method = '', url = '' } = request;
    const body = await text(request);
    if (method !== 'GET') written.push({ call: `${method} ${url}`, body: JSON.parse(body) });
    const [, run] = /\/runs\/(\d+)\/artifacts/.exec(url) ?? [];
    const [, compared] = new RegExp(`/compare/(\\w+)\\.\\.\\.${HEAD}$`).exec(url) ?? [];
    const expired = forge.isExpired.get(Number(run));
    const answer = compared
      ? { status: compared === MERGED ? 'ahead' : 'diverged' }
      : run
        ? { artifacts: expired === undefined ? [] : [{ expired }] }
        : url.includes('/pulls?')
          ? forge.open
          : { workflow_runs: forge.runs, html_url: 'https://example.com/pull/9' };
    response.writeHead(forge.status).end(JSON.stringify(answer));
  });
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const run = async ({ run: script = '', env: own = {} }: Step, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GITHUB_API_URL: `http://127.0.0.1:${port}`,
        GITHUB_SERVER_URL: `file://${folder}/server`,
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_REPOSITORY_OWNER: 'example',
        GITHUB_OUTPUT: output,
        GITHUB_SHA: HEAD,
        RUNNER_TEMP: folder,
        ...own,
        TOKEN: 'secret-token',
        ...env,
      },
    });
    const [code, stdout, stderr] = await Promise.all([
      new Promise(settle => child.on('close', settle)),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr, output: readFileSync(output, 'utf8') };
  };
  return { folder, run, written };
}

const FINDERS = [
  ['observe.yml', 'Find the store of the last run'],
  ['tighten.yml', 'Find the store of the traffic'],
] as const;

test.each(FINDERS)('%s uses the newest store that a scheduled run of main kept', async (...at) => {
  const runs = [listed(9), listed(8), listed(7), listed(6)];
  const isExpired = new Map([
    [8, true],
    [7, false],
    [6, false],
  ] as const);
  const { run } = await newScene({ runs, isExpired });
  expect(await run(stepOf(...at))).toMatchObject({ code: 0, output: 'run=7\n' });
});

const FOREIGN: readonly Partial<ListedRun>[] = [
  { event: 'pull_request' },
  { event: 'workflow_dispatch' },
  { conclusion: 'failure' },
  { head_branch: 'other' },
  { path: '.github/workflows/forged.yml@main' },
  { head_repository: { full_name: 'mallory/network' } },
  { head_sha: ELSEWHERE },
];

test.each(FINDERS.flatMap(at => FOREIGN.map(other => [...at, other] as const)))(
  '%s, %s: uses no store of a run with %j',
  async (workflow, step, other) => {
    const { run } = await newScene({ runs: [listed(9, other)], isExpired: new Map([[9, false]]) });
    const { code, output } = await run(stepOf(workflow, step));
    expect(output).toBe('');
    expect(code).toBe(workflow === 'observe.yml' ? 0 : 1);
  },
);

test.each(FINDERS)('%s begins no new store if the forge does not respond', async (...at) => {
  const { run } = await newScene({ status: 500 });
  const { code, output } = await run(stepOf(...at));
  expect({ code, output }).toEqual({ code: expect.any(Number), output: '' });
  expect(code).not.toBe(0);
});

/** A repository with a file that `tighten --write` has edited, and a report of its findings. */
async function withFindings(given: Partial<Forge>) {
  const scene = await newScene(given);
  const { folder, run } = scene;
  const git = (line: string) =>
    run({ run: `git -c user.name=Mia -c user.email=mia@example.com ${line}` });
  mkdirSync(join(folder, 'network'));
  await git('init --quiet --initial-branch main');
  await git(`init --quiet --bare server/${REPOSITORY}.git`);
  writeFileSync(join(folder, 'network/policies.yaml'), 'ports: ["80", "443"]\n');
  await git('add network');
  await git('commit --quiet --message first');
  writeFileSync(join(folder, 'report.md'), '### meshform tighten\n$(touch hacked) `x` "quotes"\n');
  const propose = () =>
    run(stepOf('tighten.yml', 'Open or update the pull request'), {
      REPORT: join(folder, 'report.md'),
    });
  return { ...scene, git, propose };
}

test.each([
  [[], `POST /repos/${REPOSITORY}/pulls`],
  [[{ number: 9 }], `PATCH /repos/${REPOSITORY}/pulls/9`],
])('with the open pull requests %j, the request %s proposes the findings', async (open, call) => {
  const { folder, git, propose, written } = await withFindings({ open });
  writeFileSync(join(folder, 'network/policies.yaml'), 'ports: ["443"]\n');
  writeFileSync(join(folder, 'other.txt'), 'not of the network\n');
  const { code, stdout, stderr } = await propose();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe('https://example.com/pull/9\n');
  expect(written).toEqual([
    {
      call,
      body: {
        title: 'Remove access that nobody used',
        head: 'meshform/tighten',
        base: 'main',
        body: readFileSync(join(folder, 'report.md'), 'utf8'),
      },
    },
  ]);
  const pushed = await git(`--git-dir server/${REPOSITORY}.git show --stat meshform/tighten`);
  expect(pushed.stdout).toContain('network/policies.yaml');
  expect(pushed.stdout).not.toContain('other.txt');
});

test('nothing is proposed if no file changed', async () => {
  const { propose, written } = await withFindings({});
  expect(await propose()).toMatchObject({ code: 0 });
  expect(written).toEqual([]);
});
