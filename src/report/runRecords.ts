// The applies of an account, as their journals record them: time, user, revision, plan and outcome.
import { standingUndos } from '../model/undoneRuns.ts';
import type { JsonObject } from '../model/value.ts';
import { isObject } from '../model/value.ts';
import { planFacts } from './comment/facts.ts';
import type { ReadJournal, RunBy } from './run/journalLines.ts';
import { type Counts, countChanges } from './text/summary.ts';

/** A run, and the content of its journal; `read` is undefined if the journal cannot be read. */
export interface JournalOfRun {
  readonly run: string;
  readonly read: ReadJournal | undefined;
  /** False if no key of this run signed the journal. */
  readonly isVerified?: boolean;
  /** Why the journal cannot be used. */
  readonly why?: string;
  /** Whether the run holds the lock of the account. */
  readonly holdsLock?: boolean;
  /** The id of the later run that replaced this run. This run's own journal does not contain that id. */
  readonly replacedBy?: string;
}

/** An apply. */
export interface RunRecord {
  readonly run: string;
  readonly isVerified: boolean;
  /** The time at which the run began, and the time of its last line, in RFC 3339. */
  readonly began: string;
  readonly ended: string;
  /**
   * `running`: the run holds the lock. A run whose machine is lost also counts as running, until another run takes the lock over.
   */
  readonly outcome:
    | 'running'
    | 'complete'
    | 'incomplete'
    | 'interrupted'
    | 'abandoned'
    | 'superseded';
  /** The id of the later run that closed this run, so that nothing of this run is left. */
  readonly closedBy?: string;
  readonly by?: RunBy;
  /** The users who continued the run, in this order. */
  readonly resumedBy: readonly RunBy[];
  readonly folder: string;
  readonly revision?: string;
  readonly digest: string;
  /** The numbers of objects that the plan was to add, change and destroy. */
  readonly counts: Counts;
  readonly actions: number;
  readonly done: number;
  /**
   * Whether the run may have done more than its journal contains: the journal has no line that ends the run, or the run continued
   * from such a copy.
   */
  readonly isCutOff: boolean;
  readonly accessGained: number;
  readonly accessLost: number;
  /** The run that this run undoes, and the run that undoes this run. */
  readonly undoes?: string;
  readonly undoneBy?: string;
  /** The run that began to undo this run and is not complete. */
  readonly undoBegunBy?: string;
  /** The commit of the base that the run recorded. */
  readonly base?: string;
  /** Whether the run did everything, and was meant to record a base that is not recorded. */
  readonly awaitsBase: boolean;
}

/** A run whose journal cannot be read. */
export interface UnreadRun {
  readonly run: string;
  readonly why: string;
}

/** The records of runs, in their order. */
export function runRecords(runs: readonly JournalOfRun[]): readonly (RunRecord | UnreadRun)[] {
  const undoBy = undosOf(runs);
  const known = new Set(runs.map(({ run }) => run));
  return runs.map(one => {
    const { run, read, why = 'it cannot be read' } = one;
    if (read === undefined) return { run, why };
    return { ...recordAmong(known, recordOf(run, read), one), ...undoBy(run) };
  });
}

type UndoOf = Pick<RunRecord, 'undoneBy' | 'undoBegunBy'>;

// Returns the run that undid a run, or began to undo it.
function undosOf(runs: readonly JournalOfRun[]): (run: string) => UndoOf {
  const undos = runs.flatMap(({ run, read }) => {
    const undoes = read?.lines[0]?.undoes_run;
    if (typeof undoes !== 'string' || read === undefined) return [];
    return [{ run, undoes, isComplete: read.ended === 'complete', isBegun: hasSent(read) }];
  });
  const complete = standingUndos(undos.filter(({ isComplete }) => isComplete));
  const undone = new Map(complete.map(({ run, undoes }) => [undoes, run]));
  const begun = new Map(
    undos
      .filter(one => !one.isComplete && one.isBegun && !undone.has(one.run))
      .map(({ run, undoes }) => [undoes, run]),
  );
  return run => {
    const undoneBy = undone.get(run);
    if (undoneBy !== undefined) return { undoneBy };
    const undoBegunBy = begun.get(run);
    return undoBegunBy === undefined ? {} : { undoBegunBy };
  };
}

