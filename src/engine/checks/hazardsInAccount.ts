// The hazards that a change of the account can cause after a plan was made. They are found in the changes of a plan and in the
// account before and after it, so that a saved plan has them too.
import type { Address } from '../../model/names.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { PlanInAccount } from '../types/planInAccount.ts';
import { apiUserHazards } from './apiUsers.ts';
import { dangerousChanges } from './dangerousChanges.ts';
import { dangerousMembers } from './dangerousMembers.ts';
import { exposures } from './exposures.ts';

/** All such hazards, by the address of the changed object. */
export function hazardsInAccount(plan: PlanInAccount): FoundHazards {
  const all = [exposures, apiUserHazards, dangerousChanges, dangerousMembers].flatMap(check => [
    ...check(plan),
  ]);
  const found = new Map<Address, FoundHazard[]>();
  for (const [address, hazards] of all)
    found.set(address, [...(found.get(address) ?? []), ...hazards]);
  return found;
}
