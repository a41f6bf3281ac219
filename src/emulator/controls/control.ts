// The type of a control: an operation that no real server has, on an account or on the emulator itself.
import type { Issuer } from '../access/issuer.ts';
import type { Environment } from '../environment.ts';
import type { UserRecord } from '../records/people.ts';
import type { Answer } from '../request/answer.ts';
import type { Shape } from '../request/body.ts';
import { Refusal } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import type { Rows, Store } from '../store/store.ts';
import type { ForwardClock } from '../time/clock.ts';
import type { Operations } from '../transport/api.ts';
import type { Faults } from '../transport/faults.ts';
import type { DesiredStateLoader } from './loader.ts';

/** The parts of the emulator that controls can change. */
export interface Machinery {
  readonly environment: Environment;
  readonly clock: ForwardClock;
  readonly faults: Faults;
  /** Absent if bearer tokens are not accepted. */
  readonly issuer: Issuer | undefined;
  readonly operations: Operations;
  readonly store: Store;
  /** Absent if the emulator cannot load desired state. */
  readonly loader: DesiredStateLoader | undefined;
  /** The URL of the emulator. */
  address(): string;
  /** Ensures that the emulator's own tokens are valid, even if their accounts were deleted or replaced. */
  reopen(rows: Rows): void;
}

export interface ControlContext extends Machinery {
  readonly rows: Rows;
  /** The account that the request names, or the first account. */
  readonly account: Account;
  /** The owner of the account, who is the initiator of actions. */
  readonly owner: UserRecord;
  /** The value of a placeholder of the path. */
  path(name: string): string;
  body<T>(shape: Shape<T>): T;
  /** The body as received. */
  text(): string;
}

/** Work to do after the transaction. */
export type Afterwards = () => Promise<Answer>;

/** Responds immediately, or returns work that must be done before the response. */
export type Control = (context: ControlContext) => Answer | Afterwards;

/** Refuses a body with unknown fields, because the author of the request expects them to have an effect. */
export function refuseStrays<T>(shape: Shape<T>, json: unknown): void {
  const strays = shape.strays(json);
  if (strays.length > 0) throw new Refusal(422, `unknown field: ${strays.join(', ')}`, true);
}
