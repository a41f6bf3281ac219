// Pipelines that are killed in the middle of an apply: the next run finishes them without doubling anything.
import { strict as assert } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Step } from '../part.ts';
import { recordedBases } from '../recordedBases.ts';
import { kill } from './pipeline.ts';
import { push, type Stage } from './stage.ts';

/** More than an apply has made when it is killed. */
export const NETWORKS = ['n1', 'n2', 'n3', 'n4', 'n5'];

/** The files of networks whose names begin with a prefix. */
export const networksWith = (prefix: string) => ({
  'network/networks.yaml': `networks:\n${NETWORKS.map(name => `  - name: ${prefix}${name}\n`).join('')}`,
});

/**
 * Starts the apply of a pushed revision, and kills processes after the third write is done and before its answer is there.
 * Resolves to the id of the run once the run has ended.
 */
export async function killedRun(
  bench: Bench,
  { wire, begin }: Stage,
  head: string,
  words: readonly string[],
): Promise<number> {
  const { id, ended } = begin({ workflow: 'merge.yml', ...push(head, head) });
  let isCut = false;
  const dead = wire.cutAt(3).then(() => {
    isCut = true;
    return kill(bench, ...words);
  });
  await Promise.race([
    dead,
    ended.then(({ stdout }) => {
      if (isCut) return;
      throw new Error(`the run ended before it was killed\n${stdout.slice(-4_000)}`);
    }),
  ]);
  await ended;
  wire.heal();
  return id;
}

/** The steps; the account is as the last merge left it. */
export async function killedRuns(
  bench: Bench,
  stage: Stage,
): Promise<Readonly<Record<string, Step>>> {
  const { account, forge, pipeline, run, names } = stage;
  const workflow = 'merge.yml';
  const created = () =>
    account.requests.filter(
      ({ method, path, status }) =>
        method === 'POST' && /\/api\/(?:networks|setup-keys)$/.test(path) && status < 300,
    ).length;
  const killed = async (prefix: string, ...words: string[]): Promise<string> => {
    const head = await pipeline.commit(networksWith(prefix));
    const id = await killedRun(bench, stage, head, words);
    forge.runs = [dropped, await forged(head), { id, conclusion: 'failure', head }, ...forge.runs];
    const there = (await names('networks')).filter(name => name.startsWith(prefix));
    assert.ok(there.length > 0 && there.length < NETWORKS.length, `half is done: ${there}`);
    return head;
  };
  // A run of a fork, on a branch of the same name, with a journal that it has written itself.
  const forged = async (head: string) => {
    const folder = join(pipeline.artifacts, '900/network-journal');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'forged.jsonl'), '{"forged":true}\n');
    const artifact = { name: 'network-journal', run: 900, head, isOfFork: true };
    forge.artifacts = [artifact, ...forge.artifacts];
    return {
      id: 900,
      conclusion: 'failure',
      head,
      event: 'pull_request',
      from: 'mallory/network',
    };
  };
  const dropped = { id: 901, conclusion: 'cancelled', head: '' };
  const finished = async (prefix: string, head: string): Promise<string> => {
    const { stdout } = await run(0, { workflow, ...push(head, head) });
    const all = (await names('networks')).filter(name => name.startsWith(prefix));
    assert.deepEqual(
      all,
      NETWORKS.map(name => `${prefix}${name}`),
    );
    const bases = await recordedBases((...args) => pipeline.git(...args));
    assert.deepEqual([...bases.values()], [head], 'the base is recorded');
    return stdout;
  };
  return {
    'an apply that is killed is finished by the next run, with its journal': async () => {
      const before = created();
      const head = await killed('a', 'bin/meshform.js', 'apply');
      const stdout = await finished('a', head);
      assert.match(stdout, /Success - Main Resume it/);
      assert.match(stdout, /done already/);
      assert.equal(created() - before, NETWORKS.length, 'nothing is created twice');
    },
    'a change that was reverted since is not completed from its journal': async () => {
      const before = await names('networks');
      await killed('r', 'bin/meshform.js', 'apply');
      const head = await pipeline.commit(networksWith('a'));
      const stdout = await finished('a', head);
      assert.doesNotMatch(stdout, /Main Resume it/);
      assert.deepEqual(await names('networks'), before, 'nothing of the change is left');
    },
    'and without its journal, where the runner is lost with it': async () => {
      const before = created();
      const head = await killed('b', '');
      const stdout = await finished('b', head);
      assert.doesNotMatch(stdout, /done already/);
      assert.doesNotMatch(stdout, /Main Resume it/, 'a journal of a fork is not resumed');
      assert.equal(created() - before, NETWORKS.length, 'nothing is created twice');
    },
  };
}
