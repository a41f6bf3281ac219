// A repository, a forge and an account, and the runs of the example workflows on them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startAccount, type TestAccount } from '../../support/account.ts';
import type { Bench, Ended } from '../bench.ts';
import { PULL, REPOSITORY, startForge, TOKENS } from './forge.ts';
import { newPipeline, type Run } from './pipeline.ts';
import { startWire } from './wire.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Opens everything, and closes it at the end of the part. */
export async function openStage(bench: Bench) {
  const account = await startAccount({ seed: 3 });
  bench.onEnd(account.close);
  const forge = await startForge();
  bench.onEnd(forge.close);
  const wire = await startWire(account.url);
  bench.onEnd(wire.close);
  const pipeline = await newPipeline(bench);
  const groups = await account.call('GET', '/api/groups');
  const [all] = Array.isArray(groups) ? groups : [];
  // A run waits for as long as the lock of a killed run lasts.
  const project = `account: ${all?.id}\nlock_ttl: 15\n`;
  await pipeline.commit({ 'network/meshform.yaml': project });
  const reader = await readerOf(account);
  let id = 0;
  const begin = ({ head = '', isOfFork = false, job: _, ...asked }: Asked) => {
    id += 1;
    const own = id;
    const { ended, said } = pipeline.start({
      token: TOKENS.job,
      api: forge.url,
      vars: { MESHFORM_URL: wire.url },
      secrets: { MESHFORM_READER: reader, MESHFORM_WRITER: account.token },
      ...asked,
      id: own,
    });
    const noted = ended.then(end => {
      const folder = join(pipeline.artifacts, String(own));
      const uploaded = (existsSync(folder) ? readdirSync(folder) : []).map(name => ({
        name,
        run: own,
        head,
        isOfFork,
      }));
      forge.state.artifacts = [...uploaded, ...forge.state.artifacts];
      return end;
    });
    return { id: own, ended: noted, said };
  };
  /** Runs a workflow to its end, and notes how it ended as a forge would. */
  const run = async (exit: number, asked: Asked): Promise<Ended> => {
    const { id: own, ended } = begin(asked);
    const end = await ended;
    if (end.code !== exit)
      throw new Error(
        `exit code ${end.code} instead of ${exit}\n${end.stdout.slice(-6_000)}${end.stderr}`,
      );
    const conclusion = end.code === 0 ? 'success' : 'failure';
    const { workflow, event, head = '', job } = asked;
    const noted = { id: own, workflow, event, head, conclusion, ...(job && { job }) };
    forge.state.runs = [noted, ...forge.state.runs];
    return end;
  };
  const names = async (path: string): Promise<readonly string[]> => {
    const list = await account.call('GET', `/api/${path}`);
    return (Array.isArray(list) ? list : []).map(one => String(one.name)).sort();
  };
  const inRunner = async (runner: string, ...args: string[]): Promise<string> =>
    (await bench.run('git', ['-C', pipeline.at(runner), ...args])).stdout.trim();
  return {
    account,
    accountId: String(all?.id),
    forge: forge.state,
    pipeline,
    wire,
    begin,
    run,
    inRunner,
    names,
  };
}

type Asked = Pick<Run, 'workflow' | 'event' | 'payload'> &
  Partial<Run> & {
    /** The revision of the run, and whether it is one of a fork: what a forge knows of its artifacts. */
    readonly head?: string;
    readonly isOfFork?: boolean;
    /** The conclusion of its job, if that is not the conclusion of the run. */
    readonly job?: string;
  };

/** A token of an account that can only read. */
export async function readerOf({ call }: TestAccount): Promise<string> {
  const robot = { role: 'auditor', auto_groups: [], is_service_user: true, name: 'reader' };
  const { id } = Object(await call('POST', '/api/users', robot));
  const named = { name: 'pipeline', expires_in: 30 };
  return Object(await call('POST', `/api/users/${id}/tokens`, named)).plain_token.token;
}

/** Names that a shell would run, and a runner would take for its commands. */
const HOSTILE =
  '$(touch meshform-owned)`touch meshform-owned`"; touch meshform-owned #\n::error::meshform-owned';

/** The event of a pull request. An attacker chose its title and branch. */
export const pullRequest = (head: string, base: string, from: string = REPOSITORY) => ({
  head,
  isOfFork: from !== REPOSITORY,
  event: 'pull_request',
  payload: {
    number: PULL,
    pull_request: {
      number: PULL,
      title: HOSTILE,
      body: HOSTILE,
      head: { sha: head, ref: HOSTILE, repo: { full_name: from } },
      base: { sha: base, ref: 'main', repo: { full_name: REPOSITORY } },
    },
    repository: { full_name: REPOSITORY },
  },
});

/** The event of a push to the main branch. */
export const push = (head: string, before: string) => ({
  head,
  event: 'push',
  payload: { ref: 'refs/heads/main', before, after: head, repository: { full_name: REPOSITORY } },
});

/** The event of a merge queue. */
export const queued = (head: string, base: string) => ({
  event: 'merge_group',
  payload: {
    action: 'checks_requested',
    merge_group: {
      head_sha: head,
      base_sha: base,
      head_ref: `refs/heads/gh-readonly-queue/main/pr-${PULL}-${head}`,
    },
    repository: { full_name: REPOSITORY },
  },
});
