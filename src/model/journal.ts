// The record of a run, which a later run reads: one entry before every write and one entry after its response. No entry contains
// the value of a secret.
import type { FaultCode } from './codes.ts';
import type { ActionId, KindName, RemoteId } from './names.ts';
import type { Outcome, SentOutcome } from './outcome.ts';
import type { ShownFields } from './secrets/shown.ts';
import type { Fields, JsonObject } from './value.ts';

/**
 * The position of the audit log before a run, and the user of the run. Later events of that user prove which objects the run
 * created.
 */
export interface LogStart {
  /** The id of the newest event; 0 if the log was empty. */
  readonly newest: number;
  readonly user?: string | undefined;
}

/** The journal line with the position of the audit log. */
export const logEntry = ({
  newest,
  user,
}: LogStart): Extract<JournalEntry, { readonly type: 'log' }> => ({
  type: 'log',
  newest,
  ...(user !== undefined && { user }),
});

/** A write before it is sent. */
export interface JournalCall {
  /** `renew`: a new one-time secret replaces the former one. */
  readonly verb: 'create' | 'update' | 'renew' | 'delete';
  readonly kind: KindName;
  readonly id?: RemoteId;
  readonly parent_id?: RemoteId;
  /** The body as sent, with secrets redacted. */
  readonly body?: ShownFields;
}

/** An object just before a write. */
export interface BeforeImage<F extends Fields = ShownFields> {
  /** The fields in id space, as the server returned them. */
  readonly fields: F;
  /** The names of fields that are not recorded because they contain a secret. */
  readonly left_out: readonly string[];
}

/** A line of a journal. The types differ in the action that they record. */
export type JournalEntry =
  | {
      readonly type: 'send';
      readonly action: ActionId;
      readonly call: JournalCall;
      readonly before?: BeforeImage;
    }
  | {
      readonly type: 'answer';
      readonly action: ActionId;
      readonly verb: JournalCall['verb'];
      /** `unknown`: the server may have carried out the request, but no response confirms it. */
      readonly result: 'done' | 'refused' | 'unknown';
      /** The id of the created object. */
      readonly id?: RemoteId;
      readonly code?: FaultCode;
    }
  /** The one-time secret is stored. */
  | { readonly type: 'kept'; readonly action: ActionId; readonly field: string }
  /** The id that a key denotes from now on. */
  | {
      readonly type: 'name';
      readonly action: ActionId;
      readonly kind: KindName;
      readonly key: string;
      readonly id: RemoteId;
      readonly server_fields: ShownFields;
    }
  /** The position of the audit log before the run, and the user of the run, if another user may continue it. */
  | { readonly type: 'log'; readonly newest: number; readonly user?: string }
  /**
   * The run continues from a copy of the journal, which may lack the last entries. So any action that is not recorded as done may
   * have been sent.
   */
  | { readonly type: 'copied' }
  /** The objects of a kind before the run. Recorded if the token may not read the audit log. */
  | { readonly type: 'members'; readonly kind: KindName; readonly ids: readonly RemoteId[] }
  | { readonly type: 'end'; readonly outcome: Outcome };

/** The state of an action according to a journal. */
export interface Begun {
  /** The id of the created object, if a response showed it. */
  readonly id?: RemoteId;
  /** Whether the one-time secret is stored. */
  readonly isKept: boolean;
  /**
   * Whether the server carried out a part of the action, or may have. If a request is refused, the state before that request
   * counts.
   */
  readonly isOpen: boolean;
}

/** The state in which an earlier run of the same plan stopped. */
export interface EarlierRun {
  /** The final outcomes, by action. */
  readonly done: ReadonlyMap<ActionId, Extract<Outcome, { status: 'done' }>>;
  /** By action, requests that have a response but were not read back. */
  readonly sent: ReadonlyMap<ActionId, SentOutcome>;
  /** The state of the actions that sent requests and are not known to be done, by action. */
  readonly begun: ReadonlyMap<ActionId, Begun>;
  /** The ids of the keys of actions that are done or were sent. */
  readonly names: readonly Extract<JournalEntry, { type: 'name' }>[];
  /** The position of the audit log before the run; absent if unknown. */
  readonly newest?: number;
  /** The user of the run; absent if the journal does not name the user. */
  readonly user?: string;
  /** Whether the journal is a copy: then every action that is not done or sent may have started. */
  readonly isCopy?: boolean;
  /** The ids of the objects before the run, by kind; present if the token of the run may have lacked access to the audit log. */
  readonly membersBefore?: ReadonlyMap<KindName, ReadonlySet<RemoteId>>;
  /** The updates that were sent or were about to be sent. */
  readonly updates: readonly EarlierUpdate[];
  /** The deletions that were sent or were about to be sent. */
  readonly deletions: readonly EarlierDeletion[];
  /** Whether the journal does not record the end of the run. Then nobody has checked what the run wrote. */
  readonly isCutOff?: boolean;
}

/** An update of an earlier run. */
export interface EarlierUpdate {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
  /** The body as it was sent, with secrets redacted. */
  readonly body?: ShownFields;
}

