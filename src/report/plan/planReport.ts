// What every format of a plan is rendered from.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { Style } from '../text/style.ts';

/** A plan that is to be shown. */
export interface PlanReport {
  readonly plan: Plan;
  readonly kinds: KindTable;
  readonly style: Style;
}
