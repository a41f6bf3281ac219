// The end times that a run gave to objects and members. An undo of the run takes these away, and can be undone too. If the end has
// passed by then, nothing is restored.
import { declaredObject } from '../../base/recordedObjects.ts';
import { formerEnds } from '../../engine/endings/formerEnds.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
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
 * The end times that a run gave, for the plan that undoes it. The ends of objects are in the plan of the run; the ends of members
 * are only in the base that the run recorded.
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
  const inBase = new Set(base.map(({ kind, key }) => addressOf(kind, key)));
  const withEnds = createdObjects(kinds)(journal, created).filter(
    ({ kind, key }) => !inBase.has(addressOf(kind, key)),
  );
  const recordedIds = new Map(created.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const ids = new Map(live.map(({ kind, key, id }) => [addressOf(kind, key as Live['key']), id]));
  const input = { kinds, base, recorded: undefined, recordedIds, withEnds };
  return formerEnds(input, undo, (kind, key) => ids.get(addressOf(kind, key as Live['key'])));
}

const NOWHERE = { file: '', line: 1, column: 1 };
