// A transport for repeated reads of the same account.

import type { ReadTransport } from '../../api/transport/transport.ts';
import type { Json } from '../../model/value.ts';

/** A transport that requests each list only once. Later reads return the first response. */
export function withCachedLists(transport: ReadTransport): ReadTransport {
  const answers = new Map<string, Promise<Json>>();
  return {
    requests: transport.requests,
    get: path => {
      const answer = answers.get(path) ?? transport.get(path);
      answers.set(path, answer);
      return answer;
    },
  };
}
