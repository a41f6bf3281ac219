// What every format of a plan is rendered from.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { Style } from '../text/style.ts';
import type { Detail } from './view/planView.ts';

/** How much of a report is shown. */
export interface Extent {
  /** By default what fits a screen. */
  readonly detail?: Detail | undefined;
  /** The command that shows everything, where there is one. */
  readonly command?: string | undefined;
}

/** What a format may be given besides the plan. */
export interface PlanExtent extends Extent {
  /** The digest of the plan, if it is known. */
  readonly digest?: string | undefined;
}

/** A plan that is to be shown. */
export interface PlanReport extends PlanExtent {
  readonly plan: Plan;
  readonly kinds: KindTable;
  readonly style: Style;
}
