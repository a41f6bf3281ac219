// What a run can see of its sets if its token may not read the audit log. An update sends a set whole, and removes a machine that joined
// between the read and the write; a read afterwards does not show who removed whom. So nobody is added again: the run reports who is new in
// the account and is not in a set that it wrote, and who has left such a set since.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { ApiError, present } from '../../model/errors.ts';
import type { KindName } from '../../model/names.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import type { AccountPort } from '../run/port.ts';
import { memberKind } from '../turns/members.ts';
import type { RunNames } from '../turns/names.ts';
import { actionsByObject, declaredMembers } from './declaredMembers.ts';
import { type MemberNames, readMemberNames } from './memberNames.ts';
import { readWritten } from './memberRepair.ts';
import { type WatchedSet, watchedSets } from './memberWatch.ts';
import { membersIn, replacedSets, type WrittenObject } from './ownWrites.ts';
import { withNote, withoutMembers } from './restoredOutcomes.ts';

/** By kind, the members that existed before a run, as `id:<value>`; undefined if they could not be read. */
export type MembersBefore = ReadonlyMap<KindName, ReadonlySet<string> | undefined>;

/** Reads the objects that can be members of the sets that a plan updates. */
export async function membersBefore(
  { actions }: Plan,
  kinds: KindTable,
  port: AccountPort,
): Promise<MembersBefore> {
  const updated = new Set(actions.flatMap(({ verb, kind }) => (verb === 'update' ? kind : [])));
  const members = new Set([...updated].flatMap(name => memberKindsOf(kinds.get(name))));
  const read = await Promise.all(
    [...members].map(async name => {
      const { all } = await readMemberNames(kindOf(name, kinds), port);
      return [name, all] as const;
    }),
  );
  return new Map(read);
}

const memberKindsOf = (kind: Kind | undefined): KindName[] =>
  kind ? replacedSets(kind).map(({ field }) => memberKind(kind, field)) : [];

const kindOf = (name: KindName, kinds: KindTable): Kind =>
  present(kinds.get(name), `the kind ${name}`);

/** The inputs of the look. */
export interface WithoutLog {
  readonly kinds: KindTable;
  readonly names: RunNames;
  readonly before: MembersBefore;
  readonly written: () => readonly WrittenObject[];
  readonly portOf: (action: ShownAction) => AccountPort;
}

/** The outcomes of a run, with what became of the sets that it wrote as far as reads show it. */
export async function seenWithoutLog(
  plan: Plan,
  outcomes: readonly Outcome[],
  looking: WithoutLog,
): Promise<readonly Outcome[]> {
  const { names, written } = looking;
  const on = actionsByObject(plan, names);
  const declared = declaredMembers(plan, on, names);
  let seen = outcomes;
  for (const watched of watchedSets(written(), declared)) {
    const { object, set } = watched;
    const action = present(on(object.kind.name, object.at.id).at(-1), 'the action of the object');
    const { removed } = declared(object.kind, object.at.id, set.field);
    const change = await changeOf(watched, removed, looking.portOf(action), looking);
    seen = seen.map(outcome => (outcome.action === action.id ? change(outcome) : outcome));
  }
  return seen;
}

type ChangedOutcome = (outcome: Outcome) => Outcome;

async function changeOf(
  { object, set: { field } }: WatchedSet,
  removed: ReadonlySet<string>,
  port: AccountPort,
  { kinds, before }: WithoutLog,
): Promise<ChangedOutcome> {
  const ofKind = kindOf(memberKind(object.kind, field), kinds);
  const known = before.get(ofKind.name);
  const named = await readMemberNames(ofKind, port);
  const there = await membersNow(object, field, port);
  if (known === undefined || named.all === undefined || there === undefined)
    return outcome => withNote(outcome, unseenNote(field));
  if (there === null) return outcome => outcome;
  const added = named.all.difference(known).difference(there).difference(removed);
  const last = object.sent.at(-1)?.get(field) ?? new Set<string>();
  const gone = [...last.difference(there)].filter(named.exists);
  return outcome => {
    const noted = gone.length === 0 ? outcome : withNote(outcome, goneNote(field, gone, named));
    if (added.size === 0) return noted;
    return withoutMembers(noted, { field, members: [...added].map(named.nameOf) });
  };
}

// Null if the object no longer exists, undefined if it cannot be read.
async function membersNow(
  object: WrittenObject,
  field: string,
  port: AccountPort,
): Promise<ReadonlySet<string> | null | undefined> {
  try {
    const body = await readWritten(object, port);
    return body === undefined ? null : membersIn(object.kind, field, body);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const unseenNote = (field: string): string =>
  `the token may not read the audit log, and the members could not be read again: check that ${quoted(field)} has all members that joined meanwhile`;

const goneNote = (field: string, gone: readonly string[], { nameOf }: MemberNames): string =>
  `left ${quoted(field)} after the write; it is unknown who removed them: ${gone.map(nameOf).sort().join(', ')}`;
