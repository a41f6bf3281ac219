// Groups, and how new machines join them: setup keys and users.
import type { Enrolment, Group } from './accessState.ts';
import { flagIn, namedBy, type StateObject, textIn, textsIn } from './stateObject.ts';

/** The name of the group that contains every machine. */
export const ALL = 'All';

/** A group of the account. */
export function groupOf(object: StateObject): Group {
  return {
    ...namedBy(object),
    machines: textsIn(object.fields, 'peers'),
    isAll: textIn(object.fields, 'name') === ALL,
  };
}

/**
 * The enrolment that a setup key, a user or an invitation allows; empty if it is revoked, used up,
 * blocked or expired.
 */
export function enrolmentOf(object: StateObject): readonly Enrolment[] {
  const { kind, fields, serverFields = {} } = object;
  const by = kind === 'setup_key' ? 'setup_key' : 'user';
  if (flagIn(fields, 'revoked', false) || flagIn(fields, 'is_blocked', false)) return [];
  if (!flagIn(serverFields, 'valid', true) || flagIn(serverFields, 'expired', false)) return [];
  return [{ ...namedBy(object), by, groups: textsIn(fields, 'auto_groups') }];
}

/** The id of a user, if the user is blocked. */
export function blockedUserOf({ id, fields }: StateObject): readonly string[] {
  return id !== undefined && flagIn(fields, 'is_blocked', false) ? [id] : [];
}
