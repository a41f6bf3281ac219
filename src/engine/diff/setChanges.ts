// The members that a set gains and loses between the live and the desired state.
import type { Field } from '../../kinds/kind.ts';
import type { MembersChange } from '../../model/change.ts';
import type { Json, Path } from '../../model/value.ts';

/** Whether undeclared members of this field stay. */
export function isSharedSet(field: Field, exact: ReadonlySet<string>): boolean {
  return field.shared && !exact.has(field.name);
}

/** The change that gives a set exactly the desired members; null if it already has them. */
export function wholeSetChange(
  path: Path,
  desired: readonly Json[],
  live: readonly Json[],
): MembersChange | null {
  return membersChange(path, { desired, live, removable: live });
}

/**
 * The change of a shared set. Declared members are added, members that only the base declares are
 * removed, and all other members stay (docs/design.md#shared-sets).
 */
export function sharedSetChange(
  path: Path,
  desired: readonly Json[],
  live: readonly Json[],
  base: readonly Json[],
): MembersChange | null {
  return membersChange(path, { desired, live, removable: base });
}

function membersChange(
  path: Path,
  sets: {
    readonly desired: readonly Json[];
    readonly live: readonly Json[];
    /** The members that may be removed if they are not desired. */
    readonly removable: readonly Json[];
  },
): MembersChange | null {
  const desired = textsOf(sets.desired);
  const live = textsOf(sets.live);
  const removable = textsOf(sets.removable);
  const added = sets.desired.filter(member => !live.has(textOf(member)));
  const undeclared = sets.live.filter(member => !desired.has(textOf(member)));
  const removed = undeclared.filter(member => removable.has(textOf(member)));
  if (added.length + removed.length === 0) return null;
  return {
    type: 'members',
    path,
    added,
    removed,
    kept: sets.desired.filter(member => live.has(textOf(member))),
    foreign: undeclared.filter(member => !removable.has(textOf(member))),
  };
}

// Members are in canonical form, so equal members have equal strings.
const textOf = (member: Json): string => JSON.stringify(member);
const textsOf = (members: readonly Json[]): ReadonlySet<string> => new Set(members.map(textOf));
