// The changes of access that a saved plan would make in the current account but did not show.
import type { Evaluation } from '../../access/gates/evaluation.ts';
import { gainedSince, outsidersIn, rightsSince } from '../../access/gates/gainedSince.ts';
import { joinedSince } from '../../access/gates/joinedSince.ts';
import { lostSince } from '../../access/gates/lostSince.ts';
import { type MovingNote, movedIn, movedSince } from '../../access/gates/movingNotes.ts';
import { pairsSince } from '../../access/gates/pairsSince.ts';
import { renamedSince } from '../../access/gates/renamedSince.ts';
import type { AccessFinding } from '../../model/access/accessGates.ts';
import type { GivenAccess } from '../../model/access/planAccess.ts';

/** What a plan shows about access, and what its gates find. */
export interface JudgedAccess {
  readonly access: GivenAccess;
  readonly findings: readonly AccessFinding[];
}

/** The effects of a plan that it did not show, as strings. */
export interface AccessSince {
  /** Access and rights that the plan would give. */
  readonly gained: readonly string[];
  /** Access that the plan would remove. */
  readonly lost: readonly string[];
  /** Names and addresses that the plan would make lead elsewhere. */
  readonly moved: readonly string[];
}

/** The value for a plan that does exactly what it showed. */
export const NOTHING_SINCE: AccessSince = { gained: [], lost: [], moved: [] };

/**
 * The changes that a plan makes to access. `notes`: the names that the plan makes lead elsewhere.
 */
export function givenBy(
  { access, rightsInAccount: rights }: Evaluation,
  notes: readonly MovingNote[],
): GivenAccess {
  const { gains, changes, group_machines, destination_ids } = access;
  return {
    gains,
    changes,
    rights,
    moved_names: movedIn(notes),
    ...(group_machines && { group_machines }),
    ...(destination_ids && { destination_ids }),
  };
}

/**
 * The access and the rights that a plan now gives or removes, and the names that it now moves, if
 * it did not show them.
 */
export function accessSince(
  { access: shown, findings: then }: JudgedAccess,
  { access: given, findings: now }: JudgedAccess,
  states: Evaluation['states'],
): AccessSince {
  const joined = joinedSince(shown.group_machines, states);
  const shownName = renamedSince(shown.destination_ids, given.destination_ids);
  const ofPairs = (side: 'gained' | 'lost') =>
    pairsSince({ findings: then, changes: shown.changes }, now, side, { joined, shownName });
  const gained = [
    ...gainedSince(shown, given, { joined, shownName, outsiders: outsidersIn(states) }),
    ...ofPairs('gained'),
    ...rightsSince(shown.rights ?? [], given.rights ?? []),
  ];
  const lost = [...lostSince(shown.changes, given.changes, joined, shownName), ...ofPairs('lost')];
  return {
    gained: [...new Set(gained)],
    lost: [...new Set(lost)],
    moved: movedSince(shown.moved_names ?? [], given.moved_names ?? []),
  };
}
