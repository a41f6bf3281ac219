// Creates a personal access token: its record, and the credential for the account.

import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import { digest } from '../ids/secret-tokens.ts';
import { userMeta } from '../people/userRecords.ts';
import type { TokenRecord, UserRecord } from '../records/people.ts';
import { conflict } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';

/** The properties of a token, apart from the token itself. */
interface Named {
  readonly user: UserRecord;
  readonly name: string;
  readonly createdBy: UserRecord;
}

export interface NewToken extends Named {
  /** The token itself; only its digest is stored. */
  readonly secret: string;
  /** The expiry of the token. */
  readonly expires: string;
}

/** Adds a token for a user and their account, and returns the record. */
export function addToken(account: Account, token: NewToken, environment: Environment): TokenRecord {
  const { user, secret, expires } = token;
  const credential = digest(secret);
  if (account.credentials.get(credential) !== undefined) throw conflict('the token is taken');
  account.credentials.put({
    id: credential,
    account: account.id,
    user: user.id,
    expires,
    last_used: '',
  });
  return noteToken(account, { ...token, credential }, environment);
}

/** Records a token whose credential exists. */
export function noteToken(
  account: Account,
  { user, name, createdBy, credential }: Named & { readonly credential: string },
  environment: Environment,
): TokenRecord {
  const record: TokenRecord = {
    id: objectId(account.tokens, environment),
    user: user.id,
    name,
    created_by: createdBy.id,
    credential,
    created_at: timestamp(environment.clock),
  };
  account.tokens.put(record);
  account.log({
    code: 'personal.access.token.create',
    target: user.id,
    meta: { name, ...userMeta(user) },
  });
  return record;
}
