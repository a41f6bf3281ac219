// A user as they are read (facts §5.9).
import { isAllowed, type Module } from './access/roles.ts';
import { type Account, settingsOf } from './account.ts';
import type { UserRecord } from './records/people.ts';

/** A user, as `reader` sees them. */
export function userView(account: Account, user: UserRecord, reader: UserRecord) {
  const { invited, created_at: _, ...shown } = user;
  return {
    ...shown,
    status: user.is_blocked ? 'blocked' : invited ? 'invited' : 'active',
    is_current: user.id === reader.id,
    permissions: permissions(account, user),
  };
}

function permissions(account: Account, user: UserRecord) {
  const rights = (module: Module) => ({
    read: isAllowed(user, module, 'read'),
    create: isAllowed(user, module, 'create'),
    update: isAllowed(user, module, 'update'),
    delete: isAllowed(user, module, 'delete'),
  });
  const isBlocked = settingsOf(account).regular_users_view_blocked;
  return {
    is_restricted: isBlocked && !isAllowed(user, 'peers', 'read'),
    modules: { networks: rights('networks'), peers: rights('peers') },
  };
}
