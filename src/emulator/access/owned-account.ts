// An account as its owner uses it: actions without a signed-in user are attributed to the owner.
import { present } from '../../model/errors.ts';
import { auditLog } from '../audit/log.ts';
import type { Environment } from '../environment.ts';
import type { UserRecord } from '../records/people.ts';
import { type Account, openAccount } from '../store/account.ts';
import type { Rows } from '../store/store.ts';

export interface OwnedAccount {
  readonly account: Account;
  readonly owner: UserRecord;
}

/** The owner of an account. */
export function ownerOf(rows: Rows, account: string): UserRecord {
  const users = openAccount(rows, account).users.all();
  return present(
    users.find(user => user.role === 'owner'),
    `the owner of account ${account}`,
  );
}

/** The account with that id. Its owner is the default initiator in the log. */
export function openOwned(rows: Rows, id: string, environment: Environment): OwnedAccount {
  const owner = ownerOf(rows, id);
  return { account: openAccount(rows, id, auditLog(rows, id, owner.id, environment)), owner };
}
