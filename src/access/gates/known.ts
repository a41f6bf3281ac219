// Whether selectors match something: in the account, in the account after the plan, or in the files.
import { targetsOf } from '../ask/destinations.ts';
import { membersOf } from '../ask/members.ts';
import type { Selector } from '../ask/selector.ts';
import { type Reaches, reachesOf } from '../flows/reaches.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import { worldOf } from '../world/world.ts';

type Role = 'source' | 'destination';

/**
 * Whether a selector matches something in any of several states. A later state is computed only if the earlier ones have no
 * match.
 */
export function isKnownIn(
  states: readonly (Reaches | (() => AccessState | undefined))[],
): (selector: Selector, role: Role) => boolean {
  const known = new Map<number, Reaches | undefined>();
  const reachesAt = (at: number): Reaches | undefined => {
    const state = states[at];
    if (typeof state !== 'function') return state;
    if (!known.has(at)) known.set(at, reachesIn(state()));
    return known.get(at);
  };
  return (selector, role) =>
    states.some((_, at) => {
      const reaches = reachesAt(at);
      if (reaches === undefined) return false;
      const found =
        role === 'source' ? membersOf(reaches.world, selector) : targetsOf(reaches.world, selector);
      return found !== undefined;
    });
}

function reachesIn(state: AccessState | undefined): Reaches | undefined {
  if (state === undefined) return undefined;
  const world = worldOf(state);
  return reachesOf(world, rowPool());
}
