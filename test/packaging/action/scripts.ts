// The script of the merge queue, run alone: which plan it checks.
import { strict as assert } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Bench } from '../bench.ts';
import type { Step } from '../part.ts';
import { type ForgeState, PULL, REPOSITORY, startForge, TOKENS } from './forge.ts';

/** A repository with a forge of its own. */
export interface ScriptRun {
  readonly forge: ForgeState;
  readonly git: (...args: string[]) => Promise<string>;
  /** Writes the network, commits it to the protected branch and resolves to the revision. */
  readonly commit: (groups: string, others?: string) => Promise<string>;
  /** Runs a step of a workflow; resolves to its outputs. */
  readonly script: (
    from: readonly [workflow: string, step: string],
    env: Readonly<Record<string, string>>,
    exit?: number,
  ) => Promise<string>;
}

/** The steps; each has a repository and a forge of its own. */
export function scripts(bench: Bench): Readonly<Record<string, Step>> {
  const withRepository = (name: string, check: (run: ScriptRun) => Promise<void>) => () =>
    inRepository(bench, name, check);
  return {
    'a merge queue takes the plan that has not expired': withRepository('queue', async one => {
      const { base, head } = await planned(one);
      await queues(one, base, `run=5\nname=network-plan-${head}\n`);
    }),
    'a merge queue fails without a plan, unless the network does not change': withRepository(
      'unplanned',
      async one => {
        const { base, head } = await planned(one);
        one.forge.artifacts = one.forge.artifacts.map(was => ({ ...was, isExpired: true }));
        await queues(one, base, '', 1);
        one.forge.artifacts = [];
        await queues(one, base, '', 1);
        await queues(one, 'f'.repeat(head.length), '', 1);
        await one.commit('b', 'another file');
        await queues(one, head, '');
      },
    ),
  };
}

/** A pull request with a plan that has expired, and a newer one. */
export async function planned({ commit, forge }: ScriptRun) {
  const base = await commit('a');
  const head = await commit('b');
  const plan = { name: `network-plan-${head}`, head };
  forge.head = head;
  const run = { workflow: 'pull-request.yml', event: 'pull_request', conclusion: 'success', head };
  forge.runs = [
    { ...run, id: 6 },
    { ...run, id: 5 },
  ];
  forge.artifacts = [
    { ...plan, run: 6, isExpired: true },
    { ...plan, run: 5 },
  ];
  return { base, head };
}

/** Expects what the search for the plan of a pull request outputs. */
export async function queues(
  { script }: ScriptRun,
  base: string,
  outputs: string,
  exit = 0,
): Promise<void> {
  const queue = `refs/heads/gh-readonly-queue/main/pr-${PULL}-${base}`;
  const env = { HEAD: queue, BASE: base, WORKFLOW: 'pull-request.yml' };
  assert.equal(await script(['merge-queue.yml', 'plan'], env, exit), outputs);
}

/** Runs a test in a repository with a forge of its own. */
export async function inRepository(
  bench: Bench,
  name: string,
  check: (run: ScriptRun) => Promise<void>,
): Promise<void> {
  const { state: forge, url, close } = await startForge();
  const cwd = join(bench.scratch, `script-${name}`);
  await mkdir(join(cwd, 'network'), { recursive: true });
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
    return (await bench.run('git', [...who, ...args], { cwd })).stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch', 'main');
  const job = {
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: REPOSITORY,
    TOKEN: TOKENS.job,
    NETWORK: 'network',
    GITHUB_OUTPUT: join(cwd, '.git/outputs'),
  };
  const commit = async (groups: string, others = '') => {
    await writeFile(join(cwd, 'network/groups.yaml'), `groups: [{ name: ${groups} }]\n`);
    await writeFile(join(cwd, 'README.md'), others);
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'A change');
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    return git('rev-parse', 'HEAD');
  };
  const script: ScriptRun['script'] = async ([workflow, step], env, exit = 0) => {
    await writeFile(job.GITHUB_OUTPUT, '');
    const text = await scriptOf(join(bench.root, 'examples/github', workflow), step);
    // As a runner starts the script of a step.
    const options = { cwd, env: { ...bench.env, ...job, ...env }, exit };
    await bench.run('bash', ['-e', '-c', text], options);
    return readFile(job.GITHUB_OUTPUT, 'utf8');
  };
  await check({ forge, git, commit, script }).finally(close);
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly id?: string; readonly run?: string }[] }>
  >;
}

async function scriptOf(file: string, step: string): Promise<string> {
  const { jobs } = parse(await readFile(file, 'utf8')) as Workflow;
  const found = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ id }) => id === step));
  return found[0]?.run ?? assert.fail(`${file} has no step ${step}`);
}
