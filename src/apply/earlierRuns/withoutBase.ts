// The objects that complete applies created. Where they recorded no base, the base has their names with the ids of deleted objects.
import { createdIn, earlierRun } from '../../model/journal.ts';
import type { CompleteObject } from '../../model/leftObjects.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import {
  hasRecordedBase,
  isCompleteWithoutBase,
  type ReadJournal,
} from '../../report/run/journalLines.ts';
import type { SharedJournal } from '../journal/sharedJournals.ts';
import type { MadeObjects } from './madeObjects.ts';

/**
 * The objects that complete applies created, newest first. `journals` are in this order; `read` returns null for a journal of
 * other files, or an unsigned one.
 */
export function madeBy(
  journals: readonly SharedJournal[],
  read: (journal: SharedJournal) => ReadJournal | null,
  madeObjects: MadeObjects,
): readonly CompleteObject[] {
  const complete = journals.flatMap(journal => {
    const isRecorded = hasRecordedBase(journal.text);
    if (!isRecorded && !isCompleteWithoutBase(journal.text)) return [];
    const found = read(journal);
    return found === null ? [] : [{ found, isRecorded, at: String(found.lines.at(-1)?.at) }];
  });
  const recordedAt = complete.find(({ isRecorded }) => isRecorded)?.at ?? '';
  // Runs of one moment are in no order.
  return complete.flatMap(({ found, isRecorded, at }) => {
    const isSinceBase = !isRecorded && at >= recordedAt;
    return madeObjects(found, createdBy(found)).map(one => ({ ...one, isSinceBase }));
  });
}

function createdBy({ plan, entries }: ReadJournal): readonly RecordedId[] {
  const { done } = earlierRun(entries);
  const created = createdIn(entries);
  return plan.actions.flatMap(({ verb, id: action, kind, key }) => {
    const id = done.get(action)?.remoteId;
    return verb === 'create' && id !== undefined && created.has(id) ? { kind, key, id } : [];
  });
}
