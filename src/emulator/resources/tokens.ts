// Personal access tokens (docs/server-behaviour.md#personal-access-tokens). A token is shown once and cannot change.

import { addToken } from '../access/new-token.ts';
import { secretToken } from '../ids/new-object.ts';
import { findUser, userMeta } from '../people/userRecords.ts';
import type { TokenRecord, UserRecord } from '../records/people.ts';
import { done, ok } from '../request/answer.ts';
import { object, type Read, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { nullable } from '../request/lists.ts';
import { denied, invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { DAY, timestampAfter } from '../time/times.ts';

const BODY = object({ name: text, expires_in: whole });

const MAX_DAYS = 365;

export const tokens: Handlers = {
  listTokens: (account, request, environment) => {
    const user = ownerOfTokens(account, request);
    const own = account.tokens.all().filter(token => token.user === user.id);
    return ok(
      nullable(
        own.map(token => view(account, token)),
        environment,
      ),
    );
  },

  createToken: (account, request, environment) => {
    const { name, expires_in } = request.body(BODY, refuseBad);
    const user = ownerOfTokens(account, request);
    const { clock, behaviour } = environment;
    const secret = secretToken('personal', environment);
    const expires = timestampAfter(clock, expires_in * DAY);
    const createdBy = request.caller;
    const token = addToken(account, { user, name, secret, expires, createdBy }, environment);
    const plain_token = behaviour.plainTokens === 'as a text' ? secret : { token: secret };
    return ok({ plain_token, personal_access_token: view(account, token) });
  },

  getToken: (account, request) => ok(view(account, find(account, request))),

  deleteToken: (account, request) => {
    const { id, name, credential } = find(account, request);
    account.tokens.remove(id);
    account.credentials.remove(credential);
    const user = findUser(account, request);
    const meta = { name, ...userMeta(user) };
    account.log({ code: 'personal.access.token.delete', target: user.id, meta });
    return done();
  },
};

function refuseBad({ name, expires_in }: Read<typeof BODY>): void {
  if (name === '') throw invalid("token name can't be empty");
  if (expires_in < 1 || expires_in > MAX_DAYS)
    throw invalid(`expiration has to be between 1 and ${MAX_DAYS}`);
}

/** The user in a path, if the caller may manage the tokens of this user: the caller themselves, or a service user. */
function ownerOfTokens(account: Account, request: ApiRequest): UserRecord {
  const user = findUser(account, request);
  const isAdmin = ['owner', 'admin'].includes(request.caller.role);
  if (user.id !== request.caller.id && !(user.is_service_user && isAdmin))
    throw denied('admin role required to perform this action');
  return user;
}

function find(account: Account, request: ApiRequest): TokenRecord {
  const user = ownerOfTokens(account, request);
  const id = request.path('tokenId');
  const token = account.tokens.get(id);
  if (token === undefined || token.user !== user.id) throw notFound('personal access token', id);
  return token;
}

/** A token in a response. The time of the last use is absent if the token was never used. */
function view(account: Account, token: TokenRecord) {
  const { id, name, created_by, created_at, credential } = token;
  const { expires = '', last_used = '' } = account.credentials.get(credential) ?? {};
  return {
    id,
    name,
    expiration_date: expires || aYearAfter(created_at),
    created_by,
    created_at,
    ...(last_used === '' ? {} : { last_used }),
  };
}

/** The expiry of a token without a requested one: the longest lifetime. */
function aYearAfter(time: string): string {
  return new Date(Date.parse(time) + MAX_DAYS * DAY).toISOString();
}
