// People change their own passwords, if the server's identity provider stores them (docs/server-behaviour.md#users).
import { isPassword, refuseWeak, setPassword } from '../people/passwords.ts';
import { done } from '../request/answer.ts';
import { object, text } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { invalid } from '../request/refusal.ts';
import { requireEmbedded } from './user-invites.ts';

const BODY = object({ old_password: text, new_password: text });

export const passwordChange: Handlers = {
  changePassword: (account, request, environment) => {
    requireEmbedded(environment);
    const { old_password, new_password } = request.body(BODY, body => {
      if (body.old_password === '') throw invalid('old password is required');
      if (body.new_password === '') throw invalid('new password is required');
    });
    const { id } = request.caller;
    if (request.path('userId') !== id) throw invalid('users can only change their own password');
    if (!isPassword(account, id, old_password)) throw invalid('current password is incorrect');
    refuseWeak(new_password);
    setPassword(account, id, new_password);
    account.log({ code: 'user.password.change', target: id });
    return done();
  },
};
