// The objects that complete applies created. Where they recorded no base, the base has their names with the ids of deleted objects.
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
import type { MadeObjects } from './madeObjects.ts';

/**
 * The objects that complete applies created, newest first. `journals` are in this order; `read` returns null for a journal of
 * other files, or an unsigned one.
 */
export function madeBy(
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
  // Runs of one moment are in no order.
  const made = complete.map(({ found, isRecorded, at }) => {
    const isSinceBase = !isRecorded && at >= recordedAt;
    const objects = madeObjects(found, createdBy(found));
    return { found, objects: objects.map(one => ({ ...one, isSinceBase })) };
  });
  const named = new Set(made.flatMap(({ objects }) => objects.map(({ kind }) => kind)));
  // What an apply declared last counts: one that was created with an end may be there for good by now.
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

/** What journals tell of the objects of their runs. */
interface EndsOfRuns {
  readonly madeObjects: MadeObjects;
  /** Whether what a plan declares of these kinds has an end, by address. */
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
