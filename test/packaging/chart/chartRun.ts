// A desired state in git goes through the CronJobs of the chart, in the image: applied, recorded, removed, and drift found.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/index.ts';
import type { Bench } from '../bench.ts';
import type { Unpacked } from '../contained.ts';
import { type CronJob, flags, jobsIn } from './chartJobs.ts';
import { RECORDED } from './chartValues.ts';
import { type Cluster, runPod } from './pods.ts';

interface Group {
  readonly id: string;
  readonly name: string;
}

const ADDRESS = 'https://git.example.com/team/network.git';

export async function checkPods(bench: Bench, unpacked: Unpacked): Promise<void> {
  const emulator = await startEmulator();
  bench.onEnd(() => emulator.close());
  const headers = { authorization: `Token ${emulator.token}`, 'content-type': 'application/json' };
  const groups = async (): Promise<readonly Group[]> =>
    (await (await fetch(`${emulator.url}/api/groups`, { headers })).json()) as Group[];
  const account = (await groups())[0]?.id ?? '';
  const { repository, commit, head } = await repositoryOf(bench, account);
  const cluster: Cluster = {
    repository,
    address: ADDRESS,
    secrets: {
      'meshform-reader': { token: emulator.token },
      'meshform-writer': { token: emulator.token },
    },
  };
  const [apply, drift] = await jobsFor(bench, emulator.url, account);
  const run = async (job: CronJob | undefined, code: number) => {
    assert.ok(job);
    const ended = await runPod(bench, unpacked, job, cluster);
    assert.equal(ended.code, code, ended.output);
  };
  const names = async () => (await groups()).map(({ name }) => name).sort();

  await commit('groups: [{ name: devs }, { name: ops }]\n');
  await run(apply, 0);
  assert.deepEqual(await names(), ['All', 'devs', 'ops']);
  assert.equal(
    await head(`refs/meshform-base/${account}/network^1`),
    await head('refs/heads/main'),
  );
  await run(drift, 0);

  await commit('groups: [{ name: devs }]\n');
  await run(apply, 0);
  assert.deepEqual(await names(), ['All', 'devs']);
  assert.equal(
    await head(`refs/meshform-base/${account}/network^1`),
    await head('refs/heads/main'),
  );

  const devs = (await groups()).find(({ name }) => name === 'devs')?.id;
  await fetch(`${emulator.url}/api/groups/${devs}`, { method: 'DELETE', headers });
  await run(drift, 2);
}

async function jobsFor(
  { run, tool, root }: Bench,
  url: string,
  account: string,
): Promise<readonly CronJob[]> {
  const values = {
    ...RECORDED,
    'account.url': url,
    'desiredState.git.url': ADDRESS,
    'apply.recordBase.account': account,
    'apply.args[0]': '--allow=DELETES_OBJECT',
    'apply.args[1]': '--allow=OVER_THRESHOLD',
  };
  const chart = join(root, 'charts/meshform');
  return jobsIn((await run(tool('helm'), ['template', 'net', chart, ...flags(values)])).stdout);
}

/** A bare repository that the pods clone and push to, and a clone of it that a person works in. */
async function repositoryOf({ run, scratch }: Bench, account: string) {
  const repository = join(scratch, 'network.git');
  const clone = join(scratch, 'network');
  await mkdir(clone);
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const git = async (...args: readonly string[]) =>
    (
      await run('git', ['-c', 'user.name=ci', '-c', 'user.email=ci@example.com', ...args], {
        cwd: clone,
      })
    ).stdout;
  await git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(clone, 'meshform.yaml'), `account: ${account}\nname: network\n`);
  const commit = async (network: string) => {
    await writeFile(join(clone, 'network.yaml'), network);
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'a change');
    // git works only in a repository of the user that calls it.
    await run('chown', ['--recursive', 'root:root', repository]);
    await git('push', '--quiet', '--force', repository, 'main');
    await run('chown', ['--recursive', '65532:65532', repository]);
  };
  const head = async (ref: string) => {
    const owned = ['-c', 'safe.directory=*', '--git-dir', repository];
    return (await run('git', [...owned, 'rev-parse', ref])).stdout;
  };
  return { repository, commit, head };
}