/** A deletion of an earlier run. */
export interface EarlierDeletion {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
  /** The fields of the object before the deletion, in id space, as far as the journal contains them. */
  readonly before: ShownFields;
}

/** The objects that a run created, as far as responses showed them. */
export function createdIn(entries: readonly JournalEntry[]): ReadonlySet<RemoteId> {
  return new Set(
    entries.flatMap(entry =>
      entry.type === 'answer' && entry.verb === 'create' ? (entry.id ?? []) : [],
    ),
  );
}

/** Evaluates the entries of a run. */
export function earlierRun(entries: readonly JournalEntry[]): EarlierRun {
  const done: [ActionId, Extract<Outcome, { status: 'done' }>][] = [];
  const sent = new Map<ActionId, SentOutcome>();
  const traces = new Map<ActionId, Trace>();
  const names: Extract<JournalEntry, { type: 'name' }>[] = [];
  const logs: Extract<JournalEntry, { type: 'log' }>[] = [];
  let isCopy = false;
  const members = new Map<KindName, ReadonlySet<RemoteId>>();
  for (const entry of entries) {
    if (entry.type === 'log') logs.push(entry);
    else if (entry.type === 'copied') isCopy = true;
    else if (entry.type === 'members') members.set(entry.kind, new Set(entry.ids));
    else if (entry.type === 'name') names.push(entry);
    else if (entry.type === 'end') {
      const { outcome } = entry;
      sent.delete(outcome.action);
      if (outcome.status === 'done') done.push([outcome.action, outcome]);
      if (outcome.status === 'sent') sent.set(outcome.action, outcome);
    } else traces.set(entry.action, after(traces.get(entry.action) ?? UNTOUCHED, entry));
  }
  const outcomes = new Map(done);
  const isKnown = (action: ActionId) => outcomes.has(action) || sent.has(action);
  const open = [...traces].filter(([action, { now }]) => now.isOpen && !isKnown(action));
  return {
    done: outcomes,
    sent,
    begun: new Map(open.map(([action, { now }]) => [action, now])),
    names: names.filter(({ action }) => isKnown(action)),
    ...(logs[0] !== undefined && { newest: logs[0].newest }),
    ...(logs[0]?.user !== undefined && { user: logs[0].user }),
    ...(isCopy && { isCopy }),
    ...(members.size > 0 && { membersBefore: members }),
    updates: entries.flatMap(updateIn),
    deletions: entries.flatMap(deletionIn),
  };
}

/** The state of an action that an earlier run may have started; undefined if it did not start the action. */
export function begunIn({ begun, isCopy }: EarlierRun, action: ActionId): Begun | undefined {
  return begun.get(action) ?? (isCopy ? PERHAPS : undefined);
}

function updateIn(entry: JournalEntry): EarlierUpdate[] {
  if (entry.type !== 'send' || entry.call.verb !== 'update') return [];
  const { kind, id, parent_id: parentId, body } = entry.call;
  if (id === undefined) return [];
  return [{ kind, id, ...(parentId !== undefined && { parentId }), ...(body && { body }) }];
}

function deletionIn(entry: JournalEntry): EarlierDeletion[] {
  if (entry.type !== 'send' || entry.call.verb !== 'delete') return [];
  const { kind, id, parent_id: parentId } = entry.call;
  if (id === undefined) return [];
  const { fields: before = {} } = entry.before ?? {};
  return [{ kind, id, ...(parentId !== undefined && { parentId }), before }];
}

/** The state of an action, and its state before the last request. */
interface Trace {
  readonly now: Begun;
  readonly beforeSend: Begun;
}

const NOTHING: Begun = { isKept: false, isOpen: false };
const PERHAPS: Begun = { isKept: false, isOpen: true };
const UNTOUCHED: Trace = { now: NOTHING, beforeSend: NOTHING };

// The state after one more entry. Every request is uncertain until its response arrives. The result of an earlier request stays,
// whatever a later request returns.
function after(
  { now, beforeSend }: Trace,
  entry: Extract<JournalEntry, { type: 'send' | 'answer' | 'kept' }>,
): Trace {
  if (entry.type === 'kept') return { now: { ...now, isKept: true }, beforeSend };
  if (entry.type === 'send') return { now: { ...now, isOpen: true }, beforeSend: now };
  if (entry.result === 'refused') return { now: beforeSend, beforeSend };
  const { id } = entry;
  return { now: id === undefined ? now : { id, isKept: false, isOpen: true }, beforeSend };
}

/** The period in which a run wrote its journal, in milliseconds since 1970, and the writes of the run. */
export interface RunWindow {
  readonly from: number;
  readonly to: number;
  /** The newest entry of the audit log before the run; undefined if unknown. */
  readonly newest?: number;
  readonly created: readonly RemoteId[];
  readonly updates: readonly SentUpdate[];
  readonly deleted: readonly RemoteId[];
}

/** An update that a run sent. */
export interface SentUpdate {
  readonly id: RemoteId;
  /** The body as it was sent; absent if the journal does not contain it. */
  readonly body?: JsonObject;
  /** The fields that the update replaced, as far as the journal contains them. */
  readonly before: JsonObject;
}
