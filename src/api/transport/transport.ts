// The only connection to the server: attempts, pauses between them, and the number of requests.
// Does not depend on kinds.
import type { Dispatcher } from 'undici';
import {
  ApiError,
  type ApiErrorCode,
  type ApiErrorDetails,
  inDoubt,
  type RequestLine,
} from '../../model/errors.ts';
import type { Json } from '../../model/value.ts';
import { type Attempt, attempt } from './attempt.ts';
import { DEFAULT_RETRY, pauseBefore, type RetryPolicy, retryAfterMs } from './retry.ts';
import { newThrottle, type Permit, type Throttle, type Throttled } from './throttle.ts';

/** The server, the credentials, and all external inputs of a request. */
export interface TransportOptions {
  /** The address of the server, without `/api` and without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** The id of the account that every request is for, if the token reaches several accounts. */
  readonly tenant?: string | undefined;
  readonly dispatcher: Dispatcher;
  /** The address of the proxy, for messages. */
  readonly proxy?: string | undefined;
  readonly retry?: RetryPolicy;
  /** The time limit of each attempt in milliseconds, including the reading of the response. */
  readonly timeout?: number;
  /** A signal that is aborted after this many milliseconds. By default the signal of the platform. */
  readonly deadline?: (milliseconds: number) => AbortSignal;
  /** The throttle that the transport shares with the other transports of a run. By default it has its own throttle. */
  readonly throttle?: Throttle;
  /** The minimum number of milliseconds between the starts of two requests. By default there is no minimum. */
  readonly interval?: number;
  /**
   * Whether a write that takes at most this number of milliseconds may begin now. This is the last
   * check before each attempt of a write, after every wait. By default, it always may.
   */
  readonly mayWrite?: (milliseconds: number) => Promise<boolean>;
  /** The time at which the whole run must end, by the clock of `now`. No attempt starts after this time. */
  readonly until?: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called before a retry. For a 429 that makes all requests wait, it is called once. */
  readonly onRetry?: (error: ApiError, pause: number) => void;
  /** Called after every request, whatever its result. */
  readonly onCall?: (call: MadeCall) => void;
  /**
   * Called for each response with a time. Its argument says how far the clock of the server is
   * ahead of the local clock, in milliseconds.
   */
  readonly onSkew?: (milliseconds: number) => void;
  /** Removes known secrets from a text, because a server may repeat what it was sent. */
  readonly redact?: (text: string) => string;
}

/** A completed request, including its retries. */
export interface MadeCall extends RequestLine {
  /** The status of the last attempt; undefined if no response arrived. */
  readonly status: number | undefined;
  /** From the start of the first attempt to the end of the last, pauses included. */
  readonly milliseconds: number;
  readonly tries: number;
}

/** A transport that cannot write. All commands except `apply` and `api call` use it. */
export interface ReadTransport {
  readonly get: (path: string) => Promise<Json>;
  /** Reads from the token's own account. Absent if `get` already reads from that account. */
  readonly getOwn?: (path: string) => Promise<Json>;
  /** The number of requests so far, retries included. */
  readonly requests: () => number;
  /** How far the clock of the server is ahead of the local clock, in milliseconds; undefined if no response contained a time. */
  readonly skew?: () => number | undefined;
}

/** A transport that can also wait until the account shows a change. */
export interface PatientTransport extends ReadTransport {
  /** Resolves after this number of milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface WriteTransport extends PatientTransport {
  /** Sends a write. Resolves to the body of the response; null if it has none. */
  readonly write: (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) => Promise<Json>;
}

/** The time limit of an attempt, in milliseconds. */
export const TIMEOUT = 30_000;
const platformDeadline = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

/** A transport that cannot write (docs/design.md#one-plan-builder). */
export function readTransport(options: TransportOptions): PatientTransport {
  const { get, getOwn, requests, pause, skew } = writeTransport(options);
  return { get, requests, pause, ...(getOwn && { getOwn }), ...(skew && { skew }) };
}

/** A transport that may write. */
export function writeTransport(options: TransportOptions): WriteTransport {
  const { tenant } = options;
  const { callIn, requests, skew } = calls(options);
  return {
    get: path => callIn(tenant, { method: 'GET', path }),
    ...(tenant !== undefined && {
      getOwn: (path: string) => callIn(undefined, { method: 'GET', path }),
    }),
    write: (method, path, body) => callIn(tenant, { method, path }, body),
    requests,
    pause: options.sleep,
    skew,
  };
}

