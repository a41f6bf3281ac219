// Records a turn. Before each write, it records the request and the state that the request
// replaces. After each write, it records the result.
import type { Kind, KindTable, ObjectShape } from '../../kinds/kind.ts';
import { hiddenPaths } from '../../kinds/values/hidden.ts';
import { withoutMasked } from '../../kinds/values/masked.ts';
import { fieldsSentBy } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import { ApiError } from '../../model/errors.ts';
import type { BeforeImage, JournalCall, JournalEntry } from '../../model/journal.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Action } from '../../model/plan.ts';
import type { KnownSecrets } from '../../model/secrets/knownSecrets.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  valueAt,
} from '../../model/value.ts';
import { byId, decodeFields } from '../../wire/decode.ts';
import type { AccountPort } from '../port.ts';
import { lockLost, type Unsent, unshared, unwritten, withoutJournal } from './refused.ts';
import type { TurnContext } from './turns/context.ts';

/** Records the steps of a run. */
export interface Journal {
  /** Whether another machine, with another user, may continue the run. */
  readonly isShared?: boolean;
  /** The position of the audit log before the run, if the first lines of the journal contain it. */
  readonly newest?: number | undefined;
  /**
   * Whether the run still holds the lock. Checked before each write, because nothing may be sent
   * without the lock.
   */
  readonly isHeld?: () => Promise<boolean>;
  /** Resolves once the entry is on the disk; rejects with the reason as text if it cannot be stored. */
  readonly write: (entry: JournalEntry) => Promise<void>;
}

/** The reason with which `write` rejects if another run has the lock. */
export const LOCK_GONE = 'another run has the lock';

/** The error with which `write` rejects if the entry is on the disk but cannot be pushed to the remote of the lock. */
export class NotShared extends Error {
  override readonly name = 'NotShared';
  /** What to do. */
  readonly hint: string | undefined;

  constructor(why: string, hint?: string) {
    super(why);
    this.hint = hint;
  }
}

/** The error with which `write` rejects if somebody has removed or emptied the journal during the run. */
export class JournalLost extends Error {
  override readonly name = 'JournalLost';
}

/** The inputs for recording a turn. */
export interface Writing {
  readonly journal: Journal | undefined;
  readonly kinds: KindTable;
  /** Secrets that must not be recorded. */
  readonly secrets: KnownSecrets;
  /**
   * The object's values before the action, in the form in which the plan shows them. If a value may
   * be secret, only this form is recorded.
   */
  readonly shownBefore?: ShownFields | undefined;
}

/**
 * Returns the same turn, but records its writes. A write that cannot be recorded first is not sent,
 * and a `Refused` is thrown. If the result of a write cannot be recorded, the journal shows less
 * than happened.
 */
export function journalled(action: Action, context: TurnContext, writing: Writing): TurnContext {
  const { journal, kinds } = writing;
  if (!journal) return context;
  const { kind, names, keepSecret } = context;
  const sent = fieldsSentBy(kinds, kind.name);
  return {
    ...context,
    port: journalledPort(action, context.port, { ...writing, journal }),
    names: {
      ...names,
      learn: (of, key, id, body) => {
        names.learn(of, key, id, body);
        const set = Object.entries(body).filter(([name]) => sent.has(name));
        const server_fields = redactedFields(Object.fromEntries(set), writing.secrets);
        noted(journal, { type: 'name', action: action.id, kind: of, key, id, server_fields });
      },
    },
    keepSecret:
      keepSecret &&
      (async secret => {
        const why = await keepSecret(secret);
        const { field } = secret;
        if (why === null) noted(journal, { type: 'kept', action: action.id, field });
        return why;
      }),
  };
}

/** The data for a recording with a journal. */
type Recorder = Writing & { readonly journal: Journal };

/** A write with its body in the form that is sent. */
type SentCall = Omit<JournalCall, 'body'> & { readonly body?: JsonObject };

