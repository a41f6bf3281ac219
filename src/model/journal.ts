// What a run writes down while it goes on, so that a later one knows what happened: one entry before every write, one
// after its answer. No entry holds the value of a secret.
import type { FaultCode } from './codes.ts';
import type { ActionId, KindName, RemoteId } from './names.ts';
import type { Outcome, SentOutcome } from './outcome.ts';
import type { ShownFields } from './secrets/shown.ts';
import type { Fields } from './value.ts';

/** A write as it is about to be sent. */
export interface JournalCall {
  readonly verb: 'create' | 'update' | 'delete';
  readonly kind: KindName;
  readonly id?: RemoteId;
  readonly parent_id?: RemoteId;
  /** As it is sent, its secrets struck out. */
  readonly body?: ShownFields;
}

/** An object as it was just before a write. */
export interface BeforeImage<F extends Fields = ShownFields> {
  /** In id space, as the server gave them. */
  readonly fields: F;
  /** The names of fields that are not kept here, because there is a secret in them. */
  readonly left_out: readonly string[];
}

/** One line of a journal, by the action that it tells of. */
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
      /** `unknown`: the server may have done it, and no answer says so. */
      readonly result: 'done' | 'refused' | 'unknown';
      /** Of what was made. */
      readonly id?: RemoteId;
      readonly code?: FaultCode;
    }
  /** What its answer showed once is safe. */
  | { readonly type: 'kept'; readonly action: ActionId; readonly field: string }
  /** What a key stands for from now on. */
  | {
      readonly type: 'name';
      readonly action: ActionId;
      readonly kind: KindName;
      readonly key: string;
      readonly id: RemoteId;
      readonly server_fields: ShownFields;
    }
  /** Where the account's own log stood before the run. */
  | { readonly type: 'log'; readonly newest: number }
  | { readonly type: 'end'; readonly outcome: Outcome };

/** What came of an action so far, by what a journal tells of it. */
export interface Begun {
  /** Of what it made, where an answer said so. */
  readonly id?: RemoteId;
  /** Whether what was shown of it once is safe. */
  readonly isKept: boolean;
  /** Whether the server did something of it, or may have. A refusal ends what was begun. */
  readonly isOpen: boolean;
}

/** What an earlier run of the same plan has left behind. */
export interface EarlierRun {
  /** By action, the outcomes that stand. */
  readonly done: ReadonlyMap<ActionId, Extract<Outcome, { status: 'done' }>>;
  /** By action, what was sent and answered, and was not read back. */
  readonly sent: ReadonlyMap<ActionId, SentOutcome>;
  /** By action, those that sent something and are not known to be done. */
  readonly begun: ReadonlyMap<ActionId, Begun>;
  /** What the keys of actions that are done or sent stand for. */
  readonly names: readonly Extract<JournalEntry, { type: 'name' }>[];
  /** Where the account's own log stood before it, where that is known. */
  readonly newest?: number;
}

/** What `entries` tell of the actions of a run. */
export function earlierRun(entries: readonly JournalEntry[]): EarlierRun {
  const done: [ActionId, Extract<Outcome, { status: 'done' }>][] = [];
  const sent = new Map<ActionId, SentOutcome>();
  const traces = new Map<ActionId, Trace>();
  const names: Extract<JournalEntry, { type: 'name' }>[] = [];
  const logs: number[] = [];
  for (const entry of entries) {
    if (entry.type === 'log') logs.push(entry.newest);
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
    ...{ done: outcomes, sent },
    begun: new Map(open.map(([action, { now }]) => [action, now])),
    names: names.filter(({ action }) => isKnown(action)),
    ...(logs[0] !== undefined && { newest: logs[0] }),
  };
}

/** What an action has come to, and what it had come to before its last call. */
interface Trace {
  readonly now: Begun;
  readonly beforeSend: Begun;
}

const NOTHING: Begun = { isKept: false, isOpen: false };
const UNTOUCHED: Trace = { now: NOTHING, beforeSend: NOTHING };

// Every call is in doubt until its answer is there. What an earlier call did stays done, whatever a later one is told.
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

/** When a run wrote its journal, in milliseconds since 1970, and the ids of what it created. */
export interface RunWindow {
  readonly from: number;
  readonly to: number;
  readonly created: readonly RemoteId[];
}
