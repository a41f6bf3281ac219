// Pipelines that are killed during an apply: the next run finishes the apply, and creates nothing twice.
import { strict as assert } from 'node:assert';
import type { Bench } from '../bench.ts';
import type { Step } from '../part.ts';
import { recordedBases } from '../recordedBases.ts';
import { kill } from './pipeline.ts';
import { push, type Stage } from './stage.ts';

/** More networks than an apply has created when it is killed. */
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

/** How many networks the account has created so far. */
export const createdOn = ({ account }: Stage): number =>
  account.requests.filter(
    ({ method, path, status }) =>
      method === 'POST' && /\/api\/networks$/.test(path) && status < 300,
  ).length;

/** The steps. They start from the account that the last merge left. */
export async function killedRuns(
  bench: Bench,
  stage: Stage,
): Promise<Readonly<Record<string, Step>>> {
  const { account, pipeline, run, names } = stage;
  const workflow = 'merge.yml';
  const half = async (prefix: string): Promise<void> => {
    const there = (await names('networks')).filter(name => name.startsWith(prefix));
    assert.ok(there.length > 0 && there.length < NETWORKS.length, `half is done: ${there}`);
  };
  const killed = async (prefix: string): Promise<string> => {
    const head = await pipeline.commit(networksWith(prefix));
    await killedRun(bench, stage, head, ['bin/meshform.js', 'apply']);
    await half(prefix);
    return head;
  };
  // Everything of the runner is gone: its processes, the files of its job, its home.
  const lost = async (prefix: string): Promise<string> => {
    const head = await pipeline.commit(networksWith(prefix));
    await pipeline.lose(await killedRun(bench, stage, head, ['']));
    await half(prefix);
    return head;
  };
  const finished = async (prefix: string, head: string): Promise<string> => {
    const { stdout } = await run(0, { workflow, ...push(head, head) });
    const all = (await names('networks')).filter(name => name.startsWith(prefix));
    assert.deepEqual(
      all,
      NETWORKS.map(name => `${prefix}${name}`),
    );
    const bases = await recordedBases((...args) => pipeline.git(...args));
    assert.deepEqual([...bases.values()], [head], 'the base is recorded');
    assert.match(stdout, UNFINISHED);
    return stdout;
  };
  return {
    'an apply that is killed is finished by the next run': async () => {
      const before = createdOn(stage);
      await finished('a', await killed('a'));
      assert.equal(createdOn(stage) - before, NETWORKS.length, 'nothing is created twice');
    },
    'a finished apply is not finished again: its journal is closed': async () => {
      const head = await pipeline.git('rev-parse', 'HEAD');
      const { stdout } = await run(0, { workflow, ...push(head, head) });
      assert.doesNotMatch(stdout, UNFINISHED);
    },
    'a killed apply whose change was reverted is not completed, and its objects are removed':
      async () => {
        const before = await names('networks');
        await killed('r');
        await finished('a', await pipeline.commit(networksWith('a')));
        assert.deepEqual(await names('networks'), before);
      },
    'after a runner was lost during an apply, the next run creates nothing twice': async () => {
      const before = createdOn(stage);
      await finished('b', await lost('b'));
      assert.equal(createdOn(stage) - before, NETWORKS.length);
    },
    'after a runner was lost during an apply and the change was reverted, the next run removes what the lost run created':
      async () => {
        const before = await names('networks');
        // A network of somebody else, with a name like those of the lost change, stays.
        await account.call('POST', '/api/networks', { name: 'xn9' });
        await lost('x');
        await finished('b', await pipeline.commit(networksWith('b')));
        assert.deepEqual(await names('networks'), [...before, 'xn9'].sort());
      },
  };
}

/** The note of a run about an unfinished apply. */
const UNFINISHED = /note: the apply [0-9a-f]{8} of /;
