// The one way to the server: attempts, pauses between them, a count of requests. Knows nothing of kinds.
import type { Dispatcher } from 'undici';
import { ApiError, type RequestLine } from '../../model/errors.ts';
import type { Json } from '../../model/value.ts';
import { type Attempt, attempt } from './attempt.ts';
import { DEFAULT_RETRY, pauseBefore, type RetryPolicy, retryAfterMs } from './retry.ts';
import { type Pace, type Permit, paced, type Throttled } from './throttle.ts';

/** Where the server is, who asks, and everything from outside that a call depends on. */
export interface TransportOptions {
  /** The server's address, without `/api` and without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly dispatcher: Dispatcher;
  /** The address of the proxy on the way, for messages. */
  readonly proxy?: string | undefined;
  readonly retry?: RetryPolicy;
  /** Milliseconds one attempt may take, the reading of its answer included. */
  readonly timeout?: number;
  /** A signal that is aborted after that many milliseconds. By default the platform's. */
  readonly deadline?: (milliseconds: number) => AbortSignal;
  /** The pace that it shares with the other transports of a run. By default one of its own. */
  readonly pace?: Pace;
  /** Milliseconds between the beginnings of two requests, for a server that counts them. By default none. */
  readonly interval?: number;
  /** When all of a run is to be over, by the clock of `now`: no attempt begins after that. */
  readonly until?: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Told when a call is about to be repeated; of a 429 that makes all calls wait, once. */
  readonly onRetry?: (error: ApiError, pause: number) => void;
  /** Told of every call once it is over, whatever became of it. */
  readonly onCall?: (call: MadeCall) => void;
  /** A text without the secrets that are known: a server may quote what it was sent. */
  readonly strike?: (text: string) => string;
}

/** A call that is over. */
export interface MadeCall extends RequestLine {
  /** Of its last attempt; none where no answer came. */
  readonly status: number | undefined;
  /** From its first attempt to the end of the last, pauses included. */
  readonly milliseconds: number;
  readonly tries: number;
}

/** A transport that cannot write: what every verb but `apply` and `api call` is given. */
export interface ReadTransport {
  readonly get: (path: string) => Promise<Json>;
  /** Requests sent so far, repeated ones included. */
  readonly requests: () => number;
}

export interface WriteTransport extends ReadTransport {
  /** The answer's body; null where it has none. */
  readonly write: (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) => Promise<Json>;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

const TIMEOUT = 30_000;
const platformDeadline = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

/** A transport that cannot write (docs/design.md#one-plan-builder). */
export function readTransport(options: TransportOptions): ReadTransport {
  const { get, requests } = writeTransport(options);
  return { get, requests };
}

/** A transport that may write. */
export function writeTransport(options: TransportOptions): WriteTransport {
  let count = 0;
  const pace = options.pace ?? paced({ ...options, policy: options.retry });
  const send = (line: RequestLine, body?: Json): ReturnType<typeof attempt> => {
    count += 1;
    const { url, token, dispatcher, proxy } = options;
    const { timeout = TIMEOUT, deadline = platformDeadline } = options;
    return attempt({ url, token, dispatcher, proxy, signal: deadline(timeout) }, line, body);
  };
  const call = (line: RequestLine, body?: Json): Promise<Json> => {
    const watch = watched(options, line);
    return persist(options, line, async () => {
      const permit = await pace.turn();
      if (permit === null) return { error: outOfTime(line) };
      return told(watch.tried(await send(line, body)), permit, options);
    }).finally(watch.over);
  };
  return {
    get: path => call({ method: 'GET', path }),
    write: (method, path, body) => call({ method, path }, body),
    requests: () => count,
    pause: options.sleep,
  };
}

// Counts the attempts of a call, and tells of it once it is over.
function watched({ now, onCall }: TransportOptions, line: RequestLine) {
  const begun = now();
  let [tries, status]: [number, number | undefined] = [0, undefined];
  return {
    tried: (made: Attempt): Attempt => {
      tries += 1;
      status = 'error' in made ? made.error.details.status : made.status;
      return made;
    },
    over: () => onCall?.({ ...line, status, milliseconds: now() - begun, tries }),
  };
}

/** An attempt, and the pause that the pace makes after it; null where waiting is given up. */
type PacedAttempt = Attempt & { readonly throttled?: Throttled | null };

// What an attempt means for the pace of all calls.
function told(made: Attempt, permit: Permit, { now }: TransportOptions): PacedAttempt {
  if (!('error' in made) || made.error.details.code !== 'API_THROTTLED') {
    permit.passed();
    return made;
  }
  return { ...made, throttled: permit.throttled(retryAfterMs(made.retryAfter, now())) };
}

// Attempt after attempt, until one succeeds or the retry table says that no other may follow. Being throttled is no attempt:
// the pace waits, and gives up by itself.
async function persist(
  options: TransportOptions,
  line: RequestLine,
  send: () => Promise<PacedAttempt>,
): Promise<Json> {
  let mayHaveHappened = false;
  for (let number = 1; ; ) {
    const made = await send();
    if ('value' in made) return made.value;
    const error = struck(made.error, options);
    // What a repeated DELETE does not find, an earlier one deleted.
    const isGone = line.method === 'DELETE' && error.details.code === 'API_NOT_FOUND';
    if (isGone && mayHaveHappened) return null;
    mayHaveHappened ||= error.details.mayHaveHappened;
    const { throttled } = made;
    const pause = throttled === undefined ? pauseAfter(made, number, options) : throttled?.pause;
    // The last attempt may have been refused for what an unanswered one before it did.
    if (pause === undefined || isOver(options, pause))
      throw new ApiError({ ...error.details, mayHaveHappened }, { cause: error });
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
    dice: random(),
    ...(retryAfter !== undefined && { retryAfter }),
  };
  return pauseBefore(error, number, retry, conditions) ?? undefined;
}

function struck(error: ApiError, { strike }: TransportOptions): ApiError {
  const { details } = error;
  return strike ? new ApiError({ ...details, message: strike(details.message) }) : error;
}

const isOver = ({ until, now }: TransportOptions, pause = 0): boolean =>
  until !== undefined && now() + pause >= until;

function outOfTime(request: RequestLine): ApiError {
  return new ApiError({
    code: 'API_DEADLINE',
    request,
    message: `${request.method} ${request.path} was not sent: the run reached its --deadline`,
    ...{ retryable: false, mayHaveHappened: false },
  });
}
