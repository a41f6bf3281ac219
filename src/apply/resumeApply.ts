// A run that was cut off goes on from its journal: what is done is not done again, and what may have happened is looked at.
import { allowance } from '../model/allowance.ts';
import { earlierRun } from '../model/journal.ts';
import { applyPlan } from './applyPlan.ts';
import type { FoundJournal } from './journal/foundJournal.ts';
import { withLock } from './lock/serverLock.ts';
import { otherAccount, otherServer } from './preconditions/account.ts';
import { gatesOnAccount } from './preconditions/gates.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** Continues the apply of a journal that `openJournal` has read. */
export async function resumeApply(
  journal: FoundJournal,
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { plan, digest, entries, path, ended } = journal;
  const { connection, host } = request;
  const elsewhere = otherServer(plan, request);
  if (elsewhere) return elsewhere;
  const place = { url: connection.url, path: plan.folder, journal: request.journal };
  return withLock<Applied | Refusal>(place, host, async lock => {
    const refusal = await otherAccount(plan, request);
    if (refusal) return refusal;
    const earlier = earlierRun(entries);
    if (ended === 'complete') return complete(journal);
    host.tell({ note: 'resuming', plan, done: earlier.done.size });
    // What was accepted for the run is accepted for all of it, however often it has to be resumed.
    const before = journal.allow.flatMap(text => allowance(text) ?? []);
    const resumed = { ...request, allow: [...(request.allow ?? []), ...before] };
    const judged = await gatesOnAccount(plan, resumed, earlier);
    if (isRefusal(judged)) return judged;
    return applyPlan({ plan, digest, lock, earlier, continues: path, ...judged }, resumed);
  });
}

function complete({ plan, entries, path }: FoundJournal): Applied {
  const { done } = earlierRun(entries);
  const outcomes = plan.actions.flatMap(({ id }) => done.get(id) ?? []);
  const result = { outcomes, requests: 0, written: 0 };
  return { plan, result, isAlreadyApplied: true, journal: path };
}
