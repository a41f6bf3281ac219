// The audit log of the account. It shows who made a change if the response to a request cannot show
// this.
import type { KindTable } from '../../kinds/kind.ts';
import { ApiError } from '../../model/errors.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import { callerOf } from '../events/caller.ts';
import { operationOf } from '../events/logs.ts';
import type { PatientTransport } from '../transport/transport.ts';

/**
 * How long after a response the log may lack the events of its request, in milliseconds
 * (docs/server-behaviour.md#timing-of-the-audit-log).
 */
const GRACE = 2_000;

/** The audit log of the account behind `transport`. */
export function auditLog(transport: PatientTransport, kinds: KindTable) {
  return {
    /** All events, in no particular order. Throws an `ApiError` if the token may not read them. */
    events: async (): Promise<readonly JsonObject[]> => {
      const { path } = operationOf('audit');
      const answer = await transport.get(path);
      if (!isList(answer) || !answer.every(isObject)) throw noLog(path);
      return answer;
    },
    /** The id of the user whose token is used; null if the account does not show it. */
    self: async (): Promise<string | null> => (await callerOf(transport, kinds))?.id ?? null,
    /** Resolves once the log contains the events of all responses that have arrived so far. */
    settled: (): Promise<void> => transport.pause(GRACE),
  };
}

function noLog(path: string): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path },
    message: `the response to GET ${path} is not a list of events`,
    retryable: false,
    mayHaveHappened: false,
  });
}
