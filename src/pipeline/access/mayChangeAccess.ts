// Whether the access that a plan showed may be different when the plan is applied.
import { ANSWERING_KINDS } from '../../access/gates/nameservers.ts';
import { internetReads, SERVING_KINDS } from '../../access/state/internetPorts.ts';
import { ACCESS_KINDS } from '../../access/state/stateOfLive.ts';
import { changeNames, NAME_KINDS } from '../../access/state/zones.ts';
import type { Plan } from '../../model/plan.ts';

/**
 * Whether the access, the rights or the moved names of a plan may have changed since it was made. A new account does not count,
 * because nobody relied on its access.
 */
export function mayChangeAccess({
  access,
  actions,
  changes,
}: Pick<Plan, 'access' | 'actions' | 'changes'>): boolean {
  if (access === undefined || access.status === 'new-account') return false;
  const kinds = ACCESS_KINDS.union(internetReads(changes).kinds)
    .union(SERVING_KINDS)
    .union(NAME_KINDS)
    .union(ANSWERING_KINDS);
  return changeNames(actions) || actions.some(({ kind }) => kinds.has(kind));
}
