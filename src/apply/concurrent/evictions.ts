// After a run, asks the server's audit log who else changed something. Members that joined a set between its read and its
// PUT were removed (docs/server-behaviour.md#group-membership): they are added again. Other changes are reported.
import { auditEntry } from '../../api/events/audit.ts';
import { type JoinableWrite, joinableWrites } from '../../engine/actions/joinable.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { AuditEntry } from '../../model/audit/entry.ts';
import { ApiError, InvariantError, present } from '../../model/errors.ts';
import { idKey } from '../../model/key.ts';
import { type ActionId, remoteId } from '../../model/names.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Action, Plan, UpdateAction } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import { byId, decodeFields } from '../../wire/decode.ts';
import { encodeUpdate } from '../../wire/encode.ts';
import type { AccountPort, AuditLog } from '../run/port.ts';
import { Refused } from '../run/refused.ts';
import { objectIdOf } from '../turns/context.ts';
import { removedMembers } from '../turns/members.ts';
import type { RunNames } from '../turns/names.ts';
import { resolverFor } from '../turns/resolver.ts';
import { foreignNotes, isAboutAny } from './foreignEdits.ts';

/** Looks at the results of a run and adds removed members again. Returns the outcomes, with notes about it. */
export type PutBack = (outcomes: readonly Outcome[], names: RunNames) => Promise<Outcome[]>;

/** The inputs of the check. */
export interface Watching {
  readonly kinds: KindTable;
  readonly log: AuditLog | undefined;
  /** The account, for the turn of one action. */
  readonly portOf: (action: Action) => AccountPort;
  /** The position of the log before the run; undefined if the token may not read the log. */
  readonly position: number | undefined;
}

/** Looks for evictions after a run. Does nothing if the run updates nothing or the token may not read the log. */
export function watchEvictions(plan: Plan, { kinds, log, portOf, position }: Watching): PutBack {
  const updates = plan.actions.filter(action => action.verb === 'update');
  if (!log || position === undefined || updates.length === 0)
    return outcomes => Promise.resolve([...outcomes]);
  return async (outcomes, names) => {
    const isDone = (action: Action) =>
      outcomes.some(outcome => outcome.action === action.id && outcome.status === 'done');
    const done = updates.filter(isDone);
    if (done.length === 0) return [...outcomes];
    const writes = done.flatMap(action => joinableWrites(action, kinds));
    // Removed members are added again, so this waits for the whole log. Other changes by others are only reported.
    if (writes.length > 0) await log.settled();
    const { losses, notes } = await lookBack(position, log, { done, writes, names });
    const reported = new Map<string, Outcome>();
    for (const { write, ids, doubt } of losses) {
      const outcome = present(
        outcomes.find(one => one.action === write.action.id),
        'the outcome of a write',
      );
      const port = portOf(write.action);
      const now =
        doubt === undefined
          ? await putBack(write, ids, outcome, names, port)
          : withNote(outcome, doubt);
      reported.set(write.action.id, now);
    }
    return outcomes.map(outcome => {
      const now = reported.get(outcome.action) ?? outcome;
      const note = notes.get(outcome.action);
      return note === undefined ? now : withNote(now, note);
    });
  };
}

/** Members that a write removed from its set, or why this is unknown. */
interface Loss {
  readonly write: JoinableWrite;
  readonly ids: readonly string[];
  readonly doubt?: string;
}

/** The completed part of a plan. */
interface Written {
  readonly done: readonly UpdateAction[];
  readonly writes: readonly JoinableWrite[];
  readonly names: RunNames;
}

/** The findings in the log: who was removed, and notes on what others changed in the same objects. */
interface LookedBack {
  readonly losses: readonly Loss[];
  readonly notes: ReadonlyMap<ActionId, string>;
}

// The run has ended. Its results are reported even if the log cannot be read.
async function lookBack(
  before: number,
  log: AuditLog,
  { done, writes, names }: Written,
): Promise<LookedBack> {
  try {
    const rows = (await log.events()).filter(({ id }) => Number(id) > before);
    const events = rows.map(auditEntry);
    const lossesIn = (some: readonly AuditEntry[]): Loss[] =>
      writes
        .map(write => ({ write, ids: evictedBy(write, some, names) }))
        .filter(({ ids }) => ids.length > 0);
    const all = lossesIn(events);
    const isAsked = all.length > 0 || events.some(event => isAboutAny(event, done));
    const self = isAsked ? await log.self() : null;
    const notes = foreignNotes(done, rows, self);
    if (self !== null)
      return {
        losses: lossesIn(events.filter(({ by }) => by.id === self)),
        notes,
      };
    const losses = all.map(loss => ({
      ...loss,
      doubt: `left ${quoted(loss.write.field)} meanwhile; it is unknown who removed them: ${loss.ids.map(nameText).join(', ')}`,
    }));
    return { losses, notes };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const doubt = `it is unknown whether somebody else changed it during the write: ${error.message}`;
    return { losses: [], notes: new Map(done.map(({ id }) => [id, doubt])) };
  }
}

const withNote = (outcome: Outcome, note: string): Outcome =>
  outcome.status === 'done' ? { ...outcome, notes: [...outcome.notes, note] } : outcome;

// The ids of members that a write removed although the plan did not ask for it.
function evictedBy(
  { action, kind, field, removalEvent }: JoinableWrite,
  events: readonly AuditEntry[],
  names: RunNames,
): string[] {
  const meant = removedMembers(kind, action.members, names)[field];
  const intended = new Set(isList(meant) ? meant.map(String) : []);
  const gone = events.filter(
    ({ code, meta }) =>
      removalEvent.codes.includes(code) && meta[removalEvent.holder] === action.remoteId,
  );
  const members = new Set(gone.map(({ target }) => target));
  return [...members].filter(id => !intended.has(idKey(remoteId(id)))).sort();
}

async function putBack(
  { action, kind, field }: JoinableWrite,
  ids: readonly string[],
  outcome: Outcome,
  names: RunNames,
  port: AccountPort,
): Promise<Outcome> {
  const whom = ids.map(nameText).join(', ');
  try {
    const read = await port.read(kind, objectIdOf(action));
    const members = decodeFields(kind.shape, read, byId)[field];
    const there = new Set(isList(members) ? members.map(String) : []);
    const missing = ids.map(id => idKey(remoteId(id))).filter(key => !there.has(key));
    if (missing.length === 0 || outcome.status !== 'done') return outcome;
    const fields = { [field]: [...there, ...missing].sort() };
    const resolve = await resolverFor(fields, { names, openSecret: noSecret });
    await port.update(kind, objectIdOf(action), encodeUpdate(kind, fields, read, resolve));
    const note = `joined ${quoted(field)} during the write, and was added again: ${whom}`;
    return withNote(outcome, note);
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Refused)) throw error;
    const { action: id, address } = outcome;
    return {
      ...{ action: id, address },
      status: 'failed',
      fault: {
        code: 'NOT_KEPT',
        message: `${address} lost members that joined its ${quoted(field)} during the write: ${whom}`,
        hint: `add them again; meshform failed to add them: ${error.message}`,
      },
    };
  }
}

// The members of a set are not secret.
const noSecret = (): never => {
  throw new InvariantError('a set holds a secret');
};
