// Whether selectors match something: in the account, in the account after the plan, or in the files.
import { targetsOf } from '../ask/destinations.ts';
import { membersOf } from '../ask/members.ts';
import type { Selector } from '../ask/selector.ts';
import { type Reaches, reachesIn } from '../flows/reaches.ts';
import type { AccessState } from '../state/accessState.ts';

type Role = 'source' | 'destination';

/**
 * Returns whether a selector matches something in any of several states. A later state is computed only if the earlier states
 * have no match.
 */
export function matchesIn(
  states: readonly (Reaches | (() => AccessState | undefined))[],
): (selector: Selector, role: Role) => boolean {
  const known = new Map<number, Reaches | undefined>();
  const reachesAt = (at: number): Reaches | undefined => {
    const state = states[at];
    if (typeof state !== 'function') return state;
    if (!known.has(at)) {
      const found = state();
      known.set(at, found && reachesIn(found));
    }
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
