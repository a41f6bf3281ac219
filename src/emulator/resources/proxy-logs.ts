// Requests that the reverse proxy handled, in responses: every filter, the search, the orders and the pages
// (docs/server-behaviour.md#event-logs).

import type { AccessRecord } from '../records/logs.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import type { Account } from '../store/account.ts';
import { holds, isWanted, pageOf, spanIn } from '../traffic/logPage.ts';

const SIZE = { usual: 50, most: 100 };

type Key = (entry: AccessRecord) => readonly (string | number)[];

/** The fields by which the log can be sorted. */
const ORDERS: Readonly<Record<string, Key>> = {
  timestamp: ({ timestamp }) => [timestamp],
  url: ({ host, path }) => [host, path],
  host: ({ host }) => [host],
  path: ({ path }) => [path],
  method: ({ method }) => [method],
  status_code: ({ status_code }) => [status_code],
  duration: ({ duration_ms }) => [duration_ms],
  source_ip: ({ source_ip }) => [source_ip],
  user_id: ({ user_id }) => [user_id],
  auth_method: ({ auth_method_used }) => [auth_method_used],
  reason: ({ reason }) => [reason],
};
const USUAL: Key = ({ timestamp }) => [timestamp];

export const proxyLogs: Handlers = {
  listProxyAccessLogs: (account, request, { behaviour }) => {
    const isIn = spanIn(request, behaviour.requests === 'checked against the contract');
    const key = new Map(Object.entries(ORDERS)).get(request.query('sort_by')) ?? USUAL;
    const direction = request.query('sort_order') === 'asc' ? 1 : -1;
    const found = account.accesses
      .all()
      .filter(entry => isIn(entry.timestamp) && isAskedFor(account, entry, request))
      // Equal entries stay in the order of arrival, so that no entry appears on two pages.
      .toSorted(
        (one, other) => direction * compared([...key(one), one.id], [...key(other), other.id]),
      );
    return pageOf(request, found, entry => entry, SIZE);
  },
};

function isAskedFor(account: Account, entry: AccessRecord, request: ApiRequest): boolean {
  const user = account.users.get(entry.user_id) ?? account.formerUsers.get(entry.user_id);
  const { email = '', name = '' } = user ?? {};
  const { id, host, path, source_ip } = entry;
  const method = request.query('method').toUpperCase();
  return (
    [id, host, path, source_ip, email, name].some(text => holds(text, request.query('search'))) &&
    isWanted(source_ip, request.query('source_ip')) &&
    isWanted(host, request.query('host')) &&
    holds(path, request.query('path')) &&
    isWanted(entry.user_id, request.query('user_id')) &&
    holds(email, request.query('user_email')) &&
    holds(name, request.query('user_name')) &&
    isWanted(entry.method, method) &&
    hasEnded(entry, request.query('status')) &&
    isWanted(entry.status_code, request.query('status_code'))
  );
}

function hasEnded({ status_code }: AccessRecord, wanted: string): boolean {
  const hasSucceeded = status_code >= 200 && status_code < 400;
  if (wanted === 'success') return hasSucceeded;
  return wanted === 'failed' ? !hasSucceeded : true;
}

function compared(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  const a = one[place] ?? '';
  const b = other[place] ?? '';
  return place === -1 ? 0 : a < b ? -1 : 1;
}
