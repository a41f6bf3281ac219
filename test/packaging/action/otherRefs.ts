// Under act: tags, other branches and refs of bases that a writer pushes change nothing in the account.
import { strict as assert } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Bench, Ended } from '../bench.ts';
import type { Step } from '../part.ts';
import { recordedBases } from '../recordedBases.ts';
import { REPOSITORY } from './forge.ts';
import { createdOn, killedRun, NETWORKS, networksWith } from './killed.ts';
import { push, type Stage } from './stage.ts';

const MERGE = 'merge.yml';

/** The steps. They start from the account that the last merge left. */
export async function otherRefs(
  bench: Bench,
  stage: Stage,
): Promise<Readonly<Record<string, Step>>> {
  const { account, accountId, forge, pipeline, run, names } = stage;
  const { git } = pipeline;
  const merge = async (exit: number, head: string) =>
    run(exit, { workflow: MERGE, ...push(head, head) });
  const dispatchOn = async (ref: string, workflow: string) =>
    run(0, {
      ...dispatch(ref, await git('rev-parse', 'HEAD')),
      workflow,
    });
  return {
    'a dispatch on another branch, or on a tag with the name of the protected branch, does nothing':
      async () => {
        const before = [account.requests.length, JSON.stringify(forge.issues)];
        for (const ref of ['refs/heads/change', 'refs/tags/main'])
          for (const workflow of [MERGE, 'schedule.yml']) await dispatchOn(ref, workflow);
        assert.deepEqual([account.requests.length, JSON.stringify(forge.issues)], before);
      },
    'the next merge finishes a killed apply, and uses no run, artifact or journal of others':
      async () => {
        const head = await pipeline.commit(networksWith('t'));
        const before = createdOn(stage);
        await killedRun(bench, stage, head, ['bin/meshform.js', 'apply']);
        const done = createdOn(stage) - before;
        await dispatchOn('refs/tags/main', MERGE);
        await leaveForgedJournal(stage, await commitOfTag(stage, head));
        await addForgedRun(stage);
        const { stdout } = await merge(0, head);
        assert.match(stdout, /no key of this run|decides nothing/);
        const made = (await names('networks')).filter(name => name.startsWith('t'));
        assert.equal(made.length, NETWORKS.length);
        assert.equal(createdOn(stage) - before, NETWORKS.length, `${done} before the kill`);
      },
    'of two waiting merges the newer one is applied, whatever is dispatched on other refs':
      async () => {
        const workflow: Workflow = parse(
          await readFile(join(bench.root, 'examples/github', MERGE), 'utf8'),
        );
        const groups = (name: string) => ({
          'network/groups.yaml': `groups: [{ name: both }, { name: ${name} }]\n`,
        });
        const older = await pipeline.commit(groups('older'));
        const newer = await pipeline.commit(groups('newer'));
        const left = stillWaiting(workflow, [
          { ref: 'refs/heads/main', head: older },
          { ref: 'refs/heads/main', head: newer },
          { ref: 'refs/heads/change', head: newer },
          { ref: 'refs/tags/main', head: newer },
        ]);
        for (const { ref, head } of left)
          await (ref === 'refs/heads/main' ? merge(0, head) : dispatchOn(ref, MERGE));
        assert.deepEqual(await names('groups'), ['All', 'both', 'newer']);
      },
    'a base without the signature of an apply deletes nothing': async () => {
      await account.call('POST', '/api/groups', { name: 'victim' });
      const before = await names('groups');
      const ref = await refOfBase(stage);
      const right = await git('rev-parse', ref);
      const head = await pipeline.commit({ 'network/networks.yaml': 'networks: []\n' });
      const attacks: readonly (readonly [moved: string, why: RegExp])[] = [
        [await declaringCommit(stage), /its commit holds no base/],
        [await forgedBase(stage, right), /is not signed with a key of this run/],
      ];
      for (const [moved, why] of attacks) {
        await git('push', '--quiet', '--force', 'origin', `${moved}:${ref}`);
        await git('update-ref', ref, moved);
        const { stdout } = await merge(1, head);
        assert.match(stdout, why);
        assert.deepEqual(await names('groups'), before);
      }
      await git('push', '--quiet', '--force', 'origin', `${right}:${ref}`);
      await git('update-ref', ref, right);
      await merge(0, head);
      assert.deepEqual(await names('groups'), before);
    },
    // An empty runner has no note of a newer base. Only the journals in the remote name one.
    'an older signed base is refused, and if the journals are gone too, it deletes nothing that was created again or never declared here':
      async () => {
        const merged = async (files: Readonly<Record<string, string>>, exit = 0) =>
          merge(exit, await pipeline.commit(files));
        const newer = { 'network/groups.yaml': 'groups: [{ name: newer }]\n' };
        await merged({ 'network/groups.yaml': 'groups: [{ name: newer }, { name: former }]\n' });
        const ref = await refOfBase(stage);
        const older = await git('rev-parse', ref);
        await merged(newer);
        await account.call('POST', '/api/groups', { name: 'former' });
        const before = await names('groups');
        assert.deepEqual(before, ['All', 'former', 'newer', 'victim']);
        await git('push', '--quiet', '--force', 'origin', `${older}:${ref}`);
        await git('update-ref', ref, older);
        const refused = await merged(newer, 1);
        assert.match(outputOf(refused), /the base there now, of \S+ does not follow it/);
        assert.deepEqual(await names('groups'), before);
        await git('push', '--quiet', 'origin', `:refs/meshform-journal/${accountId}`);
        const accepted = await merged(newer);
        assert.match(
          outputOf(accepted),
          /is a different object that was created since, and it stays/,
        );
        assert.deepEqual(await names('groups'), before);
      },
  };
}

