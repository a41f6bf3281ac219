// Users who await approval or have a pending invitation (docs/server-behaviour.md#users).

import { deleteUser } from '../deletion/cascades.ts';
import { userView } from '../people/user-view.ts';
import { findUser } from '../people/userRecords.ts';
import type { UserRecord } from '../records/people.ts';
import { done, ok } from '../request/answer.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, precondition, Refusal } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

export const userApproval: Handlers = {
  approveUser: (account, request, environment) => {
    const user = { ...whoWaits(account, request), pending_approval: false };
    account.users.put(user);
    account.log({ code: 'user.approve', target: user.id });
    return ok(userView(account, user, request.caller, environment));
  },

  rejectUser: (account, request, environment) => {
    const user = whoWaits(account, request);
    deleteUser(account, user, environment);
    account.log({ code: 'user.reject', target: user.id });
    return done();
  },

  resendUserInvitation: (account, request, { signIn }) => {
    if (signIn === 'none') throw precondition('there is no identity provider to invite people');
    const user = findUser(account, request);
    if (!user.invited)
      throw signIn === 'embedded'
        ? new Refusal(404, `user account ${user.id} doesn't exist`)
        : precondition(`user ${user.id} is active already`);
    account.log({ code: 'user.invite', target: user.id });
    return done();
  },
};

function whoWaits(account: Account, request: ApiRequest): UserRecord {
  const user = findUser(account, request);
  if (!user.pending_approval) throw invalid(`user ${user.id} is not pending approval`);
  return user;
}
