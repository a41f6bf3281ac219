// Checks the sets that a run wrote, if its token may not read the audit log. An update sends a set
// whole, so it removes a machine that joined between the read and the write. A later read does not
// show who removed a member, so no member is added again. The run reports members that are new in
// the account but not in a set that it wrote, and members that have left such a set since.
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import { present } from '../../../model/errors.ts';
import type { EarlierRun } from '../../../model/journal.ts';
import { idInKey, idKey } from '../../../model/key.ts';
import { type KindName, remoteId } from '../../../model/names.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Plan, ShownAction } from '../../../model/plan.ts';
import type { AccountPort } from '../../port.ts';
import type { Journal } from '../journal.ts';
import type { RunNames } from '../turns/runNames.ts';
import { memberKind } from '../turns/sentMembers.ts';
import { type MemberNames, memberNamesOnce, readMemberNames } from './memberNames.ts';
import { knownSets } from './memberSets.ts';
import type { WrittenObject } from './ownWrites.ts';
import {
  leftNote,
  unreadMembers,
  unseenMembers,
  withNote,
  withoutMembers,
} from './restoredOutcomes.ts';
import { type SetAtEnd, setsAtEnd } from './setsAtEnd.ts';

/** By kind, the members that existed before a run, as `id:<value>`; undefined if they could not be read. */
export type MembersBefore = ReadonlyMap<KindName, ReadonlySet<string> | undefined>;

/** Reads the objects that can be members of the sets that a plan updates or deletes. */
export async function membersBefore(
  { actions }: Plan,
  kinds: KindTable,
  port: AccountPort,
): Promise<MembersBefore> {
  const written = new Set(actions.flatMap(({ verb, kind }) => (verb === 'create' ? [] : kind)));
  const members = new Set([...written].flatMap(name => memberKindsOf(kinds.get(name))));
  const read = await Promise.all(
    [...members].map(async name => {
      const { all } = await readMemberNames(kindOf(name, kinds), port);
      return [name, all] as const;
    }),
  );
  return new Map(read);
}

/**
 * The members that existed before an earlier run, as that run recorded them. Members that joined
 * during that run also count as new.
 */
export function membersBeforeEarlier({ membersBefore: before }: EarlierRun): MembersBefore {
  return new Map([...(before ?? [])].map(([name, ids]) => [name, new Set([...ids].map(idKey))]));
}

/**
 * Records the members for a later run that continues this run. Rejects if the journal cannot be
 * written.
 */
export async function recordMembers(before: MembersBefore, journal: Journal): Promise<void> {
  for (const [kind, members] of before) {
    if (members === undefined) continue;
    const ids = [...members].flatMap(member => idInKey(member) ?? []);
    await journal.write({ type: 'members', kind, ids: ids.map(remoteId) });
  }
}

const memberKindsOf = (kind: Kind | undefined): KindName[] =>
  kind ? replacedSets(kind).map(({ field }) => memberKind(kind, field)) : [];

const kindOf = (name: KindName, kinds: KindTable): Kind =>
  present(kinds.get(name), `the kind ${name}`);

/** The inputs of the check. */
export interface WithoutLog {
  readonly kinds: KindTable;
  readonly names: RunNames;
  readonly before: MembersBefore;
  readonly written: () => readonly WrittenObject[];
  readonly portOf: (action: ShownAction) => AccountPort;
}

/** Returns the outcomes of a run, with what reads show about the sets that it wrote. */
export async function checkWithoutLog(
  plan: Plan,
  outcomes: readonly Outcome[],
  { kinds, names, before, written, portOf }: WithoutLog,
): Promise<readonly Outcome[]> {
  const { watched, actionOf, declared } = knownSets(plan, names);
  const portFor = (object: WrittenObject) => portOf(actionOf(object));
  const namesOf = memberNamesOnce(kinds);
  let seen = outcomes;
  // The sets are read after the machines, so a machine that joins in between is already in its set.
  const sets = watched(written());
  for (const { object, set } of sets) await namesOf(object.kind, set.field, portFor(object));
  for (const one of await setsAtEnd(sets, portFor)) {
    const { object, set } = one;
    const named = await namesOf(object.kind, set.field, portFor(object));
    const { removed } = declared(object.kind, object.at.id, set.field);
    const known = before.get(memberKind(object.kind, set.field));
    const action = actionOf(object);
    seen = seen.map(outcome =>
      outcome.action === action.id ? changed(outcome, one, { named, removed, known }) : outcome,
    );
  }
  return seen;
}

interface KnownMembers {
  readonly named: MemberNames;
  /** The members that the plan removes. */
  readonly removed: ReadonlySet<string>;
  /** The members that existed before the run. */
  readonly known: ReadonlySet<string> | undefined;
}

function changed(
  outcome: Outcome,
  { set: { field }, members, unseen, left }: SetAtEnd,
  { named, removed, known }: KnownMembers,
): Outcome {
  if (members === null) return outcome;
  if (known === undefined || named.all === undefined || members === undefined)
    return unreadMembers(
      outcome,
      field,
      'the token may not read the audit log, and the members could not be read again',
    );
  const shown = (members: ReadonlySet<string>) =>
    [...members].filter(named.exists).map(named.nameOf).sort();
  const added = shown(named.all.difference(known).difference(members).difference(removed));
  const gone = shown(left);
  const notSeen = shown(unseen);
  const noted = gone.length === 0 ? outcome : withNote(outcome, leftNote(field, gone));
  const told = notSeen.length === 0 ? noted : unseenMembers(noted, { field, members: notSeen });
  return added.length === 0 ? told : withoutMembers(told, { field, members: added });
}