/** The output of a run, without the line breaks and the margin of its log. */
const outputOf = ({ stdout }: Ended): string =>
  stdout.replaceAll(/\n\[[^\]]*\]\s+\|\s+/g, ' ').replaceAll(/\s+/g, ' ');

/** The event of a dispatch. The workflows here skip their job on every ref except the protected branch. */
const dispatch = (ref: string, head: string) => ({
  event: 'workflow_dispatch',
  payload: { ref, repository: { full_name: REPOSITORY } },
  head,
  job: 'skipped',
});

/** Pushes a tag with the name of the branch, to a commit outside of its history. */
async function commitOfTag({ pipeline: { git } }: Stage, parent: string): Promise<string> {
  const tree = await git('rev-parse', `${parent}^{tree}`);
  const side = await git('commit-tree', tree, '-p', parent, '-m', 'On the side');
  await git('push', '--quiet', 'origin', `${side}:refs/tags/main`);
  return side;
}

/** Adds a newer run of a commit to the forge: it failed, and uploaded a journal that no apply wrote. */
async function leaveForgedJournal({ forge, pipeline }: Stage, head: string): Promise<void> {
  const id = 950;
  const folder = join(pipeline.artifacts, String(id), 'network-journal');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'forged.jsonl'), '{"forged":true}\n');
  forge.runs = [{ id, conclusion: 'failure', head }, ...forge.runs];
  forge.artifacts = [{ name: 'network-journal', run: id, head }, ...forge.artifacts];
}

/** Adds the journal of an unfinished apply to the journals in the remote, without a valid signature. */
async function addForgedRun({ accountId, pipeline: { git, at } }: Stage): Promise<void> {
  const ref = `refs/meshform-journal/${accountId}`;
  await git('fetch', '--quiet', 'origin', `+${ref}:${ref}`);
  const files = (await git('ls-tree', ref)).split('\n');
  const entries = files.filter(entry => entry.endsWith('.jsonl'));
  const [, name = ''] = entries.at(-1)?.split('\t') ?? [];
  const [, run = ''] = /_(.+)\.jsonl$/.exec(name) ?? [];
  const forged = '00000000-0000-4000-8000-000000000000';
  const text = (await git('show', `${ref}:${name}`)).replaceAll(run, forged);
  await writeFile(at('forged.jsonl'), `${text}\n`);
  const blob = await git('hash-object', '-w', at('forged.jsonl'));
  await git('read-tree', '--prefix=journals/', ref);
  await git(
    'update-index',
    '--add',
    '--cacheinfo',
    `100644,${blob},journals/${name.replace(run, forged)}`,
  );
  const tree = await git('write-tree', '--prefix=journals/');
  await git('reset', '--quiet');
  const commit = await git('commit-tree', tree, '-m', 'The journals of the last applies');
  await git('push', '--quiet', '--force', 'origin', `${commit}:${ref}`);
}

interface Workflow {
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<Record<string, { readonly concurrency?: { readonly group: string } }>>;
}

interface Waiting {
  readonly ref: string;
  readonly head: string;
}

/**
 * The runs that still wait when an apply ends. A forge keeps the newest waiting run of each concurrency group, and does so before it
 * evaluates the condition of the job.
 */
function stillWaiting(
  { concurrency, jobs }: Workflow,
  runs: readonly Waiting[],
): readonly Waiting[] {
  const group = concurrency?.group ?? jobs.apply?.concurrency?.group ?? assert.fail('no group');
  const kept = new Map<string, Waiting>();
  for (const run of runs) kept.set(group.replaceAll('${{ github.ref }}', run.ref), run);
  return [...kept.values()];
}

/** Fetches the bases, and resolves to the ref of the base of the network. */
async function refOfBase({ pipeline: { git } }: Stage): Promise<string> {
  const bases = await recordedBases((...args) => git(...args));
  return [...bases.keys()][0] ?? assert.fail('there is no base');
}

/** A commit whose files declare an object that somebody else created. */
async function declaringCommit({ pipeline: { git, at } }: Stage): Promise<string> {
  const file = at('declaring.yaml');
  await writeFile(file, 'groups: [{ name: newer }, { name: victim }]\n');
  const blob = await git('hash-object', '-w', file);
  await git('update-index', '--cacheinfo', `100644,${blob},network/groups.yaml`);
  const tree = await git('write-tree');
  await git('reset', '--quiet');
  return git('commit-tree', tree, '-p', 'HEAD', '-m', 'Declares an object of somebody else');
}

/** A base that declares this object as well, with the signature of the previous base. */
async function forgedBase({ pipeline: { git, at } }: Stage, base: string): Promise<string> {
  const document = JSON.parse(await git('show', `${base}:base.json`));
  const [group] = document.objects.filter((one: { kind: string }) => one.kind === 'group');
  document.objects.push({ ...group, key: 'victim', fields: { ...group.fields, name: 'victim' } });
  await writeFile(at('base.json'), JSON.stringify(document));
  await writeFile(at('base.json.hmac'), `${await git('show', `${base}:base.json.hmac`)}\n`);
  for (const name of ['base.json', 'base.json.hmac']) {
    const blob = await git('hash-object', '-w', at(name));
    await git('update-index', '--add', '--cacheinfo', `100644,${blob},forged/${name}`);
  }
  const tree = await git('write-tree', '--prefix=forged/');
  await git('reset', '--quiet');
  const parents = [`${base}^1`, base].flatMap(parent => ['-p', parent]);
  return git('commit-tree', tree, ...parents, '-m', 'A forged base');
}
