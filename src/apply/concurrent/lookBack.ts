// After a run, asks the server's audit log who else changed something. Members of sets that an update undid are
// restored. Other changes are reported.
import { auditEntry } from '../../api/events/audit.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { AuditEntry } from '../../model/audit/entry.ts';
import { ApiError, present } from '../../model/errors.ts';
import { idInKey } from '../../model/key.ts';
import type { ActionId } from '../../model/names.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan, ShownAction, UpdateAction } from '../../model/plan.ts';
import type { ShownFields } from '../../model/secrets/shown.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { AccountPort, AuditLog } from '../run/port.ts';
import type { RunNames } from '../turns/names.ts';
import { actionsByObject, type DeclaredIn, declaredMembers } from './declaredMembers.ts';
import { foreignNotes, isAboutAny } from './foreignEdits.ts';
import { membersThatLeft } from './memberHistory.ts';
import { restoreAll, watchedSets } from './memberWatch.ts';
import type { WrittenObject } from './ownWrites.ts';
import { withNote, withRestored } from './restoredOutcomes.ts';

/** The inputs of the check. */
export interface LookingBack {
  readonly kinds: KindTable;
  readonly log: AuditLog | undefined;
  /** The account, for the turn of one action. */
  readonly portOf: (action: ShownAction) => AccountPort;
  /** The position of the log before the run; undefined if the token may not read the log. */
  readonly position: number | undefined;
  readonly names: RunNames;
  /** The objects with sets that others can join, which the run updated. */
  readonly written: () => readonly WrittenObject[];
}

/**
 * Looks at the results of a run, and restores the changes of members that it undid. Returns the outcomes, with notes
 * about it. Does nothing if the run updated nothing or the token may not read the log.
 */
export async function lookBack(
  plan: Plan,
  outcomes: readonly Outcome[],
  looking: LookingBack,
): Promise<readonly Outcome[]> {
  const { log, position, written } = looking;
  const isDone = new Set(
    outcomes.flatMap(({ action, status }) => (status === 'done' ? action : [])),
  );
  const updates = plan.actions.filter(action => action.verb === 'update');
  const done = updates.filter(({ id }) => isDone.has(id));
  if (!log || position === undefined || done.length + written().length === 0) return outcomes;
  try {
    return await compared(plan, outcomes, { ...looking, log, position, done });
  } catch (error) {
    // The run has ended. Its results are reported even if the log cannot be read.
    if (!(error instanceof ApiError)) throw error;
    const doubt = `it is unknown whether somebody else changed it during the write: ${error.message}`;
    return withNotes(outcomes, new Map(done.map(({ id }) => [id, doubt])));
  }
}

interface Comparing extends LookingBack {
  readonly log: AuditLog;
  readonly position: number;
  /** The updates that are done. */
  readonly done: readonly UpdateAction<ShownFields>[];
}

async function compared(
  plan: Plan,
  outcomes: readonly Outcome[],
  { kinds, log, portOf, position, names, written, done }: Comparing,
): Promise<readonly Outcome[]> {
  const on = actionsByObject(plan, names);
  const declared = declaredMembers(plan, on, names);
  const actionOf = ({ kind, at }: WrittenObject) =>
    present(on(kind.name, at.id).at(-1), `the action of ${kind.name} ${at.id}`);
  const rowsSince = async () => (await log.events()).filter(({ id }) => Number(id) > position);
  // Members are restored, so this waits for the whole log. Other changes by others are only reported.
  const isWatched = watchedSets(written(), declared).length > 0;
  if (isWatched) await log.settled();
  const rows = await rowsSince();
  const events = rows.map(auditEntry);
  const gone = membersGone(written(), events, declared);
  const isAsked = gone.length > 0 || events.some(event => isAboutAny(event, done));
  const self = isAsked ? await log.self() : null;
  const noted = withNotes(outcomes, foreignNotes(done, rows, self));
  if (gone.length === 0) return noted;
  if (self === null) return withNotes(noted, doubts(gone, actionOf));
  const restored = await restoreAll(events, {
    ...{ kinds, written, names, declared, self },
    portOf: object => portOf(actionOf(object)),
    events: async () => {
      await log.settled();
      return (await rowsSince()).map(auditEntry);
    },
  });
  return withRestored(noted, restored, object => on(object.kind.name, object.at.id));
}

/** The members that left a set although the plan did not remove them. */
interface MembersGone {
  readonly object: WrittenObject;
  readonly field: string;
  readonly ids: readonly string[];
}

function membersGone(
  written: readonly WrittenObject[],
  events: readonly AuditEntry[],
  declared: DeclaredIn,
): readonly MembersGone[] {
  return watchedSets(written, declared).flatMap(({ object, set }) => {
    const { removed } = declared(object.kind, object.at.id, set.field);
    const ids = [...membersThatLeft(object, set, events).difference(removed)].sort();
    return ids.length === 0 ? [] : [{ object, field: set.field, ids }];
  });
}

function doubts(
  gone: readonly MembersGone[],
  actionOf: (object: WrittenObject) => ShownAction,
): ReadonlyMap<ActionId, string> {
  return new Map(
    gone.map(({ object, field, ids }) => {
      const who = ids.map(id => nameText(idInKey(id) ?? id)).join(', ');
      const doubt = `left ${quoted(field)} meanwhile; it is unknown who removed them: ${who}`;
      return [actionOf(object).id, doubt];
    }),
  );
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
