// Determines from the server's audit log, during a run and after it, who else changed something. If
// an update of the run undid a change of set members, the change is restored. Other changes are
// reported.
import { auditEntry, mayBeCut } from '../../../api/events/audit.ts';
import type { KindTable } from '../../../kinds/kind.ts';
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError } from '../../../model/errors.ts';
import { idKey } from '../../../model/key.ts';
import type { ActionId, Address, RemoteId } from '../../../model/names.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Plan, ShownAction, UpdateAction } from '../../../model/plan.ts';
import type { ShownFields } from '../../../model/secrets/shown.ts';
import { quoted } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';
import type { AccountPort, AuditLog } from '../../port.ts';
import type { RunNames } from '../turns/runNames.ts';
import { checkWithoutLog, type MembersBefore } from './checkWithoutLog.ts';
import { doneDeletions, withDeletedMembers } from './deletedSets.ts';
import {
  type ForeignEdit,
  foreignEdits,
  foreignHint,
  foreignNote,
  isAboutAny,
} from './foreignEdits.ts';
import { membersThatLeft } from './memberHistory.ts';
import { type KnownSets, knownSets } from './memberSets.ts';
import {
  type MemberWatching,
  Restored,
  restoreAll,
  restoreOnce,
  type WatchedSet,
} from './memberWatch.ts';
import { type MembersGone, withMissingAtEnd } from './missingAtEnd.ts';
import { hasOtherSides, type OtherSideWatching, restoreOtherSides } from './otherSide.ts';
import type { DeletedObject, WrittenObject } from './ownWrites.ts';
import { withProvenUnstored } from './provenUnstored.ts';
import {
  unknownAtDeletion,
  unreadMembers,
  withChanged,
  withNote,
  withRestored,
} from './restoredOutcomes.ts';

/** The inputs of the check. */
export interface ChangesByOthersInput {
  readonly kinds: KindTable;
  readonly log: AuditLog | undefined;
  /** The account, for the turn of one action. */
  readonly portOf: (action: ShownAction) => AccountPort;
  /** The position of the log before the run; undefined if the token may not read the log. */
  readonly position: number | undefined;
  readonly names: RunNames;
  /** The members that existed before the run, if the token may not read the log. */
  readonly before: MembersBefore | undefined;
  /** The objects that the run updated and that have sets which others can join. */
  readonly written: () => readonly WrittenObject[];
  /** The objects with such sets that the run deleted. */
  readonly deleted: () => readonly DeletedObject[];
  /** Calls `work` while no action writes the object at this address. */
  readonly exclusively: <T>(address: Address, work: () => Promise<T>) => Promise<T>;
}

/**
 * Checks for changes that others made while a run wrote. If the token may not read the log, only
 * some of these changes are found, by reading the objects.
 */
export interface ChangesByOthers {
  /**
   * During the run, restores once the member changes by others that the run undid. Throws an
   * `ApiError`.
   */
  readonly during: () => Promise<void>;
  /**
   * After the run, restores all member changes that the run undid. Returns the outcomes, with notes
   * about these changes and about others.
   */
  readonly after: (outcomes: readonly Outcome[]) => Promise<readonly Outcome[]>;
}

/** Makes the check for a run of the plan. */
export function newChangesByOthers(plan: Plan, looking: ChangesByOthersInput): ChangesByOthers {
  const { log, position, written, deleted, before } = looking;
  if (!log || position === undefined) {
    const after = async (ended: readonly Outcome[]) => {
      const outcomes = withProvenUnstored(ended, undefined);
      if (!before) return outcomes;
      const named = await withDeletedMembers(plan, outcomes, { before }, looking);
      return checkWithoutLog(plan, named, { ...looking, before });
    };
    return { during: () => Promise.resolve(), after };
  }
  const updates = plan.actions.filter(action => action.verb === 'update');
  const comparing = { ...looking, log, position, restored: new Restored() };
  return {
    during: () => restoreDuring(plan, comparing),
    after: async outcomes => {
      const isDone = new Set(
        outcomes.flatMap(({ action, status }) => (status === 'done' ? action : [])),
      );
      const done = updates.filter(({ id }) => isDone.has(id));
      const unkept = updates.filter(({ id }) =>
        outcomes.some(one => one.action === id && isUnkept(one)),
      );
      if (done.length + unkept.length + written().length + deleted().length === 0) return outcomes;
      try {
        return await compared(plan, outcomes, { ...comparing, done, unkept });
      } catch (error) {
        // The run has ended. Its results are reported even if the log cannot be read.
        if (!(error instanceof ApiError)) throw error;
        return unlogged(plan, outcomes, { ...looking, done, error });
      }
    },
  };
}

