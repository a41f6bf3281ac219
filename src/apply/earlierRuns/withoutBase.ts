// The objects that complete applies created without recording a base: the base has their names with the ids of deleted objects.
import { createdIn, earlierRun } from '../../model/journal.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import {
  hasRecordedBase,
  isCompleteWithoutBase,
  type ReadJournal,
} from '../../report/run/journalLines.ts';
import type { SharedJournal } from '../journal/sharedJournals.ts';

/**
 * The objects that applies created since the last apply that recorded a base, newest first. `journals` are in this order;
 * `read` returns null for a journal of other files, or an unsigned one.
 */
export function madeBy(
  journals: readonly SharedJournal[],
  read: (journal: SharedJournal) => ReadJournal | null,
): readonly RecordedId[] {
  const made: { readonly at: string; readonly objects: readonly RecordedId[] }[] = [];
  let recordedAt = '';
  for (const journal of journals) {
    const isRecorded = hasRecordedBase(journal.text);
    if (!isRecorded && !isCompleteWithoutBase(journal.text)) continue;
    const found = read(journal);
    if (found === null) continue;
    const at = String(found.lines.at(-1)?.at);
    // Runs of one moment are in no order.
    if (at < recordedAt) break;
    if (isRecorded) recordedAt = at;
    else made.push({ at, objects: createdBy(found) });
  }
  return made.flatMap(({ at, objects }) => (at < recordedAt ? [] : objects));
}

function createdBy({ plan, entries }: ReadJournal): readonly RecordedId[] {
  const { done } = earlierRun(entries);
  const created = createdIn(entries);
  return plan.actions.flatMap(({ verb, id: action, kind, key }) => {
    const id = done.get(action)?.remoteId;
    return verb === 'create' && id !== undefined && created.has(id) ? { kind, key, id } : [];
  });
}
