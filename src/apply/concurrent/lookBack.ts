// During a run and after it, asks the server's audit log who else changed something. Members of sets that an update undid are
// restored. Other changes are reported.
import { auditEntry, mayBeCut } from '../../api/events/audit.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { AuditEntry } from '../../model/audit/entry.ts';
import { ApiError, present } from '../../model/errors.ts';
import { idInKey } from '../../model/key.ts';
import type { ActionId, Address } from '../../model/names.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan, ShownAction, UpdateAction } from '../../model/plan.ts';
import type { ShownFields } from '../../model/secrets/shown.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import type { AccountPort, AuditLog } from '../run/port.ts';
import type { RunNames } from '../turns/names.ts';
import {
  type ActionsOn,
  actionsByObject,
  type DeclaredIn,
  declaredMembers,
} from './declaredMembers.ts';
import { foreignNotes, isAboutAny } from './foreignEdits.ts';
import { membersThatLeft } from './memberHistory.ts';
import {
  type MemberWatching,
  Restored,
  restoreAll,
  restoreOnce,
  watchedSets,
} from './memberWatch.ts';
import type { WrittenObject } from './ownWrites.ts';
import { withNote, withRestored } from './restoredOutcomes.ts';
import { type MembersBefore, seenWithoutLog } from './withoutLog.ts';

/** The inputs of the check. */
export interface LookingBack {
  readonly kinds: KindTable;
  readonly log: AuditLog | undefined;
  /** The account, for the turn of one action. */
  readonly portOf: (action: ShownAction) => AccountPort;
  /** The position of the log before the run; undefined if the token may not read the log. */
  readonly position: number | undefined;
  readonly names: RunNames;
  /** The members that existed before the run, if the token may not read the log. */
  readonly before: MembersBefore | undefined;
  /** The objects with sets that others can join, which the run updated. */
  readonly written: () => readonly WrittenObject[];
  /** Runs work while no action writes the object at this address. */
  readonly exclusively: <T>(address: Address, work: () => Promise<T>) => Promise<T>;
}

/** Looks at what others did while a run wrote. If the token may not read the log, reads show a part of it. */
export interface LookBack {
  /** During the run, restores once the changes of members that the run undid. Throws an `ApiError`. */
  readonly during: () => Promise<void>;
  /** After the run, restores all of them. Returns the outcomes, with notes about it and about other changes. */
  readonly after: (outcomes: readonly Outcome[]) => Promise<readonly Outcome[]>;
}

/** Looks back at a run of the plan. */
export function newLookBack(plan: Plan, looking: LookingBack): LookBack {
  const { log, position, written, before } = looking;
  if (!log || position === undefined) {
    const after = (outcomes: readonly Outcome[]) =>
      before ? seenWithoutLog(plan, outcomes, { ...looking, before }) : Promise.resolve(outcomes);
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
      if (done.length + written().length === 0) return outcomes;
      try {
        return await compared(plan, outcomes, { ...comparing, done });
      } catch (error) {
        // The run has ended. Its results are reported even if the log cannot be read.
        if (!(error instanceof ApiError)) throw error;
        const doubt = `it is unknown whether somebody else changed it during the write: ${error.message}`;
        return withNotes(outcomes, new Map(done.map(({ id }) => [id, doubt])));
      }
    },
  };
}

interface Comparing extends LookingBack {
  readonly log: AuditLog;
  readonly position: number;
  /** The members that were restored so far. */
  readonly restored: Restored;
}

async function restoreDuring(plan: Plan, comparing: Comparing): Promise<void> {
  const { log, written, restored } = comparing;
  const sets = knownSets(plan, comparing);
  await log.settled();
  const { rows } = await rowsSince(comparing);
  const events = rows.map(auditEntry);
  if (membersGone(written(), events, sets.declared).length === 0) return;
  const self = await log.self();
  if (self !== null) await restoreOnce(events, restored, watching(comparing, sets, self));
}

async function compared(
  plan: Plan,
  outcomes: readonly Outcome[],
  { done, ...comparing }: Comparing & { readonly done: readonly UpdateAction<ShownFields>[] },
): Promise<readonly Outcome[]> {
  const { log, written, restored } = comparing;
  const sets = knownSets(plan, comparing);
  const { on, declared, actionOf } = sets;
  // Members are restored, so this waits for the whole log. Other changes by others are only reported.
  if (watchedSets(written(), declared).length > 0) await log.settled();
  const { rows, isWhole } = await rowsSince(comparing);
  const events = rows.map(auditEntry);
  const gone = membersGone(written(), events, declared);
  const isAsked = gone.length > 0 || events.some(event => isAboutAny(event, done));
  const self = isAsked ? await log.self() : null;
  const foreign = withNotes(outcomes, foreignNotes(done, rows, self));
  const noted = isWhole ? foreign : withNotes(foreign, cutNotes(written(), sets));
  if (gone.length === 0) return noted;
  if (self === null) return withNotes(noted, doubts(gone, actionOf));
  const all = await restoreAll(events, restored, watching(comparing, sets, self));
  return withRestored(noted, all, object => on(object.kind.name, object.at.id));
}

/** What the plan says of the sets that the run writes. */
interface KnownSets {
  readonly on: ActionsOn;
  readonly declared: DeclaredIn;
  readonly actionOf: (object: WrittenObject) => ShownAction;
}

function knownSets(plan: Plan, { names }: Comparing): KnownSets {
  const on = actionsByObject(plan, names);
  return {
    on,
    declared: declaredMembers(plan, on, names),
    actionOf: ({ kind, at }) =>
      present(on(kind.name, at.id).at(-1), `the action of ${kind.name} ${at.id}`),
  };
}

function watching(
  comparing: Comparing,
  { declared, actionOf }: KnownSets,
  self: string,
): MemberWatching {
  const { kinds, log, written, names, portOf, exclusively } = comparing;
  return {
    kinds,
    written,
    names,
    declared,
    self,
    portOf: object => portOf(actionOf(object)),
    exclusively: (object, work) => exclusively(actionOf(object).address, work),
    events: async () => {
      await log.settled();
      return (await rowsSince(comparing)).rows.map(auditEntry);
    },
  };
}

/** The rows of the log since the start of the run. */
interface RowsSince {
  readonly rows: readonly JsonObject[];
  /** Whether the log still shows all of them. */
  readonly isWhole: boolean;
}

async function rowsSince({ log, position }: Comparing): Promise<RowsSince> {
  const all = await log.events();
  const rows = all.filter(({ id }) => Number(id) > position);
  return { rows, isWhole: rows.length < all.length || !mayBeCut(all.length) };
}

function cutNotes(
  written: readonly WrittenObject[],
  { declared, actionOf }: KnownSets,
): ReadonlyMap<ActionId, string> {
  return new Map(
    watchedSets(written, declared).map(({ object, set }) => [
      actionOf(object).id,
      `the audit log no longer shows the start of the run: check that ${quoted(set.field)} has all members that joined meanwhile`,
    ]),
  );
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
