// Reasons of our own to stop a turn, before its write or after it.
import type { Fault } from '../model/outcome.ts';
import type { Action } from '../model/plan.ts';

/** Ends a turn with a fault that no call had. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** The object is not what was planned for. */
export function stale({ address }: Action, what: 'changed in' | 'is gone from'): Refused {
  return new Refused({
    code: 'PLAN_STALE',
    message: `${address} ${what} the account since the plan was made`,
    hint: 'make a new plan and look at what it says now',
  });
}

/** The server took what it then did not keep. */
export function notKept({ address, verb }: Action, fields: readonly string[]): Refused {
  const done = verb === 'create' ? 'created' : 'updated';
  return new Refused({
    code: 'NOT_KEPT',
    message: `${address} was ${done} with success, but the server did not keep: ${fields.join(', ')}`,
    hint: 'look at the object in the account; a pointer may have gone, or the server may hold less than it accepts',
  });
}

/** Something that a secret is filled from is missing. `template` says what, and holds no value. */
export function secretMissing(template: string): Refused {
  return new Refused({
    code: 'SECRET_UNDEFINED',
    message: `a secret is not there: ${template}`,
    hint: 'set what it is filled from and apply again',
  });
}
