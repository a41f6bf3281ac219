// The objects that complete applies created. If such an apply recorded no base, the last base may
// still assign the names of these objects to ids of deleted objects.
import { createdIn, earlierRun } from '../../model/journal.ts';
import { addressOf } from '../../model/key.ts';
import type { CompleteObject } from '../../model/leftObjects.ts';
import type { KindName } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import {
  hasRecordedBase,
  isCompleteWithoutBase,
  type ReadJournal,
} from '../../report/run/journalLines.ts';
import type { SharedJournal } from '../journal/sharedJournals.ts';
import type { CreatedObjects } from './createdObjects.ts';

/**
 * The objects that complete applies created, newest first. `journals` are in the same order. `read` returns null for an unsigned
 * journal, or for a journal of other files.
 */
export function createdWithoutBase(
  journals: readonly SharedJournal[],
  read: (journal: SharedJournal) => ReadJournal | null,
  { madeObjects, declaredEnds }: EndsOfRuns,
): readonly CompleteObject[] {
  const complete = journals.flatMap(journal => {
    const isRecorded = hasRecordedBase(journal.text);
    if (!isRecorded && !isCompleteWithoutBase(journal.text)) return [];
    const found = read(journal);
    return found === null ? [] : [{ found, isRecorded, at: String(found.lines.at(-1)?.at) }];
  });
  const recordedAt = complete.find(({ isRecorded }) => isRecorded)?.at ?? '';
  // The order of runs that ended at the same time is unknown.
  const made = complete.map(({ found, isRecorded, at }) => {
    const isSinceBase = !isRecorded && at >= recordedAt;
    const objects = madeObjects(found, createdBy(found));
    return { found, objects: objects.map(one => ({ ...one, isSinceBase })) };
  });
  const named = new Set(made.flatMap(({ objects }) => objects.map(({ kind }) => kind)));
  // The newest declaration of an object counts. An object that was created with an expiry time may
  // be permanent by now.
  const newest = new Map<string, boolean>();
  return made.flatMap(({ found, objects }) => {
    const ended = objects.map(one => {
      const { kind, key, partOf = key } = one;
      const since = newest.get(addressOf(kind, key)) ?? newest.get(addressOf(kind, partOf));
      return { ...one, hasEnd: since ?? one.hasEnd };
    });
    for (const [address, hasEnd] of declaredEnds(found.plan, named))
      if (!newest.has(address)) newest.set(address, hasEnd);
    return ended;
  });
}

/** Reads from journals which objects their runs created, and whether these objects expire. */
interface EndsOfRuns {
  readonly madeObjects: CreatedObjects;
  /** For each object of these kinds, by address, whether it expires according to the plan. */
  readonly declaredEnds: (plan: Plan, named: ReadonlySet<KindName>) => ReadonlyMap<string, boolean>;
}

function createdBy({ plan, entries }: ReadJournal): readonly RecordedId[] {
  const { done } = earlierRun(entries);
  const created = createdIn(entries);
  return plan.actions.flatMap(({ verb, id: action, kind, key }) => {
    const id = done.get(action)?.remoteId;
    return verb === 'create' && id !== undefined && created.has(id) ? { kind, key, id } : [];
  });
}
