// The user whose token calls the API. A run never deletes that user.
import type { Kind } from '../../kinds/kind.ts';
import type { Live } from '../../model/object.ts';

/** The reason, in words, why the user of this token is never deleted. */
export const OWN_USER = 'the user of this token';

/** Whether a live object is the user of this token. */
export function isOwnUser({ principal }: Kind, { serverFields }: Live): boolean {
  return principal !== undefined && serverFields[principal.own] === true;
}