// The record of a run, with facts about it from outside its journal.
function recordAmong(
  known: ReadonlySet<string>,
  { closedBy, ...own }: Omit<RunRecord, 'isVerified'>,
  { isVerified = true, holdsLock = false, replacedBy }: JournalOfRun,
): RunRecord {
  // A run that sent nothing leaves no journal, so the later run may be missing from the list.
  const isShown = closedBy !== undefined && known.has(closedBy);
  const isOpen = own.outcome === 'interrupted' || own.outcome === 'incomplete';
  const isReplaced = isOpen && !holdsLock && replacedBy !== undefined;
  return {
    ...own,
    isVerified,
    ...(isOpen && holdsLock && { outcome: 'running' as const }),
    ...(isShown && { closedBy }),
    ...(isReplaced && { outcome: 'superseded' as const, closedBy: replacedBy }),
  };
}

const hasSent = ({ entries }: ReadJournal): boolean => entries.some(({ type }) => type === 'send');

/** Whether the journal of a run cannot be read. */
export const isUnread = (run: RunRecord | UnreadRun): run is UnreadRun => 'why' in run;

function recordOf(
  run: string,
  { lines, plan, digest, entries, ended, recordsBase }: ReadJournal,
): Omit<RunRecord, 'isVerified'> {
  const [head = {}, ...rest] = lines;
  const last = lines.at(-1) ?? {};
  const by = byIn(head);
  const done = new Set(
    entries.flatMap(entry =>
      entry.type === 'end' && entry.outcome.status === 'done' ? entry.outcome.action : [],
    ),
  );
  const { access_gained: accessGained, access_lost: accessLost } = planFacts(plan);
  const { undoes_run: undoes } = head;
  const base = isObject(last.base) ? last.base.commit : undefined;
  return {
    run,
    began: textIn(head.at),
    ended: textIn(last.at),
    outcome: outcomeOf(ended, last),
    ...(typeof last.closed_by === 'string' && { closedBy: last.closed_by }),
    ...(by && { by }),
    resumedBy: rest.flatMap(line => (line.type === 'resume' ? (byIn(line) ?? []) : [])),
    folder: plan.folder,
    ...(plan.revision !== undefined && { revision: plan.revision }),
    digest,
    counts: countChanges(plan.changes),
    actions: plan.actions.length,
    done: done.size,
    isCutOff: isCutOff(lines) || entries.some(({ type }) => type === 'copied'),
    accessGained,
    accessLost,
    ...(typeof undoes === 'string' && { undoes }),
    ...(typeof base === 'string' && { base }),
    awaitsBase: ended === 'complete' && recordsBase && base === undefined,
  };
}

// Whether the journal may be incomplete. A run that closes the journal of another run does not know what the journal lacks.
function isCutOff(lines: readonly JsonObject[]): boolean {
  const own = lines.filter(line => line.abandoned !== true && line.closed_by === undefined);
  return own.at(-1)?.type !== 'close';
}

function outcomeOf(ended: ReadJournal['ended'], last: JsonObject): RunRecord['outcome'] {
  if (ended === 'cut off') return 'interrupted';
  if (ended === 'closed') return last.abandoned === true ? 'abandoned' : 'superseded';
  return ended;
}

function byIn({ by }: JsonObject): RunBy | undefined {
  if (!isObject(by) || typeof by.machine !== 'string') return undefined;
  const { machine, person, link } = by;
  return {
    machine,
    ...(typeof person === 'string' && { person }),
    ...(typeof link === 'string' && { link }),
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
