// A line for each request. It contains no credentials: no body, no query, no token.
import type { Clock } from '../environment.ts';
import { timestamp } from '../time/times.ts';

/** A request and its status; 0 if the connection was closed without a response. */
export interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Credentials that a path may contain: tokens of invites, and other tokens in a wrong place. */
const TOKEN = /\bnb([a-z])_[^/]+/g;

/** The line of a request. */
export function logged(
  { method, path, status }: Omit<LoggedRequest, 'time'>,
  clock: Clock,
): LoggedRequest {
  return { time: timestamp(clock), method, path: path.replaceAll(TOKEN, 'nb$1_****'), status };
}
