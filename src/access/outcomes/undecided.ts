// The members of whom it is not known whether they pass posture checks. Everybody else has the same access under every outcome.
import { perWorld } from '../routed/once.ts';
import { type Bits, minus, orAll, trimmed } from '../sets/bits.ts';
import type { Policy } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** The members of whom it is not known whether they pass the checks of a policy. */
export function undecidedBy({ verdicts }: World, policy: Policy): Bits {
  // The same object for policies with the same checks.
  const passing = verdicts.passing(policy);
  const found = known.get(passing) ?? trimmed(minus(passing.passOrUnknown, passing.pass));
  known.set(passing, found);
  return found;
}

const known = new WeakMap<object, Bits>();

/** The members of whom it is not known whether they pass the checks of any policy. */
export const undecidedIn = perWorld(
  (world: World): Bits => orAll(world.policies.map(({ policy }) => undecidedBy(world, policy))),
);
