// A transport for several questions about the same account.

import type { ReadTransport } from '../../api/transport/transport.ts';
import type { Json } from '../../model/value.ts';

/** A transport that asks once for each list: what is read again has not changed since. */
export function askingOnce(transport: ReadTransport): ReadTransport {
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
