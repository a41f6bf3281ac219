// Hazards that may also arise because the account changes after a plan was made. They depend only
// on the changes of the plan and on the account before and after it. So they can be determined
// again for a saved plan.
import type { Address } from '../../model/names.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { PlanInAccount } from '../types/planInAccount.ts';
import { apiUserHazards } from './apiUsers.ts';
import { dangerousChanges } from './dangerousChanges.ts';
import { dangerousMembers } from './dangerousMembers.ts';
import { exposures } from './exposures.ts';

/** All hazards of this type, by the address of the changed object. */
export function hazardsInAccount(plan: PlanInAccount): FoundHazards {
  const all = [exposures, apiUserHazards, dangerousChanges, dangerousMembers].flatMap(check => [
    ...check(plan),
  ]);
  const found = new Map<Address, FoundHazard[]>();
  for (const [address, hazards] of all)
    found.set(address, [...(found.get(address) ?? []), ...hazards]);
  return found;
}
