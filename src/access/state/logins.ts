// Logins of machines. A login expires after a certain time, and its user can renew it at any time. Blocking a user ends the
// logins on all machines of the user until the user is unblocked.
import type { AccessState, Machine } from './accessState.ts';

/** The machines. The logins of blocked users count as expired, even if the list of machines does not show it. */
export function withEndedLogins(
  machines: readonly Machine[],
  blockedUsers: readonly string[],
): readonly Machine[] {
  const blocked = new Set(blockedUsers);
  if (blocked.size === 0) return machines;
  return machines.map(machine =>
    isOwnedBy(blocked, machine) ? { ...machine, isLoginExpired: true } : machine,
  );
}

/**
 * The state as if every user who is not blocked had logged in again. Plans are compared in such
 * states. A user can renew a login without a plan, so a plan changes the access of a machine even
 * while its login has expired.
 */
export function withRenewedLogins(state: AccessState): AccessState {
  const blocked = new Set(state.blockedUsers);
  const isRenewed = (machine: Machine) => machine.isLoginExpired && !isOwnedBy(blocked, machine);
  if (!state.machines.some(isRenewed)) return state;
  const machines = state.machines.map(machine =>
    isRenewed(machine) ? { ...machine, isLoginExpired: false } : machine,
  );
  return { ...state, machines };
}

const isOwnedBy = (users: ReadonlySet<string>, { user }: Machine): boolean =>
  user !== undefined && users.has(user);
