// Finds the steps that must not run concurrently. The bounds are proven only for a sequential
// order, but a run carries out actions concurrently. So steps that may change the same access in
// different directions must wait for each other.
import type { ActionId } from '../../model/names.ts';
import { type Area, overlap } from '../diff/areas.ts';
import type { Direction } from './direction.ts';

/** An action that changes access, in the order of the plan. */
export interface AccessChangingAction {
  readonly id: ActionId;
  readonly direction: Direction;
  readonly area: Area;
  /** The number of the enclosed stretch that contains the action. The steps of this stretch are within bounds in any order. */
  readonly stretch?: number | undefined;
}

/** `later` waits for `earlier`. */
export interface Wait {
  readonly earlier: ActionId;
  readonly later: ActionId;
}

/**
 * The maximum number of direct waits of an action. If there are more, another action represents
 * them.
 */
const MANY = 20;

/**
 * The missing waits. `after`: the existing waits of each action, in the order of the plan. Of two
 * actions that may change the same access, the later must wait for the earlier. This is unnecessary
 * if both widen the access, both narrow it, or both belong to the same enclosed stretch. So steps
 * that concern the same access and run at the same time always belong to a single stretch, which
 * has one direction or is enclosed.
 */
export function missingWaits(
  moving: readonly AccessChangingAction[],
  after: ReadonlyMap<ActionId, readonly ActionId[]>,
): readonly Wait[] {
  const earlier = new Map<ActionId, Set<ActionId>>();
  const byId = new Map(moving.map(one => [one.id, one]));
  const before: AccessChangingAction[] = [];
  const waits: Wait[] = [];
  for (const [id, direct] of after) {
    const known = new Set<ActionId>();
    const waitFor = (other: ActionId) => {
      known.add(other);
      for (const more of earlier.get(other) ?? []) known.add(more);
    };
    for (const other of direct) waitFor(other);
    const one = byId.get(id);
    for (const other of one ? neededBy(one, before, known, earlier) : []) {
      if (known.has(other)) continue;
      waits.push({ earlier: other, later: id });
      waitFor(other);
    }
    earlier.set(id, known);
    if (one) before.push(one);
  }
  return waits;
}

// The nearest waits come first, because the waits of those actions need not be repeated. If an
// action has many waits, another action that has most of the same waits represents them.
function neededBy(
  one: AccessChangingAction,
  before: readonly AccessChangingAction[],
  known: ReadonlySet<ActionId>,
  earlier: ReadonlyMap<ActionId, ReadonlySet<ActionId>>,
): readonly ActionId[] {
  const needed = before
    .filter(other => !known.has(other.id) && areInConflict(one, other))
    .map(({ id }) => id)
    .reverse();
  if (needed.length <= MANY) return needed;
  const standIn = before.findLast(
    ({ id }) => needed.filter(other => earlier.get(id)?.has(other)).length * 2 > needed.length,
  );
  return standIn ? [standIn.id, ...needed] : needed;
}

function areInConflict(one: AccessChangingAction, other: AccessChangingAction): boolean {
  if (one.stretch !== undefined && one.stretch === other.stretch) return false;
  const isOneWay = one.direction === other.direction && one.direction !== 'either';
  return !isOneWay && overlap(one.area, other.area);
}
