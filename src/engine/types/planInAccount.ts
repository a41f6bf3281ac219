// The changes of a plan, and the account before and after them. Hazards that may arise from changes
// in the account as well as from changes in the files depend only on this.
import type { Change, FieldChange } from '../../model/change.ts';
import type { AccountState } from './accountState.ts';
import type { PlanContext } from './planContext.ts';

/** A change, without its declared object. */
export interface ChangeInAccount {
  readonly change: Pick<Change, 'address' | 'kind' | 'type'> & {
    readonly fields: readonly Pick<FieldChange<never>, 'path'>[];
  };
}

/** A plan that is being computed, or a saved plan in the current account. */
export interface PlanInAccount {
  readonly changes: readonly ChangeInAccount[];
  readonly before: AccountState;
  readonly after: AccountState;
  readonly context: Pick<PlanContext, 'kind'>;
}
