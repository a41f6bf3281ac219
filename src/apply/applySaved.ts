// Carries out a saved plan exactly as it was approved, and only once.
import { readTransport } from '../api/transport/transport.ts';
import { createdIn, earlierRun } from '../model/journal.ts';
import type { SavedPlan } from '../report/plan/savedPlan.ts';
import { alreadyApplied, applyPlan, baseOf, underLock } from './applyPlan.ts';
import { beginJournal } from './beginJournal.ts';
import { closingCopy } from './earlierRuns/closingCopy.ts';
import { type FoundJournal, journalOfPlan } from './earlierRuns/foundJournal.ts';
import { memberRemovingRuns } from './earlierRuns/memberRemovingRuns.ts';
import { journalToContinue, runOfPlan } from './earlierRuns/remoteRuns.ts';
import { decidingFor } from './earlierRuns/runLeftovers.ts';
import { idleRun } from './earlierRuns/superseded.ts';
import { closeAll, countedBy } from './earlierRuns/unfinished.ts';
import type { BeginsJournal, Locked } from './lock/serverLock.ts';
import { onItsAccount } from './preconditions/accountOfPlan.ts';
import { declaredSince } from './preconditions/declaredSince.ts';
import { gatesOnAccount } from './preconditions/gates.ts';
import { planOvertaken } from './preconditions/planOvertaken.ts';
import { unrecordableAgain } from './recordedBase/recordLater.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';
import { resultsLost } from './run/carryOut.ts';

/** Carries out a plan that `openPlan` has read. */
export async function applySaved(
  saved: SavedPlan,
  asked: ApplyRequest,
): Promise<Applied | Refusal> {
  const { plan } = saved;
  const { journal: file } = asked;
  const begins = beginningOf(saved, asked);
  return onItsAccount<Applied | Refusal>(plan, { ...asked, begins }, async lock => {
    const request = underLock(asked, lock);
    const { host } = request;
    const { signer } = lock;
    const here = await journalOfPlan(saved, { lock, file }, host);
    if (here && isRefusal(here)) return here;
    const { store } = lock.account ?? {};
    const there = store ? await runOfPlan(store.journals, saved.digest, lock.signer) : null;
    // A plan is not applied again in two cases: another machine has applied it, or its run on this
    // machine was killed after the remote had received the complete journal.
    const journal = there?.ended === 'complete' ? (completeOf(here) ?? there) : (here ?? there);
    if (journal?.ended === 'complete') return appliedBefore(saved, journal, { request, lock });
    const over =
      journal && (await planOvertaken(journal, { journals: store?.journals, host, signer }));
    if (over) return over;
    return continued(saved, journal, { request, lock });
  });
}

/** A request under the lock. */
interface LockedRequest {
  readonly request: ApplyRequest;
  readonly lock: Locked;
}

// Carries out a plan, except the actions that its unfinished run has completed.
async function continued(
  saved: SavedPlan,
  journal: FoundJournal | null | undefined,
  { request, lock }: LockedRequest,
): Promise<Applied | Refusal> {
  const { plan } = saved;
  const { host, kinds, onlyEnds } = request;
  const { signer } = lock;
  const { store } = lock.account ?? {};
  const judged = await gatesOnAccount(plan, request);
  if (isRefusal(judged)) return judged;
  const since = await declaredSince(plan, request, signer);
  if (isRefusal(since)) return since;
  if (since.unread.length > 0) return { refused: 'findings', findings: since.unread };
  const { faults: forbidden } = since;
  const open = journal && (await journalToContinue(journal, store?.journals, signer));
  const createdEarlier = createdIn(open?.entries ?? []);
  const counted = store ? await countedBy(plan, store.journals, signer) : [];
  const deciding = await decidingFor(counted, { path: plan.folder, kinds, host, plan });
  const onComplete = (run: string) => {
    if (!store) return undefined;
    return closeAll({ own: counted }, run, { journals: store.journals, now: host.now, deciding });
  };
  const known = { path: plan.folder, request, host, signer, journals: store?.journals };
  const unfinished = await memberRemovingRuns(known, lock.account);
  const decided = new Set(counted.map(({ run }) => run));
  const recordsBase = request.recordBase === true;
  const keptIdle = () => idleRun(plan, known, { onlyEnds, recordsBase, decided });
  const more = { createdEarlier, forbidden, onComplete, unfinished, keptIdle };
  const applied = await applyPlan({ ...saved, lock, ...judged, ...more }, request);
  return open && !isRefusal(applied) ? { ...applied, earlier: open.path } : applied;
}

const completeOf = (journal: FoundJournal | null): FoundJournal | null =>
  journal?.ended === 'complete' ? journal : null;

// Begins the journal before the lock is taken, so that the remote gets the lock and the journal in
// one push. This is possible because the plan is already known. Undefined if a person must confirm
// first, because nobody else may continue the run before the confirmation.
function beginningOf(saved: SavedPlan, request: ApplyRequest): BeginsJournal | undefined {
  if (request.confirm !== undefined || saved.plan.actions.length === 0) return undefined;
  return (signer, by) => beginJournal(saved, request, { signer, by });
}

/**
 * The result for a plan that an earlier run carried out. Records the base of the plan if it is not
 * recorded yet. A plan is approved once and carried out once, so a second apply finds that the plan
 * is complete or stale. A new plan with the same actions has another digest.
 */
export async function appliedBefore(
  saved: SavedPlan,
  journal: FoundJournal,
  { request, lock }: LockedRequest,
): Promise<Applied | Refusal> {
  const { plan } = saved;
  const { entries, path } = journal;
  const { kinds, connection, host, concurrency, secrets } = request;
  const run = earlierRun(entries);
  const options = { now: host.now, concurrency, inputs: secrets.sources(plan.folder, plan.layers) };
  const addresses = await resultsLost({ kinds }, plan, run, readTransport(connection), options);
  if (addresses.length > 0) return { refused: 'changed-since', addresses };
  const completed = { plan, outcomes: [...run.done.values()], kinds };
  const { store } = lock.account ?? {};
  const { signer } = lock;
  const journals = store?.journals;
  const refusal = request.recordBase
    ? await unrecordableAgain(completed, { host, signer, journals })
    : null;
  if (refusal) return refusal;
  const closing = await closingCopy(journal, { journals, now: host.now });
  if (closing.atRemote) store?.keep(closing.atRemote);
  const base = await baseOf({ ...completed, run: journal.chain?.run }, request, lock);
  if (base?.recorded) await closing.closeHere(base.recorded);
  return { ...alreadyApplied(saved, run, path), ...(base && { base }) };
}
