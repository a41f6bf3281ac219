// A plan in its safest order, with the access that still exceeds its bounds.
import type { AccessStepEntry, PlanAccess } from '../../model/access/planAccess.ts';
import type { Plan, Rearrange } from '../../model/plan.ts';
import { orderJudge } from './judgedOrder.ts';
import { planStates, type Replayed } from './planStates.ts';
import { safeOrder } from './safeOrder.ts';
import { stepEntries } from './stepEntries.ts';

/** A plan with the chosen order. */
export interface OrderedPlan {
  readonly actions: Plan['actions'];
  readonly access: Pick<PlanAccess, 'steps' | 'order'>;
}

/** The maximum number of entries in a plan. */
const LARGEST = 100;

/** The plan's actions in the best order found, and the remaining findings. */
export function orderedPlan(account: Replayed, rearrange: Rearrange): OrderedPlan {
  const { actions } = account.plan;
  const begun = planStates(account, actions);
  // If no action changes access, all orders are equally good.
  if (begun.steps.length === 0) return { actions, access: { steps: [] } };
  const judge = orderJudge(account, begun);
  const safe = safeOrder(actions, judge, rearrange);
  const entries = stepEntries(safe.order, judge.frame);
  return {
    actions: safe.actions,
    access: {
      steps: entries.slice(0, LARGEST),
      order: {
        status: statusOf(safe.order.episodes === null, entries),
        left_out: Math.max(0, entries.length - LARGEST),
        given_up: safe.givenUp,
      },
    },
  };
}

function statusOf(isUnjudged: boolean, entries: readonly AccessStepEntry[]) {
  if (isUnjudged) return 'not_judged';
  return entries.length > 0 ? 'out_of_bounds' : 'in_bounds';
}
