// The user whose token calls the API: a run never deletes that user.
import type { Kind } from '../../kinds/kind.ts';
import type { Live } from '../../model/object.ts';

/** Why the user whose token calls is never deleted. */
export const OWN_USER = 'the user whose token calls';

/** Whether it is the user whose token calls. */
export function isOwnUser({ principal }: Kind, { serverFields }: Live): boolean {
  return principal !== undefined && serverFields[principal.own] === true;
}
