// One line for each request that came in. Nothing that opens an account is in it: no body, no query, no token.
import type { Clock } from '../environment.ts';
import { timestamp } from '../time/times.ts';

/** A request and how it ended; 0 as the status where the connection was closed without an answer. */
export interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** What a path may hold that lets somebody in: invites, and other tokens in a place where they do not belong. */
const TOKEN = /\bnb([a-z])_[^/]+/g;

/** The line of a request. */
export function logged(
  { method, path, status }: Omit<LoggedRequest, 'time'>,
  clock: Clock,
): LoggedRequest {
  return { time: timestamp(clock), method, path: path.replaceAll(TOKEN, 'nb$1_****'), status };
}
