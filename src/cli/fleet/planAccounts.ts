// Makes the plan of one account of a fleet.
import { accessRefusal } from '../../apply/preconditions/gates.ts';
import { gatesWithLabels } from '../../report/plan/planWithLabels.ts';
import { type SavedPlan, savedPlan } from '../../report/plan/savedPlan.ts';
import { computePlan } from '../apply/computing.ts';
import { desiredOrStop } from '../files/desired.ts';
import type { PlanFlags, SourceFlags } from '../flags/flags.ts';
import type { FleetServerFlags } from '../flags/fleetFlags.ts';
import { withSharedBases } from '../lock/sharedBases.ts';
import { stopOf } from '../refusals/refusals.ts';
import { asksAccount } from '../server/accountOf.ts';
import type { FleetRun, OneAccount } from './eachAccount.ts';

/** The flags of the plan of each account. */
export type FleetPlanFlags = SourceFlags & FleetServerFlags & PlanFlags;

/** Returns a function for `eachAccount` that plans an account. It throws a `Stop` for a plan that may not be applied. */
export const planAccount =
  ({ tools }: FleetRun) =>
  ({ own, path, flags }: OneAccount<FleetPlanFlags>): Promise<SavedPlan> =>
    withSharedBases(path, flags, own, async (shared, runs) => {
      const accountBehind = asksAccount(tools.kinds, flags, shared);
      const loading = { ...flags, isSaved: true, isPlanned: true, accountBehind };
      const state = await desiredOrStop(tools, path, loading, shared);
      const plan = await computePlan(tools, { path, state, runs }, flags, shared);
      const refusal = accessRefusal(gatesWithLabels(plan.gates, plan));
      if (refusal) throw stopOf(refusal, shared);
      return savedPlan(plan, tools.kinds, shared.now());
    });
