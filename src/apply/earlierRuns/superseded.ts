// Determines whether a run that has nothing to write supersedes an earlier run. If it does, it
// leaves a journal. Without this journal, nothing would show that the rest of the earlier run is no
// longer wanted.
import type { Plan } from '../../model/plan.ts';
import { isAncestor } from '../../read/git/history.ts';
import { isOfEnds } from '../../report/run/journalLines.ts';
import { placeOf } from '../recordedBase/gitPlace.ts';
import { hasOtherEnds } from '../recordedBase/otherEnds.ts';
import type { FoundJournal } from './foundJournal.ts';
import { type LaterRuns, overtakenBy } from './overtaken.ts';
import { isPlanOf, isVerified, unfinishedRuns, type VerifiedRun } from './remoteRuns.ts';
import { type HereRequest, unfinishedHere } from './unfinishedHere.ts';

/** The run that may supersede earlier runs. */
interface Superseding {
  /** Whether the run only removes what has expired. It then supersedes only runs of the same kind. */
  readonly onlyEnds?: boolean | undefined;
  /** Whether the run records a base. */
  readonly recordsBase: boolean;
  /**
   * The ids of the runs that it closes in their own journals, and of the runs that it leaves open
   * on purpose.
   */
  readonly decided: ReadonlySet<string>;
}

/** A run that has nothing to write and leaves a journal. */
export interface IdleRun {
  /**
   * Whether the run records a base with other end times. If it does, an undo of the last apply does
   * not undo the apply before it.
   */
  readonly changesEnds: boolean;
}

/**
 * The run of a plan without actions for the files at `path`; undefined if it leaves no journal. It
 * leaves a journal if it supersedes an earlier run. It also leaves one if it changes end times and
 * no earlier run is open. If one were open, the journal would close it. Rejects if git fails.
 */
export async function idleRun(
  plan: Pick<Plan, 'unselected' | 'base' | 'folder'>,
  asked: HereRequest,
  superseding: Superseding,
): Promise<IdleRun | undefined> {
  const isSuperseding = await supersedesRun(plan, asked, superseding);
  const isChanging = superseding.recordsBase && (await hasOtherEnds(plan, asked.request.host));
  if (isSuperseding) return { changesEnds: isChanging };
  if (!isChanging || (await openRuns(asked)).length > 0) return undefined;
  return { changesEnds: true };
}

/**
 * Whether a plan without actions for the files at `path` supersedes a run that somebody could still
 * resume, once the plan is complete. If the history of these files never contained the revision of
 * a run, the run is not superseded, because it can be resumed where its revision is merged. Rejects
 * if git fails.
 */
async function supersedesRun(
  { unselected }: Pick<Plan, 'unselected'>,
  asked: HereRequest,
  { onlyEnds = false, decided }: Omit<Superseding, 'recordsBase'>,
): Promise<boolean> {
  if (unselected !== undefined) return false;
  for (const run of await openRuns(asked)) {
    if (onlyEnds && !isOfEnds(run.text)) continue;
    if (decided.has(run.run) || !(await isOfHistory(run, asked))) continue;
    if ((await overtakenBy(foundOf(run), laterRuns(asked))) === undefined) return true;
  }
  return false;
}

// A run without a revision recorded no base. It counts as a run of these files, because it is for their folder.
async function isOfHistory(
  { read: { plan } }: VerifiedRun,
  { path, request }: HereRequest,
): Promise<boolean> {
  if (plan.revision === undefined) return true;
  return (await isAncestor(placeOf(path, request.host), plan.revision, 'HEAD')) === true;
}

/**
 * Whether an undo without actions reverts a run that somebody could still resume. Rejects if git
 * fails.
 */
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