// The outcomes of a run if the log cannot be read afterwards.
async function unlogged(
  plan: Plan,
  outcomes: readonly Outcome[],
  {
    done,
    error,
    ...looking
  }: ChangesByOthersInput & {
    readonly done: readonly UpdateAction<ShownFields>[];
    readonly error: ApiError;
  },
): Promise<readonly Outcome[]> {
  const { written, deleted, names } = looking;
  const why = `the audit log could not be read: ${error.message}`;
  const { watched, actionOf } = knownSets(plan, names);
  const sets = watched(written());
  const unread = new Set(sets.map(({ object }) => actionOf(object).id));
  const others = done.flatMap(({ id }) => (unread.has(id) ? [] : id));
  const doubt = `it is unknown whether somebody else changed it during the write: ${error.message}`;
  const unproven = withProvenUnstored(outcomes, undefined);
  const noted = withNotes(unproven, new Map(others.map(id => [id, doubt])));
  const unchecked = sets.reduce(
    (now, { object, set: { field } }) =>
      withChanged(now, actionOf(object), one => unreadMembers(one, field, why)),
    noted,
  );
  const named = await withDeletedMembers(plan, unchecked, { events: [] }, looking);
  return doneDeletions(plan, outcomes, deleted())
    .flatMap(({ action, object }) => replacedSets(object.kind).map(set => ({ action, set })))
    .reduce(
      (now, { action, set: { field } }) =>
        withChanged(now, action, one => unknownAtDeletion(one, field, why)),
      named,
    );
}

interface Comparing extends ChangesByOthersInput {
  readonly log: AuditLog;
  readonly position: number;
  /** The members that were restored so far. */
  readonly restored: Restored;
}

async function restoreDuring(plan: Plan, comparing: Comparing): Promise<void> {
  const { log, restored, written, names } = comparing;
  const sets = knownSets(plan, names);
  await log.settled();
  const { rows } = await rowsSince(comparing);
  const events = rows.map(auditEntry);
  if (membersGone(restorable(sets, written()), events, sets).length === 0) return;
  const self = await log.self();
  if (self !== null) await restoreOnce(events, restored, watching(comparing, sets, self));
}

/** The updates of a run that are compared with the log. */
interface Updates {
  readonly done: readonly UpdateAction<ShownFields>[];
  /** Updates whose values a later read did not show. */
  readonly unkept: readonly UpdateAction<ShownFields>[];
}

async function compared(
  plan: Plan,
  outcomes: readonly Outcome[],
  { done, unkept, ...comparing }: Comparing & Updates,
): Promise<readonly Outcome[]> {
  const { kinds, log, names } = comparing;
  const sets = knownSets(plan, names);
  // Waits for the whole log, because member changes are restored. Other changes by other users are
  // only reported.
  const others = otherSidesOf(plan, comparing, sets);
  const isAnySet = restorable(sets, comparing.written()).length > 0;
  const isAnyDeleted = doneDeletions(plan, outcomes, comparing.deleted()).length > 0;
  if (isAnySet || isAnyDeleted || unkept.length > 0 || hasOtherSides(others)) await log.settled();
  const { rows, isWhole } = await rowsSince(comparing);
  const events = rows.map(auditEntry);
  const lost = await withDeletedMembers(plan, outcomes, { events }, comparing);
  const gone = membersGone(restorable(sets, comparing.written()), events, sets);
  const updates = [...done, ...unkept];
  const isAsked = gone.length > 0 || events.some(event => isAboutAny(event, updates));
  const self = isAsked ? await log.self() : null;
  const proven = withProvenUnstored(lost, { kinds, events, isWhole, self });
  const foreign = withForeign(proven, foreignEdits(updates, rows, { self, kinds }));
  const watched = sets.watched(comparing.written());
  const whole = isWhole ? foreign : withNotes(foreign, cutNotes(watched, sets));
  const noted = withRestored(whole, await restoreOtherSides(events, others), actionsOf(sets));
  const ending = { ...comparing, events: () => settledEvents(comparing), doubtful: [] };
  if (gone.length === 0) return withMissingAtEnd(noted, sets, ending);
  if (self !== null) {
    const all = await restoredMembers(noted, { events, others, self, sets }, comparing);
    return withMissingAtEnd(all, sets, ending);
  }
  const doubtful = membersGone(watched, events, sets);
  return withMissingAtEnd(noted, sets, { ...ending, doubtful });
}

/** What others changed, as the log shows it. */
interface Observed {
  readonly events: readonly AuditEntry[];
  readonly others: OtherSideWatching;
  /** The user of the run. */
  readonly self: string;
  readonly sets: KnownSets;
}

