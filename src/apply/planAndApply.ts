// Creates a plan and carries it out under one lock, so that no other apply can run in between.
import type { Plan } from '../model/plan.ts';
import type { SharedRefs } from '../read/environment.ts';
import { savedPlan } from '../report/plan/savedPlan.ts';
import { applyPlan } from './applyPlan.ts';
import { tellOfCutOff } from './journal/foundJournal.ts';
import { withLock } from './lock/serverLock.ts';
import { withRevision } from './recordedBase/revision.ts';
import { planErrors, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** The files, and how a plan for them is made. */
export interface MadePlan {
  readonly path: string;
  /** `shared` has the bases of the account as the remote of its lock has them, if it has them. */
  readonly plan: (shared: SharedRefs | undefined) => Promise<Plan>;
}

/** Creates a plan for the files at `path` with `plan`, and carries it out. */
export async function planAndApply(
  { path, plan: make }: MadePlan,
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { connection, kinds, host, secrets, journal, recordBase, accountLock } = request;
  const { url, token } = connection;
  const locking = { url, token, known: secrets.known, path, journal, accountLock };
  return withLock<Applied | Refusal>(locking, host, async lock => {
    await tellOfCutOff({ path, url, lock }, host);
    const planReadAt = host.now();
    const planned = { ...(await make(lock.account?.store?.shared)), server: url };
    const unsaved = recordBase ? await withRevision(planned, path, host) : planned;
    const saved = savedPlan(unsaved, kinds, host.now());
    const { plan, digest } = saved;
    host.tell({ note: 'planned', plan, digest });
    const refusal = planErrors(plan);
    if (refusal) return refusal;
    return applyPlan({ ...saved, gates: plan.gates, planReadAt, lock }, request);
  });
}
