// Whether a run that has nothing to write takes the place of an earlier run. Such a run leaves no journal otherwise, and then
// nothing would show that the rest of the earlier run is not wanted any more.
import type { Plan } from '../../model/plan.ts';
import type { FoundJournal } from './foundJournal.ts';
import { type LaterRuns, overtakenBy } from './overtaken.ts';
import { isPlanOf, isVerified, unfinishedRuns, type VerifiedRun } from './remoteRuns.ts';
import { type HereRequest, unfinishedHere } from './unfinishedHere.ts';

/**
 * Whether a plan without actions for the files at `path` supersedes a run that somebody could still resume, once the plan is
 * complete. Rejects if git fails.
 */
export async function supersedesRun(
  { unselected }: Pick<Plan, 'unselected'>,
  asked: HereRequest,
  { onlyEnds = false }: { readonly onlyEnds?: boolean | undefined },
): Promise<boolean> {
  if (onlyEnds || unselected !== undefined) return false;
  for (const run of await openRuns(asked))
    if ((await overtakenBy(foundOf(run), laterRuns(asked))) === undefined) return true;
  return false;
}

/** Whether an undo without actions takes back a run that somebody could still resume. Rejects if git fails. */
export async function takesBackRun(journal: FoundJournal, later: LaterRuns): Promise<boolean> {
  if (journal.ended !== 'incomplete' && journal.ended !== 'cut off') return false;
  return (await overtakenBy(journal, later)) === undefined;
}

async function openRuns(asked: HereRequest): Promise<readonly VerifiedRun[]> {
  const { path, host, signer, journals } = asked;
  const here = await unfinishedHere(asked);
  if (!journals) return here;
  const there = (await unfinishedRuns(journals, signer)).filter(isVerified);
  return [...here, ...there.filter(({ read }) => isPlanOf(read.plan, { path, cwd: host.cwd }))];
}

const foundOf = ({ name, text, read }: VerifiedRun): FoundJournal => ({
  ...read,
  path: name,
  text,
});

const laterRuns = ({ journals, host, signer }: HereRequest): LaterRuns => ({
  journals,
  host,
  signer,
});
