// Resumes an interrupted run from its journal. Completed actions are skipped; uncertain actions are
// looked up.
import { relative } from 'node:path';
import type { Allowance } from '../model/allowance.ts';
import { type EarlierRun, earlierRun } from '../model/journal.ts';
import { isFinishedBy } from '../report/run/forgedEnd.ts';
import { awaitsBase, isClosedUnfinished } from '../report/run/journalLines.ts';
import { alreadyApplied, applyPlan, underLock } from './applyPlan.ts';
import { appliedBefore } from './applySaved.ts';
import { baseSince } from './earlierRuns/baseSince.ts';
import { isClosedInBase } from './earlierRuns/closedInBase.ts';
import { closedRefusal } from './earlierRuns/closedRun.ts';
import type { FoundJournal } from './earlierRuns/foundJournal.ts';
import { overtakenBy } from './earlierRuns/overtaken.ts';
import { continuedElsewhere, keptHere } from './earlierRuns/remoteRuns.ts';
import type { ApplyHost } from './host.ts';
import type { Locked } from './lock/serverLock.ts';
import { asRun, onItsAccount } from './preconditions/accountOfPlan.ts';
import { declaredSince } from './preconditions/declaredSince.ts';
import { gatesOnAccount } from './preconditions/gates.ts';
import { notApproved } from './preconditions/openPlan.ts';
import { withoutAcceptance } from './preconditions/withoutAcceptance.ts';
import { isRefusal, type Overtaking, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** The approvals that a resumed run already has. */
export interface ResumeApproval {
  /** The digest of the approved plan. It covers the hazards that were accepted in the plan. */
  readonly approved?: string | undefined;
  /** The hazards that the project file accepts in every run. */
  readonly byProject?: readonly Allowance[];
}

/**
 * Continues the apply of a journal that `openJournal` has read. Without the digest of the approved
 * plan, the hazards of the remaining actions must be accepted again. A journal states which hazards
 * were accepted, but approves nothing.
 */
export async function resumeApply(
  journal: FoundJournal,
  asked: ApplyRequest,
  { approved, byProject = [] }: ResumeApproval = {},
): Promise<Applied | Refusal> {
  const { document, digest, contentDigest, path, ended } = journal;
  // The run should end as it would have ended without the interruption.
  const asRecorded = { ...asked, recordBase: asked.recordBase === true || journal.recordsBase };
  const other = notApproved(journal, { file: relative(asked.host.cwd, path), approved });
  if (other) return other;
  return onItsAccount<Applied | Refusal>(asRun(journal), asRecorded, async lock => {
    const request = underLock(asRecorded, lock);
    const { host } = request;
    const notResumed = await overtakenRefusal(journal, lock, host);
    if (notResumed) return notResumed;
    const { isCopy = false } = journal;
    const earlier = earlierRunIn(journal);
    const plan =
      approved === undefined ? withoutAcceptance(journal.plan, earlier, byProject) : journal.plan;
    const saved = { plan, document, digest, contentDigest };
    if (ended === 'complete')
      return awaitsBase(journal.text)
        ? appliedBefore(saved, journal, { request, lock })
        : alreadyApplied(saved, earlier, path);
    const isLeast = earlier.isCopy === true;
    host.tell({ note: 'resuming', plan, done: earlier.done.size, isLeast });
    const judged = await gatesOnAccount(plan, request, earlier);
    if (isRefusal(judged)) return judged;
    const since = await declaredSince(plan, request, lock.signer);
    if (isRefusal(since)) return since;
    const { faults: forbidden } = since;
    if (isCopy && lock.failure) return lock.failure;
    const continues = isCopy ? await keptHere(journal) : journal;
    const continued = { ...saved, lock, earlier, continues, forbidden };
    return applyPlan({ ...continued, ...judged }, request);
  });
}

function earlierRunIn({ entries, isCopy, ended }: FoundJournal): EarlierRun {
  return {
    ...earlierRun(entries),
    ...(isCopy && { isCopy }),
    ...(ended === 'cut off' && { isCutOff: true }),
  };
}

// The reason not to resume a run under the lock: somebody else continues the run, the run was
// closed, or a later run has undone or replaced it.
async function overtakenRefusal(
  journal: FoundJournal,
  { signer, account }: Locked,
  host: ApplyHost,
): Promise<Refusal | undefined> {
  const { ended, plan } = journal;
  const { store } = account ?? {};
  const run = journal.chain?.run ?? '';
  const there = store && (await continuedElsewhere(store.journals, journal));
  const { folder } = plan;
  const isFinished = there !== undefined && isFinishedBy(there.text, signer);
  if (there && isFinished && isClosedUnfinished(there.text))
    return closedRefusal(run, there.text, folder);
  if (there) return { refused: 'journal-elsewhere', run, folder, isFinished };
  if (ended === 'closed' || (await isClosedInBase(run, plan, { host, signer })))
    return closedRefusal(run, journal.text, folder);
  if (ended === 'complete' && !awaitsBase(journal.text)) return undefined;
  const since = await baseSince(journal, { host, signer });
  const later: Overtaking | undefined =
    (await overtakenBy(journal, { journals: store?.journals, host, signer })) ??
    (since && { ...since, as: 'base' });
  return later && { refused: 'run-overtaken', run, folder: plan.folder, later };
}
