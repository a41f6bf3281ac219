// The next step after a failed action, if the fault itself has no hint. How to continue depends on whether the run left a
// journal, which is printed once, at the end of the output.
import type { Fault } from '../../model/outcome.ts';

const AGAIN = 'continue when the server is available again';
const LOOK = 'see what changed with `meshform drift`, and create a new plan with `meshform plan`';

const NEXT: Readonly<Partial<Record<Fault['code'], string>>> = {
  API_INVALID: 'change the declaration: the server rejects it',
  API_DENIED: 'set MESHFORM_TOKEN to the token of a user who has this permission, and continue',
  API_UNAUTHENTICATED: 'set MESHFORM_TOKEN to a valid token, and continue',
  API_NOT_FOUND: LOOK,
  API_CONFLICT: LOOK,
  API_THROTTLED: 'wait, and continue with a lower --concurrency or with --rate',
  API_UNAVAILABLE: AGAIN,
  API_NETWORK: AGAIN,
  API_TIMEOUT: 'continue, with a longer --timeout if the server is slow',
  API_DEADLINE: 'continue with a longer --deadline or without --deadline',
  API_UNTRUSTED: 'name the certificates of a private server with --ca-file FILE, and continue',
  API_BAD_ANSWER: 'set MESHFORM_URL to the address of the Management API',
};

/** The next step after a fault with this code; undefined if no step applies to all faults with the code. */
export function nextStep(code: Fault['code']): string | undefined {
  return NEXT[code];
}
