// Whether a saved plan still matches the account, as text and as JSON. Lists every stale object.
import type { ActionId, Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { wrap } from '../text/lines.ts';
import { type Style, WIDTH } from '../text/style.ts';
import type { PlanDigests } from './planDigest.ts';
import { counted, planLine } from './summary.ts';

/** An action whose precondition does not hold. */
export interface StaleAction {
  readonly action: ActionId;
  readonly address: Address;
  /** A sentence that contains the address. */
  readonly message: string;
}

/** The result of comparing a saved plan with the account; it can be applied only if nothing is stale. */
export interface PlanCheck extends PlanDigests {
  readonly plan: Plan;
  /** In the order of the plan. */
  readonly stale: readonly StaleAction[];
}

/** The check as text; its last line says whether the plan is fresh. */
export function planCheckText({ plan, stale }: PlanCheck, style: Style): string {
  if (stale.length === 0) return `${planLine(plan)}\n${style.strong('The plan is fresh.')}\n`;
  const lines = stale.flatMap(({ message }) => wrap(`Stale: ${message}`, WIDTH));
  const count = counted(new Set(stale.map(({ address }) => address)).size, 'object');
  const verdict = `The plan is stale: ${count} changed since it was made. Create a new plan.`;
  return [...lines.map(style.error), style.strong(verdict), ''].join('\n');
}

/** The check as a document. */
export function planCheckDocument({ plan, digest, contentDigest, stale }: PlanCheck): JsonObject {
  return {
    fresh: stale.length === 0,
    digest,
    content_digest: contentDigest,
    ...(plan.madeAt !== undefined && { made_at: plan.madeAt }),
    actions: plan.actions.length,
    stale: stale.map(entry => ({ ...entry })),
  };
}
