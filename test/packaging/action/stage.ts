// A repository, a forge and an account, and the runs of the example workflows on them.
import { startAccount } from '../../support/account.ts';
import type { Bench, Ended } from '../bench.ts';
import { PULL, REPOSITORY, startForge, TOKENS } from './forge.ts';
import { newPipeline, type Run } from './pipeline.ts';
import { startWire } from './wire.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Opens everything, and closes it at the end of the part. */
export async function openStage(bench: Bench) {
  const [account, forge, pipeline] = await Promise.all([
    startAccount({ seed: 3 }),
    startForge(),
    newPipeline(bench),
  ]);
  const wire = await startWire(account.url);
  for (const close of [account.close, forge.close, wire.close]) bench.onEnd(close);
  const groups = await account.call('GET', '/api/groups');
  const [all] = Array.isArray(groups) ? groups : [];
  await pipeline.commit({ 'network/meshform.yaml': `account: ${all?.id}\n` });
  let id = 0;
  const begin = (asked: Pick<Run, 'workflow' | 'event' | 'payload'> & Partial<Run>) => {
    id += 1;
    const run = pipeline.start({
      ...{ token: TOKENS.job, api: forge.url, vars: { MESHFORM_URL: wire.url } },
      secrets: { MESHFORM_READER: account.token, MESHFORM_WRITER: account.token },
      ...asked,
      id,
    });
    return { id, ended: run.ended };
  };
  /** Runs a workflow to its end, and notes how it ended as a forge would. */
  const run = async (exit: number, asked: Parameters<typeof begin>[0]): Promise<Ended> => {
    const { id: own, ended } = begin(asked);
    const end = await ended;
    if (end.code !== exit)
      throw new Error(
        `exit code ${end.code} instead of ${exit}\n${end.stdout.slice(-6_000)}${end.stderr}`,
      );
    const conclusion = end.code === 0 ? 'success' : 'failure';
    forge.state.runs = [{ id: own, conclusion }, ...forge.state.runs];
    return end;
  };
  const names = async (path: string): Promise<readonly string[]> => {
    const list = await account.call('GET', `/api/${path}`);
    return (Array.isArray(list) ? list : []).map(one => String(one.name)).sort();
  };
  return { account, forge: forge.state, pipeline, wire, begin, run, names };
}

/** What a forge says of a pull request. */
export const pullRequest = (head: string, base: string, from: string = REPOSITORY) => ({
  event: 'pull_request',
  payload: {
    number: PULL,
    pull_request: {
      number: PULL,
      head: { sha: head, ref: 'change', repo: { full_name: from } },
      base: { sha: base, ref: 'main', repo: { full_name: REPOSITORY } },
    },
    repository: { full_name: REPOSITORY },
  },
});

/** What a forge says of a push to the main branch. */
export const push = (head: string, before: string) => ({
  event: 'push',
  payload: { ref: 'refs/heads/main', before, after: head, repository: { full_name: REPOSITORY } },
});

/** What a forge says of a merge queue. */
export const queued = (head: string) => ({
  event: 'merge_group',
  payload: {
    action: 'checks_requested',
    merge_group: {
      head_sha: head,
      head_ref: `refs/heads/gh-readonly-queue/main/pr-${PULL}-${head}`,
    },
    repository: { full_name: REPOSITORY },
  },
});
