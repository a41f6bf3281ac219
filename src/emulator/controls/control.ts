// What a control is: an operation that no real server has, on the account that it is called for, or on the emulator.
import type { Issuer } from '../access/issuer.ts';
import type { Account } from '../account.ts';
import type { Answer } from '../answer.ts';
import type { Operations } from '../api.ts';
import type { Shape } from '../body.ts';
import type { ForwardClock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import type { Faults } from '../faults.ts';
import type { UserRecord } from '../records/people.ts';
import type { Rows } from '../store/store.ts';

/** What of the emulator itself controls can move. */
export interface Machinery {
  readonly environment: Environment;
  readonly clock: ForwardClock;
  readonly faults: Faults;
  /** Absent where no bearer token opens anything. */
  readonly issuer: Issuer | undefined;
  readonly operations: Operations;
  /** Makes sure that the emulator's own token opens the first account, whatever became of it. */
  reopen(rows: Rows): void;
}

export interface ControlContext extends Machinery {
  readonly rows: Rows;
  /** The account that the request names, or the first one. */
  readonly account: Account;
  /** The owner of that account, in whose name things are done. */
  readonly owner: UserRecord;
  /** The value of a placeholder of the path. */
  path(name: string): string;
  body<T>(shape: Shape<T>): T;
}

export type Control = (context: ControlContext) => Answer;