// Restores the members that the run removed from sets.
async function restoredMembers(
  outcomes: readonly Outcome[],
  { events, others, self, sets }: Observed,
  comparing: Comparing,
): Promise<readonly Outcome[]> {
  const all = await restoreAll(events, comparing.restored, watching(comparing, sets, self));
  const told = withRestored(outcomes, all, actionsOf(sets));
  if (!hasOtherSides(others)) return told;
  // Each update that restored a member may have undone a change that others made at the member.
  const after = await restoreOtherSides(await settledEvents(comparing), others);
  return withRestored(told, after, actionsOf(sets));
}

const actionsOf =
  ({ actionsOn }: KnownSets) =>
  ({ kind, at }: WrittenObject) =>
    actionsOn(kind.name, at.id);

function otherSidesOf(
  { actions }: Plan,
  { kinds, written, names, portOf }: Comparing,
  { actionsOn, actionOf }: KnownSets,
): OtherSideWatching {
  return {
    kinds,
    written: written().filter(({ kind, at }) => actionsOn(kind.name, at.id).length > 0),
    names,
    portOf: object => portOf(actionOf(object)),
    deleted: new Set(actions.flatMap(deletedBy).map(idKey)),
  };
}

// The server deletes the children of an object with the object.
function deletedBy(action: ShownAction): readonly RemoteId[] {
  if (action.verb !== 'delete') return [];
  const children = action.precondition.children.flatMap(({ objects }) => objects);
  return [action.remoteId].concat(children.map(({ id }) => id));
}

function watching(comparing: Comparing, sets: KnownSets, self: string): MemberWatching {
  const { kinds, written, names, portOf, exclusively } = comparing;
  const { declared, actionOf } = sets;
  return {
    kinds,
    watched: () => restorable(sets, written()),
    names,
    declared,
    self,
    portOf: object => portOf(actionOf(object)),
    exclusively: (object, work) => exclusively(actionOf(object).address, work),
    events: () => settledEvents(comparing),
  };
}

// The sets in which member changes by others are restored.
const restorable = (
  { watched, exact }: KnownSets,
  written: readonly WrittenObject[],
): readonly WatchedSet[] => [...watched(written), ...exact(written)];

async function settledEvents(comparing: Comparing): Promise<readonly AuditEntry[]> {
  await comparing.log.settled();
  return (await rowsSince(comparing)).rows.map(auditEntry);
}

/** The rows of the log since the start of the run. */
interface RowsSince {
  readonly rows: readonly JsonObject[];
  /** Whether the log still shows all rows. */
  readonly isWhole: boolean;
}

async function rowsSince({ log, position }: Comparing): Promise<RowsSince> {
  const all = await log.events();
  const rows = all.filter(({ id }) => Number(id) > position);
  return { rows, isWhole: rows.length < all.length || !mayBeCut(all.length) };
}

function cutNotes(
  watched: readonly WatchedSet[],
  { actionOf }: KnownSets,
): ReadonlyMap<ActionId, string> {
  return new Map(
    watched.map(({ object, set }) => [
      actionOf(object).id,
      `the audit log no longer shows the start of the run: check that ${quoted(set.field)} has all members that joined meanwhile`,
    ]),
  );
}

function membersGone(
  watched: readonly WatchedSet[],
  events: readonly AuditEntry[],
  { declared }: KnownSets,
): readonly MembersGone[] {
  return watched.flatMap(({ object, set }) => {
    const { removed } = declared(object.kind, object.at.id, set.field);
    const ids = [...membersThatLeft(object, set, events).difference(removed)].sort();
    return ids.length === 0 ? [] : [{ object, set, ids }];
  });
}

function withNotes(
  outcomes: readonly Outcome[],
  notes: ReadonlyMap<ActionId, string>,
): readonly Outcome[] {
  return outcomes.map(outcome => {
    const note = notes.get(outcome.action);
    return note === undefined ? outcome : withNote(outcome, note);
  });
}

const isUnkept = (outcome: Outcome): boolean =>
  outcome.status === 'failed' && outcome.fault.code === 'NOT_KEPT';

function withForeign(
  outcomes: readonly Outcome[],
  edits: ReadonlyMap<ActionId, ForeignEdit>,
): readonly Outcome[] {
  return outcomes.map(outcome => {
    const edit = edits.get(outcome.action);
    if (edit === undefined) return outcome;
    if (outcome.status !== 'failed') return withNote(outcome, foreignNote(edit));
    return isUnkept(outcome)
      ? { ...outcome, fault: { ...outcome.fault, hint: foreignHint(edit) } }
      : outcome;
  });
}
