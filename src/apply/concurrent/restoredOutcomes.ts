// What the report says of members that a run restored, or could not restore.
import type { Outcome } from '../../model/outcome.ts';
import type { ShownAction } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import type { RestoredSet } from './memberWatch.ts';
import type { WrittenObject } from './ownWrites.ts';

/** The outcomes, with what became of the members of each set. A member that could not be restored is a failure. */
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

/** The outcome of a write that may have removed members, which nobody can tell without the audit log. */
export function withoutMembers(
  outcome: Outcome,
  { field, members }: { readonly field: string; readonly members: readonly string[] },
): Outcome {
  const { action, address } = outcome;
  const before = 'fault' in outcome ? [outcome.fault.message] : [];
  const sentence = `${address} does not have ${listed(members)} in ${quoted(field)}, new in the account since the run began: the write may have removed them`;
  return {
    action,
    address,
    status: outcome.status === 'unknown' ? 'unknown' : 'failed',
    fault: {
      code: 'fault' in outcome ? outcome.fault.code : 'MEMBERS_NOT_KEPT',
      message: [...before, sentence].join('; '),
      hint: 'the token may not read the audit log, so meshform cannot know: add those that belong there, or use a token that may read the log',
    },
  };
}

/** An outcome with a note, if it is one of a write that was done. */
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
          `was removed from ${set} by others during the write, and was removed again: ${listed(left)}`,
        ]
      : []),
  ];
  const noted = notes.reduce(withNote, outcome);
  return open ? failed(noted, set, open) : noted;
}

type Open = NonNullable<RestoredSet['open']>;

// The write itself may have failed too: then its fault says both.
function failed(outcome: Outcome, set: string, { joined, left, why }: Open): Outcome {
  const { action, address } = outcome;
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
  const before = 'fault' in outcome ? [outcome.fault.message] : [];
  return {
    action,
    address,
    status: outcome.status === 'unknown' ? 'unknown' : 'failed',
    fault: {
      code: 'fault' in outcome ? outcome.fault.code : 'MEMBERS_NOT_KEPT',
      message: [...before, ...sentences].join('; '),
      hint: `${steps.join(', and ')}; meshform could not: ${why}`,
    },
  };
}

const listed = (names: Iterable<string>): string => [...names].sort().join(', ');
