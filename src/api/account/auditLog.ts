// The account's own log of who did what: asked where an answer cannot tell.
import { ApiError } from '../../model/errors.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import type { WriteTransport } from '../transport/transport.ts';

const PATH = '/api/events/audit';

/** How long after a response the log may still lack its events (docs/server-behaviour.md#timing-of-the-audit-log). */
const GRACE = 1_500;

/** The log of the account behind `transport`. */
export function auditLog(transport: WriteTransport) {
  return {
    /** What happened, in no order that means anything. Throws an `ApiError` where the token may not see it. */
    events: async (): Promise<readonly JsonObject[]> => {
      const answer = await transport.get(PATH);
      if (!isList(answer) || !answer.every(isObject)) throw noLog();
      return answer;
    },
    /** The id of the user whose token is used; null where that cannot be seen. */
    self: async (): Promise<string | null> => {
      const users = await transport.get('/api/users');
      const found = (isList(users) ? users.filter(isObject) : []).find(user => user.is_current);
      return found === undefined ? null : String(found.id);
    },
    /** Resolves once the log has what was answered by now. */
    settled: (): Promise<void> => transport.pause(GRACE),
  };
}

function noLog(): ApiError {
  return new ApiError({
    code: 'API_BAD_ANSWER',
    request: { method: 'GET', path: PATH },
    message: `the answer to GET ${PATH} is not a list of events`,
    ...{ retryable: false, mayHaveHappened: false },
  });
}
