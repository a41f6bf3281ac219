// Reads back writes whose response does not show what was stored. It reads one list for each kind,
// at the end of the run or before an action that depends on the writes.
import { ApiError, present } from '../../model/errors.ts';
import type { ActionId, RemoteId } from '../../model/names.ts';
import type { Outcome, SentOutcome } from '../../model/outcome.ts';
import type { DeleteAction, ShownAction } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { isNotFound } from './recovery/notFound.ts';
import { failedBy, goneAfterWrite, notStored, Refused } from './refused.ts';
import { parentOf, type TurnContext } from './turns/context.ts';
import { goneNote, withoutGone } from './turns/goneMembers.ts';
import { unsealed } from './turns/openSecrets.ts';
import { wantedOver } from './turns/preconditions.ts';
import { fieldsNotStored, unstoredValues } from './turns/storedFields.ts';

/** Actions that the server accepted and whose results are not verified yet. */
export interface ReadBack {
  /** Adds an action that was sent. */
  readonly add: (action: ShownAction, outcome: SentOutcome) => void;
  /** The open actions that write an object that this action also writes. */
  readonly sharing: (action: ShownAction) => readonly ActionId[];
  /** Reads back the open actions among these actions. Resolves to their outcomes, in the same order. */
  readonly settle: (actions: readonly ActionId[]) => Promise<readonly Outcome[]>;
  /** Reads back all open actions. */
  readonly settleAll: () => Promise<void>;
  /** Returns the result of a read for an action; the given outcome if no read was needed. */
  readonly outcomeOf: (outcome: Outcome) => Outcome;
}

/** The inputs of reading back. */
export interface ReadingBack {
  readonly contextOf: (action: ShownAction) => TurnContext;
  /** Called for each verified action. Resolves to its outcome, to which findings may have been added. */
  readonly ended: (action: ShownAction, outcome: Outcome) => Promise<Outcome>;
  readonly redact: (text: string) => string;
}

/** An action whose result is not verified. */
interface Open {
  readonly action: Exclude<ShownAction, DeleteAction>;
  readonly outcome: SentOutcome;
  readonly context: TurnContext;
  readonly parentId: RemoteId | undefined;
  /** The read that will verify the action. */
  reading?: Promise<void>;
}

/** Starts without open actions. */
export const newReadBack = (reading: ReadingBack): ReadBack => new OpenActions(reading);

class OpenActions implements ReadBack {
  readonly #reading: ReadingBack;
  readonly #open = new Map<ActionId, Open>();
  readonly #outcomes = new Map<ActionId, Outcome>();

  constructor(reading: ReadingBack) {
    this.#reading = reading;
  }

  add(action: ShownAction, outcome: SentOutcome): void {
    if (action.verb === 'delete') return;
    const context = this.#reading.contextOf(action);
    const parentId = parentOf(action, context);
    this.#open.set(action.id, { action, outcome, context, parentId });
    this.#outcomes.set(action.id, outcome);
  }

  sharing({ id, writes }: ShownAction): readonly ActionId[] {
    return [...this.#open.values()].flatMap(({ action }) =>
      action.id !== id && action.writes.some(address => writes.includes(address)) ? action.id : [],
    );
  }

  async settle(ids: readonly ActionId[]): Promise<readonly Outcome[]> {
    const open = this.#open;
    const lists = new Set(ids.flatMap(id => listOf(open.get(id))));
    for (const list of lists) {
      const waiting = [...open.values()].filter(one => !one.reading && listOf(one)[0] === list);
      if (!waiting.some(({ action }) => ids.includes(action.id))) continue;
      // One read serves all actions of a kind that are open at that time.
      const read = this.#readList(waiting);
      for (const one of waiting) one.reading = read;
    }
    await Promise.all(ids.map(id => open.get(id)?.reading));
    return ids.flatMap(id => this.#outcomes.get(id) ?? []);
  }

  async settleAll(): Promise<void> {
    await this.settle([...this.#open.keys()]);
  }

  outcomeOf(outcome: Outcome): Outcome {
    return this.#outcomes.get(outcome.action) ?? outcome;
  }

  async #readList(some: readonly Open[]): Promise<void> {
    const bodies = await bodiesOf(some).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    for (const one of some) {
      const outcome =
        bodies instanceof ApiError
          ? unread(one.outcome, this.#reading.redact(bodies.message))
          : await settled(one, bodies.get(one.outcome.remoteId));
      await this.#setOutcome(one, outcome);
    }
  }

  async #setOutcome(one: Open, outcome: Outcome): Promise<void> {
    const { action } = one;
    const isOpen = outcome.status === 'sent';
    this.#outcomes.set(action.id, isOpen ? outcome : await this.#reading.ended(action, outcome));
    if (isOpen) delete one.reading;
    else this.#open.delete(action.id);
  }
}

const listOf = (open: Open | undefined): string[] =>
  open ? [`${open.action.kind} ${open.parentId}`] : [];

// The bodies of the objects from one list, by id. For a single object, no list is needed.
async function bodiesOf(some: readonly Open[]): Promise<ReadonlyMap<RemoteId, JsonObject>> {
  const [first, ...others] = some;
  const { context, outcome, parentId } = present(first, 'something to read back');
  const { kind, port } = context;
  const id = outcome.remoteId;
  const nothing = (error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  };
  if (others.length === 0 && !kind.isReadFromList) {
    const at = { id, ...(parentId !== undefined && { parentId }) };
    const body = await port.read(kind, at).catch(nothing);
    return new Map(body === null ? [] : [[id, body]]);
  }
  const listed = (await port.list(kind, parentId).catch(nothing)) ?? [];
  return new Map(listed.map(object => [object.id, object.body]));
}

// The result of a read for an action. The secrets of the action were compared before they were sent, and are opened again.
async function settled(open: Open, body: JsonObject | undefined): Promise<Outcome> {
  const { outcome, context } = open;
  const { kind, names } = context;
  const named = { action: open.action.id, address: open.action.address };
  try {
    if (body === undefined) throw goneAfterWrite(open.action);
    const action = await unsealed(open.action, context);
    const wanted = wantedOver(action, body, context);
    const missing = fieldsNotStored(kind, wanted, body, names);
    const { lost, gone } = await withoutGone(wanted, body, { action, lost: missing }, context);
    if (lost.length > 0) throw notStored(action, lost, unstoredValues(action, lost, body, kind));
    names.learn(kind.name, action.key, outcome.remoteId, body);
    const notes = gone.length > 0 ? [...outcome.notes, goneNote(gone)] : outcome.notes;
    return { ...outcome, notes, status: 'done' };
  } catch (error) {
    if (error instanceof Refused) return failedBy(error, { ...named, fault: error.fault });
    throw error;
  }
}

// The outcome of a write that could not be read back. The server accepted the write, so a failed
// read does not change that.
function unread(outcome: SentOutcome, why: string): SentOutcome {
  return {
    ...outcome,
    notes: [...outcome.notes, `it was sent, but could not be read back: ${why}`],
  };
}
