// The reasons for which meshform itself stops a turn, before or after its write.
import type { Kind } from '../../kinds/kind.ts';
import type { RemoteId } from '../../model/names.ts';
import { exactPattern } from '../../model/objectName.ts';
import type { Fault, Outcome } from '../../model/outcome.ts';
import type { Action } from '../../model/plan.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import { shellQuoted } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';

/** An error that ends a turn. Its fault does not come from a request. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly fault: Fault;
  /** The values that the server never stores; undefined if something else was lost too. */
  readonly unstored: readonly UnstoredValue[] | undefined;

  constructor(fault: Fault, unstored?: readonly UnstoredValue[]) {
    super(fault.message);
    this.fault = fault;
    this.unstored = unstored;
  }
}

/** The outcome of a turn that was refused. */
export function failedBy(
  { unstored }: Refused,
  named: Pick<Extract<Outcome, { status: 'failed' }>, 'action' | 'address' | 'fault'>,
): Outcome {
  return { ...named, status: 'failed', ...(unstored && { unstored }) };
}

export const CHANGED = 'changed in the account since the plan was made';
export const GONE = 'was deleted from the account since the plan was made';

/**
 * The error for an object that is not as the plan saw it. `what`: completes a sentence that begins
 * with the address of the object.
 */
export function stale({ address }: Action, what: string): Refused {
  return new Refused({
    code: 'PLAN_STALE',
    message: `${address} ${what}`,
    hint: 'create a new plan with `meshform plan` and review it',
  });
}

/**
 * A write that is not sent: its action, and whether it would have been the first write of the turn.
 */
export interface Unsent {
  readonly action: Action;
  readonly isFirst: boolean;
}

const nothingSent = ({ isFirst }: Unsent): string =>
  isFirst ? 'nothing was sent' : 'its next request was not sent';

/** The error for a write that is not sent because it cannot be recorded first. */
export const unwritten = (write: Unsent, why: unknown): Refused =>
  unrecorded(
    write,
    String(why),
    'free disk space, or choose another file with --journal FILE; then continue',
  );

/** The error for a write that is not sent because somebody has removed or emptied the journal. */
export const withoutJournal = (write: Unsent, { message }: Error): Refused =>
  unrecorded(
    write,
    message,
    'find out what removes or empties journals; the last lines of the output say how to continue',
  );

const unrecorded = (write: Unsent, why: string, hint: string): Refused =>
  new Refused({
    code: 'JOURNAL_FAILED',
    message: `${write.action.address}: ${nothingSent(write)}, because the journal cannot be written: ${why}`,
    hint,
  });

/** The error for a write that is not sent because no other machine could find its journal. */
export function unshared(
  write: Unsent,
  { message, hint }: Error & { readonly hint?: string | undefined },
): Refused {
  return new Refused({
    code: 'JOURNAL_FAILED',
    message: `${write.action.address}: ${nothingSent(write)}, because the Git remote does not have the journal: ${message}`,
    hint: hint ?? 'make the Git remote reachable, then apply again',
  });
}

/** The error for a write that is not sent because another run has the lock now, and may be writing. */
export function lockLost({ action: { address }, isFirst }: Unsent): Refused {
  const what = isFirst ? 'nothing was sent for' : 'the next request was not sent for';
  return new Refused({
    code: 'LOCK_LOST',
    message: `${what} ${address}: this run no longer holds the lock`,
    hint: LOOK_AT_OTHER,
  });
}

/**
 * The error for a write that belongs to no action of the plan and is not sent because the lock is
 * lost.
 */
export const lockGone = (): Refused =>
  new Refused({
    code: 'LOCK_LOST',
    message: 'this run no longer holds the lock',
    hint: LOOK_AT_OTHER,
  });

/**
 * Adds to the fault for a changed account that another run may be the reason, because that run has
 * the lock now.
 */
export const changedByHolder = ({ message, ...fault }: Fault): Fault => ({
  ...fault,
  message: `${message}, and this run no longer holds the lock: another apply may have changed it`,
  hint: LOOK_AT_OTHER,
});

const LOOK_AT_OTHER = 'check what the other run did, then create a new plan with `meshform plan`';

/** The error for values that the server accepted and did not store. */
export function notStored(
  { address, verb }: Action,
  fields: readonly string[],
  unstored?: readonly UnstoredValue[],
): Refused {
  const done = verb === 'create' ? 'created' : 'updated';
  return new Refused(
    {
      code: 'NOT_KEPT',
      message: `${address} was ${done} successfully, but the server did not store: ${fields.map(nameText).join(', ')}`,
      hint: unstored ? NEVER_STORED : CHECK_THERE,
    },
    unstored,
  );
}

const CHECK_THERE =
  'check the object in the account; a referenced object may be gone, or the server may store less than it accepts';

const NEVER_STORED =
  'if the server does not have such a field, remove it from the files; otherwise, once --record-base has recorded the loss, later runs list the value and do not send it again';

/** The error for a write that the server accepted although its object no longer exists. */
export function goneAfterWrite({ address, verb }: Action): Refused {
  const done = verb === 'create' ? 'created' : 'updated';
  return new Refused({
    code: 'NOT_KEPT',
    message: `${address} was ${done} successfully, but a read shows that it is not in the account`,
    hint: 'somebody may have deleted it: see `meshform events audit`, then create a new plan with `meshform plan`',
  });
}

/**
 * The fault of a completed write of an interrupted run, if somebody has deleted its object since.
 */
export const goneSince = (action: Action): Fault =>
  stale(action, 'was deleted from the account since the interrupted run wrote it').fault;

/** The error for an object that exists but whose one-time secret is lost. */
export function secretLost(
  { address, key, verb }: Action,
  kind: Kind,
  { id, field, why }: { readonly id: RemoteId; readonly field: string; readonly why: string },
): Refused {
  const what =
    verb === 'create'
      ? `was created (id ${nameText(id)}), but its ${quoted(field)} is LOST`
      : `has a new ${quoted(field)}, which is LOST, and the former one is no longer valid`;
  return new Refused({
    code: 'SECRET_LOST',
    message: `${address} ${what}: ${why}`,
    hint: `it cannot be read again: create a new one with --rotate ${shellQuoted(exactPattern({ kind: kind.name, key }, kind.depth))}`,
  });
}
