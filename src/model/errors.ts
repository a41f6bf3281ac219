// The two errors that are thrown: a failed call to the API, and a fault of our own.
import type { FaultCode } from './codes.ts';

/** Why a call failed, as far as a caller can act on it. A closed list. */
export type ApiErrorCode = Extract<FaultCode, `API_${string}`>;

/** The request a call was, as a message may show it: never a header, never a body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
}

export interface ApiErrorDetails {
  readonly code: ApiErrorCode;
  readonly request: RequestLine;
  readonly message: string;
  /** What else a person should read, each on a line of its own. */
  readonly more?: readonly string[];
  readonly status?: number;
  readonly requestId?: string;
  /** Whether the server answered as it does for a path that it does not have: 404 in plain text. */
  readonly isUnknownPath?: boolean;
  /** The address of the proxy that the call went to, where there is one. */
  readonly proxy?: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Whether the server may have done what was asked although no answer says so. */
  readonly mayHaveHappened: boolean;
}

/** A call to the Management API that did not succeed. The one error effects throw. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: ApiErrorDetails;

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    super(details.message, options);
    this.details = details;
  }
}

/** A fault of meshform's own: a state that its rules say cannot be. Shown with its stack. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws an `InvariantError` unless `value` is there. For what a rule of the house guarantees. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new InvariantError(`missing: ${what}`);
  return value;
}
