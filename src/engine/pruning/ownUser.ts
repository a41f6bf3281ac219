// The user whose token calls the API: a run never deletes that user.
import type { Kind } from '../../kinds/kind.ts';
import type { Live } from '../../model/object.ts';

/** Why the user of this token is never deleted. */
export const OWN_USER = 'the user of this token';

/** Whether it is the user of this token. */
export function isOwnUser({ principal }: Kind, { serverFields }: Live): boolean {
  return principal !== undefined && serverFields[principal.own] === true;
}