// Sends requests, repeats each of them as the retry policy allows, and counts the attempts.
function calls(options: TransportOptions) {
  let count = 0;
  const clock = serverClock(options);
  const throttle = options.throttle ?? newThrottle({ ...options, policy: options.retry });
  const { url, token, dispatcher, proxy, timeout = TIMEOUT, deadline = platformDeadline } = options;
  const callIn = (
    tenant: string | undefined,
    line: RequestLine,
    body?: Json | undefined,
  ): Promise<Json> => {
    const watch = watched(options, line);
    return persist(options, line, async () => {
      const permit = await throttle.turn();
      if (permit === null) return { error: outOfTime(line, throttle.limitedBy?.()) };
      if (line.method !== 'GET' && (await options.mayWrite?.(timeout)) === false) {
        permit.passed();
        return { error: withoutLock(line) };
      }
      count += 1;
      const signal = deadline(timeout);
      const made = await attempt({ url, token, tenant, dispatcher, proxy, signal }, line, body);
      return throttledAttempt(watch.tried(clock.noted(made)), permit, options);
    }).finally(watch.over);
  };
  return { callIn, requests: () => count, skew: clock.skew };
}

// Compares the clock of the server with the local clock. The response that arrived soonest after
// the server wrote it gives the best measurement.
function serverClock({ now, onSkew }: Pick<TransportOptions, 'now' | 'onSkew'>) {
  let skew: number | undefined;
  return {
    noted: (made: Attempt): Attempt => {
      const time = made.date === undefined ? Number.NaN : Date.parse(made.date);
      if (!Number.isNaN(time)) {
        const found = time - now();
        skew = skew === undefined || Math.abs(found) < Math.abs(skew) ? found : skew;
        onSkew?.(skew);
      }
      return made;
    },
    skew: () => skew,
  };
}

// Counts the attempts of a request, and reports the request once it has ended.
function watched({ now, onCall }: TransportOptions, line: RequestLine) {
  const begun = now();
  let tries = 0;
  let status: number | undefined;
  return {
    tried: (made: Attempt): Attempt => {
      tries += 1;
      status = 'error' in made ? made.error.details.status : made.status;
      return made;
    },
    over: () => onCall?.({ ...line, status, milliseconds: now() - begun, tries }),
  };
}

/**
 * An attempt, and the pause that the throttle adds after it; null if the throttle has stopped
 * waiting.
 */
type ThrottledAttempt = Attempt & { readonly throttled?: Throttled | null };

// Reports the result of an attempt to the throttle.
function throttledAttempt(
  made: Attempt,
  permit: Permit,
  { now }: TransportOptions,
): ThrottledAttempt {
  if (!('error' in made) || made.error.details.code !== 'API_THROTTLED') {
    permit.passed();
    return made;
  }
  return { ...made, throttled: permit.throttled(retryAfterMs(made.retryAfter, now())) };
}

// Repeats attempts until one succeeds or no retry may follow. A throttled request does not count as
// an attempt, because the throttle waits for it and determines when to stop.
async function persist(
  options: TransportOptions,
  line: RequestLine,
  send: () => Promise<ThrottledAttempt>,
): Promise<Json> {
  let mayHaveHappened = false;
  for (let number = 1; ; ) {
    const made = await send();
    if ('value' in made) return made.value;
    const error = redacted(made.error, options);
    // If a repeated DELETE finds nothing, an earlier attempt deleted the object.
    const isGone = line.method === 'DELETE' && error.details.code === 'API_NOT_FOUND';
    if (isGone && mayHaveHappened) return null;
    mayHaveHappened ||= error.details.mayHaveHappened;
    const { throttled } = made;
    const pause = throttled === undefined ? pauseAfter(made, number, options) : throttled?.pause;
    // The last attempt may have been refused because of an earlier attempt whose response was lost.
    if (pause === undefined || isOver(options, pause))
      throw mayHaveHappened ? inDoubt(error, { cause: error }) : error;
    if (throttled?.isNew !== false) options.onRetry?.(error, pause);
    if (throttled) continue;
    number += 1;
    await options.sleep(pause);
  }
}

function pauseAfter(
  { error, retryAfter }: Extract<Attempt, { error: ApiError }>,
  number: number,
  { retry = DEFAULT_RETRY, now, random }: TransportOptions,
): number | undefined {
  const conditions = {
    now: now(),
    random: random(),
    ...(retryAfter !== undefined && { retryAfter }),
  };
  return pauseBefore(error, number, retry, conditions) ?? undefined;
}

function redacted(error: ApiError, { redact }: TransportOptions): ApiError {
  const { details } = error;
  return redact ? new ApiError({ ...details, message: redact(details.message) }) : error;
}

const isOver = ({ until, now }: TransportOptions, pause = 0): boolean =>
  until !== undefined && now() + pause >= until;

const outOfTime = (request: RequestLine, limit?: string): ApiError =>
  limit === undefined
    ? notSent(request, 'API_DEADLINE', 'the run reached its --deadline')
    : notSent(request, 'API_DEADLINE', `the account reached its ${limit}`, { limit });

const withoutLock = (request: RequestLine): ApiError =>
  notSent(request, 'API_LOCK_LOST', 'this run no longer holds the lock');

function notSent(
  request: RequestLine,
  code: ApiErrorCode,
  why: string,
  more: Pick<ApiErrorDetails, 'limit'> = {},
): ApiError {
  return new ApiError({
    ...more,
    code,
    request,
    message: `${request.method} ${request.path} was not sent: ${why}`,
    unsent: why,
    retryable: false,
    mayHaveHappened: false,
  });
}
