// Creates a plan and carries it out under one lock, so that no other apply can run in between.
import type { LeftObjects } from '../model/leftObjects.ts';
import type { Plan } from '../model/plan.ts';
import type { SharedRefs } from '../read/environment.ts';
import { savedPlan } from '../report/plan/savedPlan.ts';
import { applyPlan, underLock } from './applyPlan.ts';
import { evictingRuns } from './earlierRuns/evicting.ts';
import { tellOfCutOff } from './earlierRuns/foundJournal.ts';
import {
  closable,
  closeAll,
  NONE,
  tellUnfinished,
  uncountedLeft,
  unfinishedOf,
} from './earlierRuns/unfinished.ts';
import { knownByJournals, withKnown } from './earlierRuns/unfinishedHere.ts';
import { withLock } from './lock/serverLock.ts';
import { withRevision } from './recordedBase/revision.ts';
import { planErrors, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** The files, and how a plan for them is made. */
export interface MadePlan {
  readonly path: string;
  /**
   * `shared` has the bases of the account as the remote of its lock has them, if it has them. `left` is what applies that nobody
   * finished have created: it counts as declared by the base, or only gives names a meaning.
   */
  readonly plan: (shared: SharedRefs | undefined, left: LeftObjects) => Promise<Plan>;
  /** Whether nothing of earlier applies is left once this one is complete: it prunes, and is not limited to some objects. */
  readonly isWhole?: boolean;
}

/** Creates a plan for the files at `path` with `plan`, and carries it out. */
export async function planAndApply(
  { path, plan: make, isWhole = false }: MadePlan,
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { connection, kinds, host, secrets, journal, recordBase, accountLock } = request;
  const { url, token } = connection;
  const locking = { url, token, known: secrets.known, path, journal, accountLock };
  return withLock<Applied | Refusal>(locking, host, async lock => {
    const { store } = lock.account ?? {};
    const reading = { path, request: underLock(request, lock) };
    const { signer } = lock;
    const unfinished = store ? await unfinishedOf(store.journals, signer, reading) : NONE;
    if (store) tellUnfinished(unfinished, { isWhole, request });
    else await tellOfCutOff({ path, url, lock }, host);
    const asked = { ...reading, host, signer, journals: store?.journals };
    const known = await knownByJournals(asked);
    const evicting = await evictingRuns(asked, lock.account);
    const planReadAt = host.now();
    const left = isWhole ? unfinished : uncountedLeft(unfinished);
    const made = await make(store?.shared, withKnown(left, known));
    const planned = { ...made, server: url };
    const unsaved = recordBase ? await withRevision(planned, path, host) : planned;
    const saved = savedPlan(unsaved, kinds, host.now());
    const { plan, digest } = saved;
    host.tell({ note: 'planned', plan, digest });
    const refusal = planErrors(plan);
    if (refusal) return refusal;
    const onComplete = (run: string) => {
      if (!store || !isWhole) return undefined;
      return closeAll({ own: closable(unfinished, plan) }, run, {
        journals: store.journals,
        now: host.now,
      });
    };
    const locked = { ...saved, gates: plan.gates, planReadAt, lock, onComplete };
    return applyPlan({ ...locked, unfinished: evicting }, request);
  });
}
