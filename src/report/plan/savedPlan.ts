// A plan as it is saved in a file or in a journal, with its digests.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import type { PlanDigests } from './planDigest.ts';
import { digestedPlan } from './planDocument.ts';

/** A plan, its document, and the digests of that document. */
export interface SavedPlan extends PlanDigests {
  readonly plan: Plan;
  /** The document as it was made or read. A later version may have added fields that `plan` lacks. */
  readonly document: JsonObject;
}

/** The plan as it is saved at `now`, in milliseconds since 1970. */
export function savedPlan(unsaved: Plan, kinds: KindTable, now: number): SavedPlan {
  const plan = { ...unsaved, madeAt: new Date(now).toISOString() };
  return { plan, ...digestedPlan(plan, kinds) };
}
