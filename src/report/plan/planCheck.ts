// Whether a saved plan still matches the account, and whether it does the same as another plan, as text and as JSON. Every stale
// object and every difference is listed.
import type { ActionId, Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import { wrap } from '../text/lines.ts';
import { type Style, WIDTH } from '../text/style.ts';
import { counted, planLine } from '../text/summary.ts';
import type { PlanDifference } from './planDifferences.ts';
import type { PlanDigests } from './planDigest.ts';

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
  /** The flags that an apply of the plan needs, because of hazards that nobody has allowed. */
  readonly needs: readonly string[];
}

/** The differences between the effects of a saved plan and of the plan in another file. */
export interface PlanComparison {
  readonly file: string;
  readonly differences: readonly PlanDifference[];
}

/**
 * The check as text: whether the plan is fresh, and then, if there is a comparison, whether the plan in the other file does the
 * same. Each part ends with its verdict.
 */
export function planCheckText(
  check: PlanCheck,
  compared: PlanComparison | undefined,
  style: Style,
): string {
  return `${freshnessText(check, style)}${compared ? comparisonText(compared, style) : ''}`;
}

/** The differences between the effects of two plans, as text; the last line is the verdict. */
export function comparisonText({ file, differences }: PlanComparison, style: Style): string {
  if (differences.length === 0) return `${quoted(file)} does the same.\n`;
  const lines = differences.flatMap(({ message }) => wrap(`Differs: ${message}`, WIDTH));
  const verdict = `${quoted(file)} does not do the same: ${counted(differences.length, 'difference')}. Create a new plan, and review it.`;
  return [...lines.map(style.error), style.strong(verdict), ''].join('\n');
}

function freshnessText({ plan, stale, needs }: PlanCheck, style: Style): string {
  if (stale.length === 0) {
    const needed = needs.length === 0 ? '' : `An apply needs: ${needs.join(' ')}\n`;
    return `${planLine(plan)}\n${needed}${style.strong('The plan is fresh.')}\n`;
  }
  const lines = stale.flatMap(({ message }) => wrap(`Stale: ${message}`, WIDTH));
  const count = counted(new Set(stale.map(({ address }) => address)).size, 'object');
  const verdict = `The plan is stale: ${count} changed since it was made. Create a new plan.`;
  return [...lines.map(style.error), style.strong(verdict), ''].join('\n');
}

/** The check as a document. */
export function planCheckDocument(
  { plan, digest, contentDigest, stale, needs }: PlanCheck,
  compared?: PlanComparison,
): JsonObject {
  return {
    fresh: stale.length === 0,
    digest,
    content_digest: contentDigest,
    ...(plan.madeAt !== undefined && { made_at: plan.madeAt }),
    actions: plan.actions.length,
    stale: stale.map(entry => ({ ...entry })),
    needs: [...needs],
    ...(compared && {
      same: compared.differences.length === 0,
      differences: compared.differences.map(entry => ({ ...entry })),
    }),
  };
}
