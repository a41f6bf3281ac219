// Tokens with which the proxies of an account connect (docs/server-behaviour.md#reverse-proxy).

import { objectId, secretToken } from '../ids/new-object.ts';
import type { ProxyTokenRecord } from '../records/proxy.ts';
import { done, ok } from '../request/answer.ts';
import { object, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { refuseCall } from '../request/permissions.ts';
import { impossible, Refusal } from '../request/refusal.ts';
import { parseRole, type Right } from '../request/roles.ts';
import { timestamp, timestampAfter } from '../time/times.ts';

const BODY = object({ name: text, expires_in: whole });

const LONGEST_NAME = 255;

const NANOSECONDS = 1_000_000_000n;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

export const proxyTokens: Handlers = {
  listProxyTokens: account => ok(account.proxyTokens.all().map(view)),

  createProxyToken: (account, request, environment) => {
    require(request, 'create');
    const { name, expires_in } = request.body(BODY);
    if (name === '' || Buffer.byteLength(name) > LONGEST_NAME)
      throw impossible(`name is required and must be at most ${LONGEST_NAME} characters`);
    if (expires_in < 0) throw impossible('expires_in must be non-negative');
    const { clock } = environment;
    const token: ProxyTokenRecord = {
      id: objectId(account.proxyTokens, environment),
      name,
      created_at: timestamp(clock),
      expires_at: expires_in === 0 ? '' : timestampAfter(clock, milliseconds(expires_in)),
      revoked: false,
    };
    account.proxyTokens.put(token);
    return ok({ ...view(token), plain_token: secretToken('proxy', environment) });
  },

  revokeProxyToken: (account, request) => {
    require(request, 'delete');
    const token = account.proxyTokens.get(request.path('proxyTokenId'));
    if (token === undefined) throw new Refusal(404, 'token not found');
    account.proxyTokens.put({ ...token, revoked: true });
    return done();
  },
};

/**
 * Refuses a caller without a right. Here the role is checked before the body, and a role that the server does not know causes a
 * 500.
 */
function require(request: ApiRequest, right: Right): void {
  if (request.may('services', right)) return;
  if (parseRole(request.caller.role) === 'billing_admin')
    throw new Refusal(500, 'failed to validate permissions');
  refuseCall(request.caller);
}

/** A lifetime as the server computes it: nanoseconds in 64 bits, which overflow. */
function milliseconds(seconds: number): number {
  const nanoseconds = BigInt.asIntN(64, BigInt(seconds) * NANOSECONDS);
  return Number(nanoseconds / NANOSECONDS_PER_MILLISECOND);
}

function view({ expires_at, ...token }: ProxyTokenRecord) {
  return { ...token, ...(expires_at !== '' && { expires_at }) };
}
