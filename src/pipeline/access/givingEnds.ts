// The ends that would give access in the account: when a plan is made, and again before it is applied.
import type { PlannedAccount } from '../../access/plan/comparison.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { accessOfEnds } from './endsOfPlan.ts';
import { kindsNarrowedBy, narrowedByEnds, unreadNarrowing } from './narrowedByEnds.ts';
import type { AccountForAccess } from './readForAccess.ts';

/** The removals of what has ended, as a plan of their own. A saved plan does not have their changes. */
type EndsAlone = Pick<Plan, 'actions' | 'pins'> & Partial<Pick<Plan, 'changes'>>;

/** The findings about ends that give access, and the addresses of the objects that have ended. */
interface GivingEnds {
  readonly diagnostics: readonly Diagnostic[];
  readonly causes: readonly string[];
}

/**
 * The ends that would give access, through rules or because objects no longer take access away. `isBegun`: an earlier run carried
 * out a part of the plan. Then rules that the plan itself changed may give what an end takes from a deny rule, so only the objects
 * that take access away are judged.
 */
export function givingEnds(
  { notOffered, ...account }: Omit<PlannedAccount, 'plan'> & Pick<AccountForAccess, 'notOffered'>,
  endings: EndsAlone | undefined,
  { isBegun = false } = {},
): GivingEnds {
  if (!endings) return { diagnostics: [], causes: [] };
  const alone = { changes: [], ...endings };
  const byRules = isBegun ? NOTHING_GIVEN : accessOfEnds({ ...account, plan: alone });
  const byChecks = narrowedByEnds(account, alone);
  const unread = unreadNarrowing(kindsNarrowedBy(account.kinds, alone), { ...account, notOffered });
  return {
    diagnostics: [...byRules.diagnostics, ...byChecks.diagnostics, ...unread],
    causes: [...byRules.causes, ...byChecks.causes],
  };
}

const NOTHING_GIVEN: GivingEnds = { diagnostics: [], causes: [] };
