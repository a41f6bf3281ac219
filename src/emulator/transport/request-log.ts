// The line of a log for each request. It contains no credentials: no body, no token, and of the query only the account.
import type { Clock } from '../environment.ts';
import { timestamp } from '../time/times.ts';

/** A request and its status; 0 if the connection was closed without a response. */
export interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The account in `?account=`; absent if there is none. */
  readonly account?: string;
}

/** Credentials that a path may contain: tokens of invites, and other tokens that were put there by mistake. */
const TOKEN = /\bnb([a-z])_[^/]+/g;

/** The line of a request. */
export function logged(
  { method, path, status, account }: Omit<LoggedRequest, 'time'>,
  clock: Clock,
): LoggedRequest {
  const shown = (text: string) => text.replaceAll(TOKEN, 'nb$1_****');
  const named = account === undefined ? {} : { account: shown(account) };
  return { time: timestamp(clock), method, path: shown(path), status, ...named };
}
