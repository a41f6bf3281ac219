// Sets that others can join, and that every update of their object replaces, whichever field it changes.
import type { Kind, MembershipEvents } from '../kind.ts';

/** A set that every update of its object replaces, and that others can join. */
export interface ReplacedSet {
  readonly field: string;
  readonly membership: MembershipEvents;
}

/** The sets of a kind that every update replaces and that others can join. */
export function replacedSets({ updateMode, shape }: Kind): readonly ReplacedSet[] {
  if (updateMode !== 'whole') return [];
  return [...shape.fields.values()].flatMap(({ name, membership }) =>
    membership ? [{ field: name, membership }] : [],
  );
}
