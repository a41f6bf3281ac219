// The retry table of docs/server.md#what-is-tried-again: which call is repeated, and after how long.
import { describe, expect, test } from 'vitest';
import { DEFAULT_RETRY, pauseBefore, retryAfterMs } from '../../src/api/transport/retry.ts';
import { ApiError, type ApiErrorDetails } from '../../src/model/errors.ts';
import { NOW } from './calls.ts';

function failed(details: Partial<ApiErrorDetails>, method = 'GET'): ApiError {
  return new ApiError({
    code: 'API_UNAVAILABLE',
    request: { method, path: '/api/groups' },
    message: 'failed',
    retryable: true,
    mayHaveHappened: false,
    ...details,
  });
}

const pause = (error: ApiError, attempt = 1, retryAfter?: string, random = 1) =>
  pauseBefore(error, attempt, DEFAULT_RETRY, {
    now: NOW,
    random,
    ...(retryAfter !== undefined && { retryAfter }),
  });

describe('a call that may succeed later', () => {
  test('waits twice as long after every attempt, up to a limit', () => {
    const patient = { ...DEFAULT_RETRY, attempts: 20 };
    const pauses = Array.from({ length: 9 }, (_, i) =>
      pauseBefore(failed({}), i + 1, patient, { now: NOW, random: 1 }),
    );
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test('is not repeated more often than the policy allows', () => {
    expect(pause(failed({}), DEFAULT_RETRY.attempts - 1)).not.toBeNull();
    expect(pause(failed({}), DEFAULT_RETRY.attempts)).toBeNull();
  });

  test('is repeated after a random delay, never immediately', () => {
    expect(pause(failed({}), 1, undefined, 0)).toBe(125);
    expect(pause(failed({}), 1, undefined, 1)).toBe(250);
  });

  test('is paced if the server throttles without a Retry-After', () => {
    expect(pause(failed({ code: 'API_THROTTLED' }))).toBe(2000);
    expect(pause(failed({ code: 'API_THROTTLED' }), 3)).toBe(8000);
  });

  test.each([
    ['seconds', '7', 7000],
    ['a date', 'Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['hours, which is too long', '7200', 30_000],
    ['no time at all', '0', 250],
    ['a date that is past', 'Fri, 02 Jan 2026 03:00:00 GMT', 250],
    ['nothing that can be read', 'soon', 250],
  ])('obeys a Retry-After of %s', (_, header, expected) => {
    expect(pause(failed({}), 1, header)).toBe(expected);
  });
});

describe('a call that can only fail again', () => {
  test('is not repeated', () => {
    expect(pause(failed({ code: 'API_INVALID', retryable: false }))).toBeNull();
  });
});

describe('a POST', () => {
  test.each<[string, Partial<ApiErrorDetails>, boolean]>([
    ['the server refused for its rate', { code: 'API_THROTTLED' }, true],
    ['was never sent', { code: 'API_NETWORK' }, true],
    ['may have made its object', { code: 'API_NETWORK', mayHaveHappened: true }, false],
    ['a gateway gave up on', { code: 'API_UNAVAILABLE', mayHaveHappened: true }, false],
  ])('that %s', (_, details, repeated) => {
    expect(pause(failed(details, 'POST')) !== null).toBe(repeated);
  });
});

describe('a PUT or a DELETE', () => {
  test.each(['PUT', 'DELETE'])('%s is repeated even if it may have been executed', method => {
    expect(pause(failed({ code: 'API_NETWORK', mayHaveHappened: true }, method))).not.toBeNull();
  });
});

describe('Retry-After', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['12', 12_000],
    [' 12 ', 12_000],
    ['1.5', null],
    ['-1', null],
    ['Fri, 02 Jan 2026 03:04:06 GMT', 1000],
    ['Friday, 02-Jan-26 03:04:06 GMT', 1000],
    ['2026', 2_026_000],
    ['never', null],
  ])('%o is %o', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
