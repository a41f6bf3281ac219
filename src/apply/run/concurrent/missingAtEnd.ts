// At the end of a run with the audit log, reads every written set once more. Reports missing
// members if the log does not explain why they are missing.
import type { KindTable } from '../../../kinds/kind.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { ShownAction } from '../../../model/plan.ts';
import type { AccountPort } from '../../port.ts';
import { mayHaveRemoved, membersThatLeft } from './memberHistory.ts';
import { type MemberNames, memberNamesOnce } from './memberNames.ts';
import type { KnownSets } from './memberSets.ts';
import type { WatchedSet } from './memberWatch.ts';
import type { WrittenObject } from './ownWrites.ts';
import {
  doubtfulMembers,
  doubtNote,
  leftNote,
  unreadMembers,
  unseenMembers,
  withChanged,
  withNote,
} from './restoredOutcomes.ts';
import { type SetAtEnd, setsAtEnd } from './setsAtEnd.ts';

/** The members that left a set although the plan did not remove them. */
export interface MembersGone extends WatchedSet {
  readonly ids: readonly string[];
}

/** The inputs of the last read. */
export interface MissingAtEndInput {
  readonly kinds: KindTable;
  readonly written: () => readonly WrittenObject[];
  readonly portOf: (action: ShownAction) => AccountPort;
  /** Waits for the log and resolves to its events. Throws an `ApiError`. */
  readonly events: () => Promise<readonly AuditEntry[]>;
  /** Members that left a set, if the log does not show whether the run removed them. */
  readonly doubtful: readonly MembersGone[];
}

/**
 * Returns the outcomes, with what a last read of every written set shows. Throws an `ApiError` if
 * the log cannot be read.
 */
export async function withMissingAtEnd(
  outcomes: readonly Outcome[],
  sets: KnownSets,
  { kinds, written, portOf, events: readEvents, doubtful }: MissingAtEndInput,
): Promise<readonly Outcome[]> {
  const portFor = (object: WrittenObject) => portOf(sets.actionOf(object));
  const atEnd = await setsAtEnd(sets.watched(written()), portFor);
  const isMissing = atEnd.some(({ unseen, left }) => unseen.size + left.size > 0);
  const events = isMissing ? await readEvents() : [];
  const namesOf = memberNamesOnce(kinds);
  let seen = outcomes;
  for (const one of atEnd) {
    const { object, set } = one;
    const asked = doubtful.find(other => other.object === object && other.set.field === set.field);
    const missing = missingIn(one, new Set(asked?.ids), events);
    const isNamed = missing !== null && Object.values(missing).some(({ size }) => size > 0);
    const named = isNamed && (await namesOf(object.kind, set.field, portFor(object)));
    seen = withChanged(seen, sets.actionOf(object), outcome => {
      if (missing === null) return unreadMembers(outcome, set.field, 'it could not be read again');
      return named ? withMissing(outcome, set.field, missing, named) : outcome;
    });
  }
  return seen;
}

/** Members that left a set, as `id:<value>`. */
interface Missing {
  /** Missing members that the run may have removed. */
  readonly byRun: ReadonlySet<string>;
  /** Members that the run did not remove, or that are in the set again. */
  readonly byOthers: ReadonlySet<string>;
  /** Missing members whose removal the log does not show. */
  readonly unseen: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

// The missing members of a set; null if the set could not be read.
function missingIn(
  { object, set, members, unseen, left }: SetAtEnd,
  asked: ReadonlySet<string>,
  events: readonly AuditEntry[],
): Missing | null {
  const nobody: ReadonlySet<string> = new Set();
  if (members === null) return { byRun: nobody, byOthers: nobody, unseen: nobody, left: nobody };
  if (members === undefined) return null;
  const isOwn = (member: string) => !members.has(member) && mayHaveRemoved(object, set, member);
  const byRun = new Set([...asked].filter(isOwn));
  const explained = membersThatLeft(object, set, events).union(asked);
  return {
    byRun,
    byOthers: asked.difference(byRun),
    unseen: unseen.difference(explained),
    left: left.difference(explained),
  };
}

function withMissing(
  outcome: Outcome,
  field: string,
  { byRun, byOthers, unseen, left }: Missing,
  named: MemberNames,
): Outcome {
  // A member that was deleted from the account is missing in every set.
  const shown = (ids: ReadonlySet<string>) => [...ids].filter(named.exists).map(named.nameOf);
  const parts: readonly [
    readonly string[],
    (outcome: Outcome, members: readonly string[]) => Outcome,
  ][] = [
    [shown(byOthers), (one, members) => withNote(one, doubtNote(field, members))],
    [shown(left), (one, members) => withNote(one, leftNote(field, members))],
    [shown(byRun), (one, members) => doubtfulMembers(one, { field, members })],
    [shown(unseen), (one, members) => unseenMembers(one, { field, members })],
  ];
  return parts.reduce(
    (now, [members, change]) => (members.length === 0 ? now : change(now, members)),
    outcome,
  );
}
