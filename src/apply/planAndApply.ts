// Creates a plan and carries it out under one lock, so that no other apply can run in between.
import type { Plan } from '../model/plan.ts';
import { savedPlan } from '../report/plan/savedPlan.ts';
import { applyPlan } from './applyPlan.ts';
import { tellOfCutOff } from './journal/foundJournal.ts';
import { withLock } from './lock/serverLock.ts';
import { withRevision } from './recordedBase/revision.ts';
import { planErrors, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** Creates a plan for the files at `path` with `plan`, and carries it out. */
export async function planAndApply(
  { path, plan: make }: { readonly path: string; readonly plan: () => Promise<Plan> },
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { connection, kinds, host, secrets, journal, recordBase } = request;
  const { url, token } = connection;
  const locking = { url, token, known: secrets.known, path, journal };
  return withLock<Applied | Refusal>(locking, host, async lock => {
    await tellOfCutOff({ path, url, lock }, host);
    const planReadAt = host.now();
    const planned = { ...(await make()), server: url };
    const unsaved = recordBase ? await withRevision(planned, path, host) : planned;
    const saved = savedPlan(unsaved, kinds, host.now());
    const { plan, digest } = saved;
    host.tell({ note: 'planned', plan, digest });
    const refusal = planErrors(plan);
    if (refusal) return refusal;
    return applyPlan({ ...saved, gates: plan.gates, planReadAt, lock }, request);
  });
}
