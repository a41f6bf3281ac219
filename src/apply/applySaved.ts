// Carries out a saved plan exactly as it was approved, and only once.
import { readTransport } from '../api/transport/transport.ts';
import { earlierRun } from '../model/journal.ts';
import type { Plan } from '../model/plan.ts';
import type { ReadPlan } from '../report/plan/planFile.ts';
import { alreadyApplied, applyPlan, baseOf } from './applyPlan.ts';
import { type FoundJournal, journalOfPlan } from './journal/foundJournal.ts';
import { onItsAccount } from './preconditions/account.ts';
import { gatesOnAccount } from './preconditions/gates.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';
import { resultsLost } from './run/carryOut.ts';

/** Carries out a plan that `openPlan` has read. */
export async function applySaved(
  { plan, digest }: ReadPlan,
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { host, journal: file } = request;
  return onItsAccount<Applied | Refusal>(plan, request, async lock => {
    const journal = await journalOfPlan(plan, digest, { folder: lock.folder, file }, host);
    const done = journal?.ended === 'complete' ? await appliedBefore(plan, journal, request) : null;
    if (done) return done;
    const judged = await gatesOnAccount(plan, request);
    if (isRefusal(judged)) return judged;
    const applied = await applyPlan({ plan, digest, lock, ...judged }, request);
    return journal && !isRefusal(applied) ? { ...applied, earlier: journal.path } : applied;
  });
}

// A plan is approved once and carried out once: a second apply finds it completed, or stale. If the account is again as
// it was, another plan with the same actions may exist; then the preconditions decide.
async function appliedBefore(
  plan: Plan,
  { entries, path, plan: before }: FoundJournal,
  request: ApplyRequest,
): Promise<Applied | Refusal | null> {
  const { kinds, connection, host, concurrency, secrets } = request;
  const run = earlierRun(entries);
  const options = { now: host.now, concurrency, inputs: secrets.sources(plan.folder) };
  const addresses = await resultsLost({ kinds }, plan, run, readTransport(connection), options);
  if (addresses.length > 0)
    return plan.madeAt === before.madeAt ? { refused: 'changed-since', addresses } : null;
  const base = await baseOf(plan, request);
  return { ...alreadyApplied(plan, run, path), ...(base && { base }) };
}
