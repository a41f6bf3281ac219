// The two errors that are thrown: a failed API request, and an internal fault of meshform.
import type { FaultCode } from './codes.ts';

/** The reasons why a request failed, as far as a caller can react to them. A closed list. */
export type ApiErrorCode = Extract<FaultCode, `API_${string}`>;

/** The part of a request that messages show: never a header, never a body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
}

export interface ApiErrorDetails {
  readonly code: ApiErrorCode;
  readonly request: RequestLine;
  readonly message: string;
  /** More text for people, one entry per line. */
  readonly more?: readonly string[];
  readonly status?: number;
  readonly requestId?: string;
  /** Whether the response means that the path is unknown: status 404 with plain text. */
  readonly isUnknownPath?: boolean;
  /** Whether the response has the form of an API response but impossible content. */
  readonly isFaultyContent?: boolean;
  /** The address of the proxy, if there is one. */
  readonly proxy?: string;
  /** The reason why the request was not sent; absent if it was sent. */
  readonly unsent?: string;
  /** The flag with the time limit that was reached; absent for `--deadline`. */
  readonly limit?: string;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
  /** Whether the server may have carried out the request although no response confirms it. */
  readonly mayHaveHappened: boolean;
}

/** A failed request to the Management API. The only error that effects throw. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: ApiErrorDetails;

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    super(details.message, options);
    this.details = details;
  }
}

/**
 * The error for a request of which the server may have carried out an earlier attempt. The request counts as possibly carried
 * out, whatever the last attempt returned.
 */
export function inDoubt({ details }: ApiError, options?: ErrorOptions): ApiError {
  const { unsent, ...rest } = details;
  const { method, path } = details.request;
  const message =
    unsent === undefined
      ? details.message
      : `${method} ${path} may have been executed: its response was lost, and the request was not sent again: ${unsent}`;
  return new ApiError({ ...rest, message, mayHaveHappened: true }, options);
}

/** An internal fault of meshform: a state that its rules exclude. Shown with its stack trace. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws an `InvariantError` unless `value` is present. For values that a rule of the code guarantees. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new InvariantError(`missing: ${what}`);
  return value;
}
