// Authenticates requests: from an Authorization header to an account and a user (docs/server-behaviour.md#credentials).

import type { Environment } from '../environment.ts';
import { digest, isWellFormed } from '../ids/secret-tokens.ts';
import type { UserRecord } from '../records/people.ts';
import { notFound, unauthenticated } from '../request/refusal.ts';
import { openInstallation } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { isPast, timestamp } from '../time/times.ts';
import type { Issuer } from './issuer.ts';
import type { RateLimiter } from './rate-limit.ts';
import { signIn } from './sign-in.ts';

export interface Caller {
  readonly account: string;
  readonly user: string;
  /** The user with their role in this account, if the user belongs to another account; otherwise absent. */
  readonly external?: UserRecord;
}

/** The credentials and the origin of a request. */
export interface Credentials {
  /** The Authorization header; empty if absent. */
  readonly authorization: string;
  readonly userAgent: string;
}

export interface Authentication {
  readonly environment: Environment;
  readonly limit: RateLimiter;
  /** The limit for requests without credentials, by address. */
  readonly publicLimit: RateLimiter;
  /** Absent if bearer tokens are not accepted. */
  readonly issuer: Issuer | undefined;
}

/**
 * Authenticates the caller, records the use of the token, and returns the caller. Throws a 401, a 404 for a well-formed unknown
 * token, or a 429.
 */
export function authenticate(
  rows: Rows,
  { authorization, userAgent }: Credentials,
  { environment, limit, issuer }: Authentication,
): Caller {
  const { scheme, token } = parsed(authorization);
  // A personal access token is accepted under either scheme.
  if (scheme === 'bearer' && !token.startsWith('nbp_')) {
    const claims = issuer?.read(token);
    if (claims === undefined) return withToken(rows, token, environment);
    return signIn(rows, claims, environment);
  }
  limit(token, userAgent);
  return withToken(rows, token, environment);
}

function withToken(rows: Rows, token: string, { clock }: Environment): Caller {
  const { accounts, credentials } = openInstallation(rows);
  const id = digest(token);
  const credential = credentials.get(id);
  // A token that was passed to the emulator need not be well formed, so it is looked up before its form is checked.
  if (credential === undefined) {
    if (!isWellFormed('personal', token)) throw unauthenticated('token invalid');
    throw notFound('personal access token', id);
  }
  // The account of the token may have been deleted.
  if (accounts.get(credential.account) === undefined) throw notFound('personal access token', id);
  if (credential.expires !== '' && isPast(credential.expires, clock))
    throw unauthenticated('token invalid');
  credentials.put({ ...credential, last_used: timestamp(clock) });
  return credential;
}

/**
 * Adds a token for an account, valid until `expires`; an empty `expires` means that it never expires. Returns the id of the
 * token.
 */
export function addCredential(
  rows: Rows,
  token: string,
  { account, user, expires = '' }: Caller & { readonly expires?: string },
): string {
  const id = digest(token);
  openInstallation(rows).credentials.put({ id, account, user, expires, last_used: '' });
  return id;
}

function parsed(header: string): { readonly scheme: string; readonly token: string } {
  const [word = '', token = '', ...rest] = header.split(' ');
  const scheme = word.toLowerCase();
  if (!['token', 'bearer'].includes(scheme) || token === '' || rest.length > 0)
    throw unauthenticated('no valid authentication provided');
  return { scheme, token };
}
