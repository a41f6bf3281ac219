// The type of a handler: a synchronous function of account, request and environment. It reads and writes the account within one
// transaction, and throws a `Refusal` to revert its writes.

import type { Environment } from '../environment.ts';
import type { UserRecord } from '../records/people.ts';
import type { Account } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import type { Answer } from './answer.ts';
import type { Shape } from './body.ts';
import type { Module, Right } from './roles.ts';

/** A request for an operation that needs no caller. */
export interface PublicRequest {
  /** The value of a placeholder of the path. */
  path(name: string): string;
  /**
   * The body. It is read on demand, because some handlers refuse a request before they need it. `check` refuses a body that is
   * invalid for every caller. If the dialect checks the body first, the caller's right is checked afterwards.
   */
  body<T>(shape: Shape<T>, check?: (body: T) => void): T;
}

/** A request whose caller is known. */
export interface ApiRequest extends PublicRequest {
  readonly caller: UserRecord;
  /** Whether the caller has a right for a module. */
  may(module: Module, right: Right): boolean;
  /** Refuses a caller who may not even read the objects of a write operation, before the handler looks the object up. */
  requireRead(): void;
  /** The value of a query parameter; empty if absent. */
  query(name: string): string;
}

/** An operation without credentials, which may access every account. */
export type PublicHandler = (
  rows: Rows,
  request: PublicRequest,
  environment: Environment,
) => Answer;

export type Handler = (account: Account, request: ApiRequest, environment: Environment) => Answer;

/** Handlers by operation id. */
export type Handlers = Readonly<Record<string, Handler>>;
