// Runs that are not what their name says: which of them a merge takes a journal from, and a merge queue a plan. The scripts run alone.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Step } from '../part.ts';
import { failed, inScene, planned, queues, resumes, type Scene } from './scripts.ts';

/** The steps; each has a repository and a forge of its own. */
export function foreignRuns(bench: Bench): Readonly<Record<string, Step>> {
  const scene = (name: string, story: (scene: Scene) => Promise<void>) => () =>
    inScene(bench, `foreign-${name}`, story);
  return {
    'a journal of a tag that is called like the branch is not resumed': scene('tag', async one => {
      const head = await failed(one);
      uploads(one, await sideCommit(one, head));
      await resumes(one, 'run=5\n');
    }),
    'a journal of a commit that came with a merged branch is not resumed': scene(
      'merged',
      async one => {
        const head = await failed(one);
        const side = await sideCommit(one, head);
        uploads(one, side);
        await merged(one, side);
        await resumes(one, 'run=5\n');
      },
    ),
    'a journal of another workflow of the same commit is not resumed': scene(
      'workflow',
      async one => {
        const head = await failed(one);
        uploads(one, head, { workflow: 'forged.yml' });
        uploads(one, head, { event: 'pull_request' });
        uploads(one, head, { from: 'mallory/network' });
        await resumes(one, 'run=5\n');
      },
    ),
    'a journal of a commit with another text of the workflow is not resumed': scene(
      'text',
      async one => {
        await failed(one);
        await writes(one, '.github/workflows/merge.yml', 'another text');
        await resumes(one, '');
      },
    ),
    'a run that skipped its job hides no failed run': scene('skipped', async one => {
      const head = await failed(one);
      for (const conclusion of ['success', 'skipped'])
        one.forge.runs = [{ id: 910, conclusion, job: 'skipped', head }, ...one.forge.runs];
      await resumes(one, 'run=5\n');
    }),
    'a run that is started again after a newer one resumes nothing': scene('again', async one => {
      const head = await failed(one);
      const newer = await one.commit('b');
      one.forge.runs = [{ id: 8, conclusion: 'success', head: newer }, ...one.forge.runs];
      await one.git('checkout', '--quiet', '--detach', head);
      await resumes(one, '');
    }),
    'a merge queue takes no plan of another workflow, event or repository': scene(
      'plan',
      async one => {
        const { base, head } = await planned(one);
        const of = { workflow: 'pull-request.yml', event: 'pull_request', artifact: 'plan' };
        uploads(one, head, { ...of, workflow: 'forged.yml' });
        uploads(one, head, { ...of, event: 'push' });
        uploads(one, head, { ...of, from: 'mallory/network' });
        uploads(one, base, of);
        await queues(one, base, `run=5\nname=network-plan-${head}\n`);
      },
    ),
  };
}

interface Forged {
  readonly workflow?: string;
  readonly event?: string;
  readonly from?: string;
  /** What it uploads: a journal, if omitted. */
  readonly artifact?: string;
}

/** A newer run that failed on a commit, and uploaded something. */
function uploads({ forge }: Scene, head: string, forged: Forged = {}): void {
  const { artifact = 'journal', ...of } = forged;
  const id = 900 + forge.runs.length;
  const name = artifact === 'plan' ? `network-plan-${forge.head}` : 'network-journal';
  forge.runs = [{ id, conclusion: 'failure', head, ...of }, ...forge.runs];
  forge.artifacts = [{ name, run: id, head }, ...forge.artifacts];
}

/** A commit on top of another, with the same network, that only a tag has. */
async function sideCommit({ git }: Scene, parent: string): Promise<string> {
  const tree = await git('rev-parse', `${parent}^{tree}`);
  return git('commit-tree', tree, '-p', parent, '-m', 'On the side');
}

async function merged({ git }: Scene, side: string): Promise<void> {
  await git('merge', '--quiet', '--no-ff', '-m', 'A merge', side);
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}

async function writes({ git }: Scene, file: string, text: string): Promise<void> {
  const path = join(await git('rev-parse', '--show-toplevel'), file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Another workflow');
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}
