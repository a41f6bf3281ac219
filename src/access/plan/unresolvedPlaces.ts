// Places to which zones lead a domain, but not for the machines that route to it: nobody reaches such a place through them until one
// of them joins a group that gets the zone.
import { servingAt, type Target } from '../flows/targets.ts';
import { isName } from '../state/zones.ts';
import { resolutionIn } from '../world/resolution.ts';
import type { World } from '../world/world.ts';

/**
 * Whether zones lead the domain of a target to its place only for other machines, and for none of the machines that route to it.
 * False if no machine routes to it, or if no zone decides.
 */
export function isUnresolved({ state }: Pick<World, 'state'>, target: Target): boolean {
  if (target.type === 'machine' || target.leadingTarget === undefined) return false;
  const { served: domain, address: place } = target;
  if (!isName(domain)) return false;
  return resolutionIn(state, { domain, place, serving: servingAt(target) }) === 'unresolved';
}
