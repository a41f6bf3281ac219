// What a request is answered with, before it becomes bytes.
import type { Json } from '../model/value.ts';
import { Refusal } from './refusal.ts';

export type Answer =
  | {
      readonly status: number;
      readonly body: Json;
      /** Where the lists are whose order means something, as the contract has it; absent for none. */
      readonly ordered?: readonly string[] | 'everywhere';
    }
  | { readonly status: number; readonly text: string };

/** Success; every operation answers 200, creation included (facts §2.1). */
export function ok(body: Json): Answer {
  return { status: 200, body };
}

/** Success of an operation that has nothing to show. */
export function done(): Answer {
  return ok({});
}

/** The error body of a refusal. */
export function refused({ status, message, verbatim }: Refusal): Answer {
  return { status, body: { message: verbatim ? message : message.toLowerCase(), code: status } };
}

/** What the router says of a path it does not know (facts §2.2). */
export const unknownPath: Answer = { status: 404, text: '404 page not found\n' };

/** What the router says of a method that a path does not have (facts §2.2). */
export const wrongMethod: Answer = { status: 405, text: '' };

/** What `work` answers, or the error body of the refusal it throws. Any other error is passed on. */
export function refusable(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}
