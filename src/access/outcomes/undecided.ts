// The members whose results of posture checks are unknown. All other members have the same access in every outcome.
import { perWorld } from '../routed/computedOnce.ts';
import { type Bits, minus, orAll, trimmed } from '../sets/bits.ts';
import type { Policy } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** The members with an unknown result for the checks of a policy. */
export function undecidedBy({ verdicts }: World, policy: Policy): Bits {
  // `verdicts` returns the same object for policies with the same checks, so the result is cached.
  const passing = verdicts.passing(policy);
  const found = known.get(passing) ?? trimmed(minus(passing.passOrUnknown, passing.pass));
  known.set(passing, found);
  return found;
}

const known = new WeakMap<object, Bits>();

/** The members with an unknown result for the checks of any policy. */
export const undecidedIn = perWorld(
  (world: World): Bits => orAll(world.policies.map(({ policy }) => undecidedBy(world, policy))),
);
