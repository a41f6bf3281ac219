// Resumes an interrupted run from its journal: completed actions are skipped, and uncertain ones are looked up.
import { allowance } from '../model/allowance.ts';
import { earlierRun } from '../model/journal.ts';
import { alreadyApplied, applyPlan } from './applyPlan.ts';
import type { FoundJournal } from './journal/foundJournal.ts';
import { onItsAccount } from './preconditions/account.ts';
import { gatesOnAccount } from './preconditions/gates.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** Continues the apply of a journal that `openJournal` has read. */
export async function resumeApply(
  journal: FoundJournal,
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { plan, document, digest, contentDigest, entries, path, ended } = journal;
  const saved = { plan, document, digest, contentDigest };
  return onItsAccount<Applied | Refusal>(plan, request, async lock => {
    const earlier = earlierRun(entries);
    if (ended === 'complete') return alreadyApplied(saved, earlier, path);
    request.host.tell({ note: 'resuming', plan, done: earlier.done.size });
    // Hazards that were accepted for the run stay accepted, however often it is resumed.
    const before = journal.allow.flatMap(text => allowance(text) ?? []);
    const resumed = { ...request, allow: [...(request.allow ?? []), ...before] };
    const judged = await gatesOnAccount(plan, resumed, earlier);
    if (isRefusal(judged)) return judged;
    return applyPlan({ ...saved, lock, earlier, continues: path, ...judged }, resumed);
  });
}
