// The end times that a run gave to objects and members. An undo of the run takes these away, and can be undone too. If the end has
// passed by then, nothing is restored.
import { declaredObject } from '../../base/recordedObjects.ts';
import { refIn } from '../../engine/diff/endedLists.ts';
import { formerEnds } from '../../engine/endings/formerEnds.ts';
import { firstEnds } from '../../engine/endings/givenEnds.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { IdOf } from '../../model/comparedAccount.ts';
import { addressOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { FormerEnd, Plan } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { ReadJournal } from '../../report/run/journalLines.ts';
import { createdObjects, inEveryDialect } from './createdObjects.ts';

/** What the run of a journal created, and the account after it. */
interface AfterRun {
  readonly kinds: KindTable;
  readonly created: readonly RecordedId[];
  readonly live: readonly Live[];
}

/**
 * The end times that a run gave, for the plan that undoes it: those in the base that the run recorded, and those in its plan.
 */
export function endsOfRun(
  journal: Pick<ReadJournal, 'plan' | 'chain'>,
  undo: Pick<Plan, 'actions'>,
  { kinds, created, live }: AfterRun,
): readonly FormerEnd[] {
  const base = (journal.plan.base?.content?.objects ?? []).flatMap(object => {
    const kind = kinds.get(object.kind);
    if (!kind) return [];
    // An undo writes each part on its own.
    const declared = declaredObject(object, kind, NOWHERE);
    return [declared, ...inEveryDialect(declared, kinds)];
  });
  const addresses = new Set(base.map(({ kind, key }) => addressOf(kind, key)));
  const withEnds = createdObjects(kinds)(journal, created).filter(
    ({ kind, key }) => !addresses.has(addressOf(kind, key)),
  );
  const recordedIds = new Map(created.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const ids = new Map(live.map(({ kind, key, id }) => [addressOf(kind, key as Key), id]));
  const input = { kinds, base, recorded: undefined, recordedIds, withEnds };
  const idOf: IdOf = (kind, key) =>
    recordedIds.get(addressOf(kind, key as Key)) ?? ids.get(addressOf(kind, key as Key));
  const inBase = formerEnds(input, undo, idOf);
  return firstEnds([...inBase, ...endsOfMembers(journal.plan, kinds, idOf)]);
}

// The ends of members in the plan of a run, with the ids that only the account after the run has.
function endsOfMembers(
  { actions, formerEnds: all = [] }: Pick<Plan, 'actions' | 'formerEnds'>,
  kinds: KindTable,
  idOf: IdOf,
): readonly FormerEnd[] {
  return all.flatMap(end => {
    const { kind: name, key, member, list = [] } = end;
    const kind = kinds.get(name);
    if (!kind || member === undefined) return [];
    const ref = refIn(kind, list);
    const memberId = end.member_id ?? (ref && idOf(ref, member));
    // An undo writes each part on its own.
    const written = actions.filter(one => one.kind === name && (one.partOf ?? one.key) === key);
    return written.map(action => {
      const id = action.verb === 'create' ? idOf(name, action.key) : action.remoteId;
      const known = { ...(id !== undefined && { id }), ...(memberId && { member_id: memberId }) };
      const { id: _, ...rest } = end;
      return { ...rest, key: action.key, ...known };
    });
  });
}

const NOWHERE = { file: '', line: 1, column: 1 };