function journalledPort(action: Action, port: AccountPort, recorder: Recorder): AccountPort {
  const recorded = recording(action, recorder);
  let seen: JsonObject | undefined;
  // An object that the run created has no earlier state.
  const before = ({ shape }: Kind): BeforeImage | undefined =>
    seen && action.verb !== 'create' ? imageOf(shape, seen, recorder) : undefined;
  return {
    ...port,
    read: async (kind, at) => {
      seen = await port.read(kind, at);
      return seen;
    },
    create: (kind, body, parentId) =>
      recorded({
        call: {
          verb: 'create',
          kind: kind.name,
          body,
          ...(parentId !== undefined && { parent_id: parentId }),
        },
        send: () => port.create(kind, body, parentId),
        madeBy: ({ id }) => id,
      }),
    update: (kind, at, body) =>
      recorded({
        call: { verb: 'update', kind: kind.name, ...placed(at), body },
        before: before(kind),
        send: () => port.update(kind, at, body),
      }),
    renew: (kind, at, sends) =>
      recorded({
        call: {
          verb: 'renew',
          kind: kind.name,
          ...placed(at),
          ...(Object.keys(sends).length > 0 && { body: sends }),
        },
        send: () => port.renew(kind, at, sends),
      }),
    delete: (kind, at) =>
      recorded({
        call: { verb: 'delete', kind: kind.name, ...placed(at) },
        before: before(kind),
        send: () => port.delete(kind, at),
      }),
  };
}

/** A write to the account, and the data that is recorded about it. */
interface Write<T> {
  readonly call: SentCall;
  /** The state that the write replaces. */
  readonly before?: BeforeImage | undefined;
  readonly send: () => Promise<T>;
  /** The id of the object that the write created. */
  readonly madeBy?: (answer: T) => RemoteId;
}

/** Sends the writes of an action. The journal records each write before it is sent, and then its result. */
function recording(
  action: Action,
  { journal, secrets }: Recorder,
): <T>(write: Write<T>) => Promise<T> {
  let isFirst = true;
  return async ({ call: { body, ...call }, before, send, madeBy }) => {
    const written = body && redactedFields(body, secrets);
    const entry: JournalEntry = {
      type: 'send',
      action: action.id,
      call: { ...call, ...(written && { body: written }) },
      ...(before && { before }),
    };
    await recordBeforeSending(entry, { action, isFirst }, journal);
    isFirst = false;
    const about = { type: 'answer', action: action.id, verb: call.verb } as const;
    try {
      const answer = await send();
      const id = madeBy?.(answer);
      noted(journal, { ...about, result: 'done', ...(id !== undefined && { id }) });
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, mayHaveHappened } = error.details;
      const result = mayHaveHappened ? 'unknown' : 'refused';
      noted(journal, { ...about, result, code });
      throw error;
    }
  };
}

// Throws a `Refused` if the write must not be sent.
async function recordBeforeSending(
  entry: JournalEntry,
  write: Unsent,
  journal: Journal,
): Promise<void> {
  if ((await journal.isHeld?.()) === false) throw lockLost(write);
  await journal.write(entry).catch((why: unknown) => {
    if (why === LOCK_GONE) throw lockLost(write);
    if (why instanceof JournalLost) throw withoutJournal(write, why);
    throw why instanceof NotShared ? unshared(write, why) : unwritten(write, why);
  });
}

const placed = ({ id, parentId }: { readonly id: RemoteId; readonly parentId?: RemoteId }) => ({
  id,
  ...(parentId !== undefined && { parent_id: parentId }),
});

// Records a result without waiting. Entries keep their order, so the result is on the disk before the next request is sent.
function noted(journal: Journal, entry: JournalEntry): void {
  journal.write(entry).catch(() => {});
}

function imageOf(
  shape: ObjectShape,
  body: JsonObject,
  { secrets, shownBefore }: Writing,
): BeforeImage {
  const isShown = (path: Path, value: Json) => valueAt(shownBefore, path) === value;
  const decoded = decodeFields(shape, body, byId);
  const read = Object.entries(withoutMasked(shape, decoded, isShown) as Fields);
  const isOpen = ([name, value]: readonly [string, Json]) =>
    secretsIn(value).length === 0 &&
    !tellsSecret(value, secrets) &&
    hiddenPaths(shapeAt(shape, [name]), value).length === 0;
  const left_out = read.filter(field => !isOpen(field)).map(([name]) => name);
  const shown = Object.fromEntries(read.filter(isOpen));
  return { fields: redactedFields(shown, secrets), left_out };
}

function tellsSecret(value: Json, secrets: KnownSecrets): boolean {
  return JSON.stringify(redacted(value, secrets)) !== JSON.stringify(value);
}

function redacted(value: Json, secrets: KnownSecrets): Shown {
  if (typeof value === 'string') return secrets.redact(value);
  if (isList(value)) return value.map(item => redacted(item, secrets));
  return isObject(value) ? redactedFields(value, secrets) : value;
}

function redactedFields(fields: Fields, secrets: KnownSecrets): ShownFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, item]) => [name, redacted(item, secrets)]),
  );
}
