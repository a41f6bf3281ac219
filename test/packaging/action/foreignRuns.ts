// The script of the merge queue, run alone: it takes no plan from runs of another workflow, event or repository.
import type { Bench } from '../bench.ts';
import type { Step } from '../part.ts';
import { inRepository, planned, queues, type ScriptRun } from './scripts.ts';

/** The steps; each has a repository and a forge of its own. */
export function foreignRuns(bench: Bench): Readonly<Record<string, Step>> {
  const withRepository = (name: string, check: (run: ScriptRun) => Promise<void>) => () =>
    inRepository(bench, `foreign-${name}`, check);
  return {
    'a merge queue takes no plan of another workflow, event or repository': withRepository(
      'plan',
      async one => {
        const { base, head } = await planned(one);
        const of = { workflow: 'pull-request.yml', event: 'pull_request' };
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
  readonly workflow: string;
  readonly event: string;
  readonly from?: string;
}

/** A newer run that failed on a commit, and uploaded a plan. */
function uploads({ forge }: ScriptRun, head: string, forged: Forged): void {
  const id = 900 + forge.runs.length;
  forge.runs = [{ id, conclusion: 'failure', head, ...forged }, ...forge.runs];
  forge.artifacts = [{ name: `network-plan-${forge.head}`, run: id, head }, ...forge.artifacts];
}
