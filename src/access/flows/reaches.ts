// The reach of a state for each way to evaluate posture, computed on demand.
import { type AccountReach, accountReach } from '../accountReach.ts';
import { assumingRouters } from '../routed/assumedRouters.ts';
import { once } from '../routed/computedOnce.ts';
import { type RowPool, rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import type { Posture } from '../world/reading.ts';
import { type World, worldOf } from '../world/world.ts';

export interface Reaches {
  readonly world: World;
  /** The row pool of all states that are compared. */
  readonly pool: RowPool;
  readonly under: (reading: Posture) => AccountReach;
  /** Whether posture checks can make a difference. */
  readonly hasPosture: boolean;
  /**
   * The reach as if each group of routing machines had a machine. It is the same object if each
   * group has one. Computed on demand.
   */
  readonly withRouters: () => Reaches;
}

/**
 * The reach of a compiled state. If no policy has a posture check, every way to evaluate posture
 * gives the same result.
 */
export function reachesOf(world: World, pool: RowPool): Reaches {
  const hasPosture = world.policies.some(
    ({ policy, rules }) =>
      rules.some(({ isActive }) => isActive) && world.verdicts.checksOf(policy).length > 0,
  );
  const known = new Map<Posture, AccountReach>();
  const reaches: Reaches = {
    world,
    pool,
    hasPosture,
    withRouters: once(() => {
      const routed = assumingRouters(world);
      return routed === world ? reaches : reachesOf(routed, pool);
    }),
    under: asked => {
      const reading = hasPosture ? asked : 'seen';
      const reach = known.get(reading) ?? accountReach(world, reading, pool);
      known.set(reading, reach);
      return reach;
    },
  };
  return reaches;
}

/** The reach of a single state, without a comparison. */
export const reachesIn = (state: AccessState): Reaches => reachesOf(worldOf(state), rowPool());
