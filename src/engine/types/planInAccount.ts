// The changes of a plan, and the account before and after them: everything that decides hazards which changes in the account can
// cause as well as changes in the files.
import type { Change, FieldChange } from '../../model/change.ts';
import type { AccountState } from './accountState.ts';
import type { PlanContext } from './planContext.ts';

/** A change, without the declared object that it comes from. */
export interface ChangeInAccount {
  readonly change: Pick<Change, 'address' | 'kind' | 'type'> & {
    readonly fields: readonly Pick<FieldChange<never>, 'path'>[];
  };
}

/** A plan that is being made, or a saved plan in the account as it is now. */
export interface PlanInAccount {
  readonly changes: readonly ChangeInAccount[];
  readonly before: AccountState;
  readonly after: AccountState;
  readonly context: Pick<PlanContext, 'kind'>;
}
