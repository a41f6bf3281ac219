// Turns desired state into a plan.

import type { ReadTransport } from '../../api/transport/transport.ts';
import type { Plan } from '../../model/plan.ts';
import type { Schemas } from '../schemas.ts';
import type { PlanRequest, StateToPlan } from './planRequest.ts';

/** Reads the part of the account that the desired state needs, and computes the plan. Its transport can only read. */
export async function planDesired(
  { kinds }: Pick<Schemas, 'kinds'>,
  state: StateToPlan,
  transport: ReadTransport,
  request: PlanRequest,
): Promise<Plan> {
  // Loaded here, so that commands that only read files do not load the engine or HTTP.
  const { planInAccount } = await import('./planInAccount.ts');
  return planInAccount(state, { kinds, transport }, request);
}
