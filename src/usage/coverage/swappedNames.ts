// Names that meant another object at some time in a window, because somebody swapped them or gave
// the name of one object to another. Files refer to objects by name, so it is unknown which object
// they mean.
import { groupsOf } from '../../access/narrow/narrowing.ts';
import type { AccessState, Named, Side } from '../../access/state/accessState.ts';
import { sameObjects } from '../attribution/sameObjects.ts';
import type { Observed } from '../observed.ts';
import { statesWithin } from './history.ts';

/** Names of a state that meant another object in the window. */
export interface MovedNames {
  /** The first of the groups whose name moved in the window. */
  readonly movedGroup: (groups: readonly string[]) => string | undefined;
  /** A name in a side of a rule that moved in the window. */
  readonly in: (side: Side) => string | undefined;
}

/** Compares the names of each state of the window with those of `current`. */
export function movedNames(observed: Observed, current: AccessState): MovedNames {
  const states = statesWithin(observed).map(({ state }) => state);
  const movedOf = (listOf: (state: AccessState) => readonly Named[]): ReadonlySet<string> => {
    const now = listOf(current);
    const names = states.flatMap(state => movedBetween(listOf(state), now));
    return new Set(names);
  };
  const groups = movedOf(state => state.groups);
  const machines = movedOf(state => state.machines);
  const resources = movedOf(state => state.networks.flatMap(({ resources: own }) => own));
  const movedGroup = (some: readonly string[]) => some.find(name => groups.has(name));
  return {
    movedGroup,
    in: side => {
      if (side.type === 'machine') return machines.has(side.machine) ? side.machine : undefined;
      if (side.type === 'resource') return resources.has(side.resource) ? side.resource : undefined;
      return movedGroup(groupsOf(side) ?? []);
    },
  };
}

// An object that was deleted and created again under its name counts as the same. A name moved if the object that has it now had
// another name in the former state.
function movedBetween(former: readonly Named[], now: readonly Named[]): readonly string[] {
  const same = sameObjects(former, now);
  const names = new Set(now.map(({ key }) => key));
  return former.flatMap(({ key }) => (names.has(key) && same.get(key)?.key !== key ? key : []));
}
