// Calls of a transport that never waits, and what became of them. Works with real servers and with servers of nock.
import { Agent } from 'undici';
import type { TransportOptions } from '../../src/api/transport/transport.ts';
import { ApiError, type ApiErrorDetails } from '../../src/model/errors.ts';

export const URL_OF_SERVER = 'https://overlay.example.com';

/** The clock of every transport here. */
export const NOW = Date.parse('2026-01-02T03:04:05Z');

/** A policy that gives up at once. */
export const ONCE = { attempts: 1, firstPause: 1, firstThrottledPause: 1, longestPause: 1 };

/** Options of a transport. Its random numbers are always the middle; its pauses are written down and not kept. */
export function options(pauses: number[] = []): TransportOptions {
  return {
    url: URL_OF_SERVER,
    token: 'nbp_example',
    dispatcher: new Agent(),
    now: () => NOW,
    random: () => 0.5,
    sleep: async milliseconds => {
      pauses.push(milliseconds);
    },
  };
}

/** What is known of the error that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<ApiErrorDetails> {
  const error = await call.then(
    value => {
      throw new Error(`no error, but ${JSON.stringify(value)}`);
    },
    (thrown: unknown) => thrown,
  );
  // A request that no test gave an answer for comes back as a 501 of nock's own.
  if (!(error instanceof ApiError) || error.message.includes('ERR_NOCK_NO_MATCH')) throw error;
  return error.details;
}
