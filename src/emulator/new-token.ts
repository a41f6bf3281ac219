// A personal access token comes to be: its record, and the credential that opens the account.
import { digest } from './access/secret-tokens.ts';
import type { Account } from './account.ts';
import type { Environment } from './environment.ts';
import type { TokenRecord, UserRecord } from './records/people.ts';
import { timestamp } from './times.ts';
import { userMeta } from './users.ts';

export interface NewToken {
  readonly user: UserRecord;
  readonly name: string;
  /** The token itself, of which only a digest is kept. */
  readonly secret: string;
  /** When it ends. */
  readonly expires: string;
  readonly createdBy: UserRecord;
}

export function addToken(account: Account, token: NewToken, environment: Environment): TokenRecord {
  const { user, name, secret, expires, createdBy } = token;
  const credential = digest(secret);
  account.credentials.put({
    ...{ id: credential, account: account.id, user: user.id, expires, last_used: '' },
  });
  const record: TokenRecord = {
    ...{ id: environment.newId(), user: user.id, name, created_by: createdBy.id, credential },
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
