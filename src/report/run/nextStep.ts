// What to do after an action failed, where the fault itself says nothing of it.
import type { Fault } from '../../model/outcome.ts';

const AGAIN = 'continue with --resume when the server answers again';
const LOOK = 'check the account, and create a new plan';

const NEXT: Readonly<Partial<Record<Fault['code'], string>>> = {
  API_INVALID: 'change the declaration: the server rejects it',
  API_DENIED: 'apply with the token of a user who has this permission',
  API_UNAUTHENTICATED: 'continue with --resume and a valid token',
  API_NOT_FOUND: LOOK,
  API_CONFLICT: LOOK,
  API_THROTTLED: 'wait, lower --concurrency or give --rate, and continue with --resume',
  API_UNAVAILABLE: AGAIN,
  API_NETWORK: AGAIN,
  API_TIMEOUT: 'continue with --resume, with a longer --timeout if the server is slow',
  API_DEADLINE: 'continue with --resume, with a longer --deadline or without --deadline',
  API_UNTRUSTED: 'give the certificates of a private server with --ca-file',
  API_BAD_ANSWER: 'check that the address is that of the Management API',
};

/** The next step after a fault with this code; undefined where there is none for all of its faults. */
export function nextStep(code: Fault['code']): string | undefined {
  return NEXT[code];
}
