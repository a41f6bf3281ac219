// The notes about members that a run restored, or could not restore.
import type { Outcome } from '../../../model/outcome.ts';
import type { ShownAction } from '../../../model/plan.ts';
import { quoted } from '../../../model/text/visible.ts';
import type { RestoredSet } from './memberWatch.ts';
import type { WrittenObject } from './ownWrites.ts';

/**
 * Returns the outcomes, with the result for the members of each set. A member that could not be restored makes the outcome a
 * failure.
 */
export function withRestored(
  outcomes: readonly Outcome[],
  restored: readonly RestoredSet[],
  actionsOn: (object: WrittenObject) => readonly ShownAction[],
): readonly Outcome[] {
  return restored.reduce<readonly Outcome[]>((now, set) => {
    const ids = new Set(actionsOn(set.object).map(({ id }) => id));
    const own = now.filter(({ action }) => ids.has(action));
    const told = own.findLast(({ status }) => status === 'done') ?? own.at(-1);
    return now.map(outcome => (outcome === told ? withSet(outcome, set) : outcome));
  }, outcomes);
}

/**
 * The outcome of a write that may have removed members. Without the audit log, it is unknown
 * whether the write removed them.
 */
export function withoutMembers(outcome: Outcome, { field, members }: SomeMembers): Outcome {
  const sentence = `${outcome.address} does not have ${listed(members)} in ${quoted(field)}, which are new in the account since the run began: the write may have removed them`;
  const hint =
    'the token may not read the audit log, so this is unknown: add the members that belong in the set, or use a token that may read the log';
  return notKept(outcome, sentence, hint);
}

/**
 * The outcome of a write that sent members which the read after it did not show, if it is unknown
 * who removed them.
 */
export function unseenMembers(outcome: Outcome, { field, members }: SomeMembers): Outcome {
  const sentence = `${outcome.address} does not have ${listed(members)} in ${quoted(field)}, although the write sent them`;
  const hint =
    'it is unknown who removed them: add the members that belong in the set, see `meshform events audit`';
  return notKept(outcome, sentence, hint);
}

/**
 * The outcome of a write during which members left, if it is unknown whether the run or somebody
 * else removed them.
 */
export function doubtfulMembers(outcome: Outcome, { field, members }: SomeMembers): Outcome {
  const sentence = `${outcome.address} does not have ${listed(members)} in ${quoted(field)}: they left it during the write`;
  const hint =
    'the account does not show which user the token belongs to, so it is unknown who removed them: add the members that belong in the set';
  return notKept(outcome, sentence, hint);
}

/** The outcome of a write after which the members of a set could not be read. */
export function unreadMembers(outcome: Outcome, field: string, why: string): Outcome {
  const sentence = `${outcome.address} was not checked for members that joined ${quoted(field)} during the write: ${why}`;
  return notKept(outcome, sentence, 'continue with --resume, which checks it, or check it by hand');
}

/** The outcome of a deletion of a set that had members which the plan did not show. */
export function deletedMembers(outcome: Outcome, { field, members }: SomeMembers): Outcome {
  const sentence = `${outcome.address} is deleted, and these members of ${quoted(field)}, which the plan did not show, lost their membership: ${listed(members)}`;
  return notKept(outcome, sentence, NOBODY_ADDS);
}

/** The outcome of a deletion of a set that may have had members who enrolled during the run. */
export function perhapsDeletedMembers(outcome: Outcome, { field, members }: SomeMembers): Outcome {
  const sentence = `${outcome.address} is deleted, and may have had members in ${quoted(field)} that are new in the account since the run began: ${listed(members)}`;
  return notKept(outcome, sentence, NOBODY_ADDS);
}

/** The outcome of a deletion of a set for which it is unknown who joined before the deletion. */
export function unknownAtDeletion(outcome: Outcome, field: string, why: string): Outcome {
  const sentence = `${outcome.address} is deleted, and it is unknown who joined ${quoted(field)} before: ${why}`;
  return notKept(outcome, sentence, 'look for them in `meshform events audit`');
}

const NOBODY_ADDS = 'check what access they need: no later run adds them to a set';

/** Members of a set, with their names for people. */
interface SomeMembers {
  readonly field: string;
  readonly members: readonly string[];
}

// The write or another set may also have failed. If so, the fault contains both messages.
function notKept(outcome: Outcome, sentence: string, hint: string): Outcome {
  const { action, address } = outcome;
  const before = 'fault' in outcome ? outcome.fault : undefined;
  const hints = [before?.code === 'MEMBERS_NOT_KEPT' ? (before.hint ?? []) : [], hint].flat();
  return {
    action,
    address,
    status: outcome.status === 'unknown' ? 'unknown' : 'failed',
    fault: {
      code: before?.code ?? 'MEMBERS_NOT_KEPT',
      message: [...(before ? [before.message] : []), sentence].join('; '),
      hint: [...new Set(hints)].join('; '),
    },
  };
}

/** Returns the outcomes with the outcome of one action changed. */
export function withChanged(
  outcomes: readonly Outcome[],
  { id }: ShownAction,
  change: (outcome: Outcome) => Outcome,
): readonly Outcome[] {
  return outcomes.map(outcome => (outcome.action === id ? change(outcome) : outcome));
}

/** A note about members that left a set at some time during the run. */
export const doubtNote = (field: string, members: readonly string[]): string =>
  `left ${quoted(field)} meanwhile; it is unknown who removed them: ${listed(members)}`;

/** A note about members that left a set after the write. */
export const leftNote = (field: string, members: readonly string[]): string =>
  `left ${quoted(field)} after the write; it is unknown who removed them: ${listed(members)}`;

/** Adds a note to an outcome if its write was done. */
export function withNote(outcome: Outcome, note: string): Outcome {
  return outcome.status === 'done' ? { ...outcome, notes: [...outcome.notes, note] } : outcome;
}

function withSet(outcome: Outcome, { field, joined, left, open }: RestoredSet): Outcome {
  const set = quoted(field);
  const notes = [
    ...(joined.size > 0
      ? [`joined ${set} during the write, and was added again: ${listed(joined)}`]
      : []),
    ...(left.size > 0
      ? [
          `was removed from ${set} by others during the write, which restored it, and was removed again: ${listed(left)}`,
        ]
      : []),
  ];
  const noted = notes.reduce(withNote, outcome);
  return open ? failed(noted, set, open) : noted;
}

type Open = NonNullable<RestoredSet['open']>;

function failed(outcome: Outcome, set: string, { joined, left, why }: Open): Outcome {
  const { address } = outcome;
  const sentences = [
    ...(joined.length > 0
      ? [`${address} lost members that joined ${set} during the write: ${listed(joined)}`]
      : []),
    ...(left.length > 0
      ? [`${address} has members in ${set} that others removed during the write: ${listed(left)}`]
      : []),
  ];
  const steps = [
    ...(joined.length > 0 ? ['add them again'] : []),
    ...(left.length > 0 ? ['remove those that others removed'] : []),
  ];
  const hint = `${steps.join(', and ')}; meshform could not: ${why}`;
  return notKept(outcome, sentences.join('; '), hint);
}

const listed = (names: Iterable<string>): string => [...names].sort().join(', ');
