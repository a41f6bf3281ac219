// Places to which zones resolve a domain, but not for the machines that route to the domain. Nobody
// reaches such a place through these machines until one of them joins a group that gets the zone.
import { servingAt, type Target } from '../flows/targets.ts';
import { isName } from '../state/zones.ts';
import { resolutionIn } from '../world/resolution.ts';
import type { World } from '../world/world.ts';

/**
 * Whether zones resolve the domain of a target to its place, but for none of the machines that
 * route to the domain. False if no machine routes to the domain, or if no zone decides.
 */
export function isUnresolved({ state }: Pick<World, 'state'>, target: Target): boolean {
  if (target.type === 'machine' || target.leadingTarget === undefined) return false;
  const { served: domain, address: place } = target;
  if (!isName(domain)) return false;
  return resolutionIn(state, { domain, place, serving: servingAt(target) }) === 'unresolved';
}
