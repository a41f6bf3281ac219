// The input of every format of a plan.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Style } from '../text/style.ts';
import type { Detail } from '../view/planView.ts';

/** How much of a report is shown. */
export interface Extent {
  /** The level of detail; by default as much as fits a screen. */
  readonly detail?: Detail | undefined;
  /** The command that shows everything; absent if there is none. */
  readonly command?: string | undefined;
}

/** Options of a format besides the plan. */
export interface PlanExtent extends Extent {
  /** The digest of the saved plan; absent if the plan cannot be applied from a file. */
  readonly digest?: string | undefined;
}

/** A plan to be shown. */
export interface PlanReport extends PlanExtent {
  readonly plan: Plan;
  readonly kinds: KindTable;
  readonly style: Style;
  /** The document of a plan that is saved, or that was read from a file. */
  readonly document?: JsonObject | undefined;
}
