// The emulator on a socket: bytes in, bytes out. This file handles HTTP, and does not depend on operations.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Json } from '../../model/value.ts';
import type { Schedule } from '../environment.ts';
import { type Answer, refused } from '../request/answer.ts';
import { DroppedConnection, internalError, tooLarge } from '../request/refusal.ts';
import type { Effect } from './faults.ts';
import type { RawRequest } from './request.ts';
import { damaged, type HttpResponse, httpResponse } from './response.ts';

/** An answered request, for tests that count requests. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly status: number;
  /** The account in `?account=`; absent if there is none. */
  readonly account?: string;
}

export interface ServerOptions {
  /** Responds to a request, synchronously if possible. */
  readonly api: (raw: RawRequest) => Answer | Promise<Answer>;
  readonly schedule: Schedule;
  readonly newRequestId: () => string;
  /** The `Date` of responses. */
  readonly clock: () => Date;
  /** Transforms the body of a success before it is sent. */
  readonly finish: (body: Json, ordered: readonly string[]) => Json;
  /** The fault that applies to a request, if any. */
  readonly faultOn: (raw: RawRequest) => Effect | undefined;
  /** Called for each request just before its response is sent. */
  readonly onRequest: (request: AnsweredRequest) => void;
  /**
   * Called for each request when it ends. The status is 0 if the connection is closed without a response, or if there is never a
   * response.
   */
  readonly onEnd: (request: AnsweredRequest) => void;
  /** Called for each internal error of the emulator; the client sees a 500. */
  readonly onFault: (error: unknown) => void;
  /** The longest body, in bytes. */
  readonly maxBodyBytes?: number;
}

// The time for which an idle connection is kept, as nginx does. Node's default of 5 seconds is too short: a client on a busy
// machine could write to a connection that the server is closing, and would not know whether its request was executed.
const IDLE_MS = 75_000;

/** Enough for any account, and far less than the maximum length of a text in Node. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A server that is not listening yet. */
export function newServer(options: ServerOptions): Server {
  const { maxBodyBytes: most = MAX_BODY_BYTES } = options;
  return createServer({ keepAliveTimeout: IDLE_MS }, (incoming, outgoing) => {
    const refuse = () =>
      deliver(options, rawRequest(incoming, []), tooLargeResponse(most, options), outgoing);
    if (Number(incoming.headers['content-length'] ?? 0) > most) {
      // The response does not wait for the body. The body is still read, because some clients read no response before they have
      // sent everything.
      refuse();
      incoming.resume();
      return;
    }
    const body = collectedBody(most);
    incoming.on('data', body.add);
    incoming.on('end', () => {
      if (body.isTooLarge()) refuse();
      else respond(options, rawRequest(incoming, body.chunks()), outgoing);
    });
  });
}

/**
 * Returns a collector for a body up to the limit. A larger body is read to its end without being stored, so that its sender can
 * read the response.
 */
function collectedBody(most: number) {
  let chunks: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
      else chunks = [];
    },
    chunks: (): readonly Buffer[] => chunks,
    isTooLarge: () => length > most,
  };
}

const tooLargeResponse = (most: number, { finish }: ServerOptions): HttpResponse | undefined =>
  httpResponse(refused(tooLarge(most)), finish);

function rawRequest(incoming: IncomingMessage, chunks: readonly Buffer[]): RawRequest {
  const { method = '', url = '', headers } = incoming;
  const [path = '', query = ''] = url.split('?', 2);
  return {
    method,
    path,
    query: new URLSearchParams(query),
    address: incoming.socket.remoteAddress ?? '',
    authorization: headers.authorization ?? '',
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin ?? '',
    asksFor: {
      method: headers['access-control-request-method'] ?? '',
      headers: headers['access-control-request-headers'] ?? '',
    },
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function respond(options: ServerOptions, request: RawRequest, outgoing: ServerResponse): void {
  const effect = options.faultOn(request);
  const leave = (whole: HttpResponse | undefined) => {
    if (effect?.leaves === 'silence') {
      options.onEnd({ ...lineOf(request), status: 0 });
      return;
    }
    const leaves = effect === undefined ? whole : damaged(whole, effect);
    const send = () => deliver(options, request, leaves, outgoing);
    if (effect === undefined || effect.delay === 0) send();
    else options.schedule(effect.delay, send);
  };
  if (effect?.commits === false) leave(undefined);
  else whenAnswered(options, request, leave);
}

/**
 * Calls `leave` with the response, synchronously if the response is available, so that requests which arrive later are answered
 * later.
 */
function whenAnswered(
  options: ServerOptions,
  request: RawRequest,
  leave: (whole: HttpResponse | undefined) => void,
): void {
  const finish = (answer: Answer) => leave(httpResponse(answer, options.finish));
  const onFault = (error: unknown) => leave(whenFaulty(options, error));
  try {
    const answer = options.api(request);
    if (answer instanceof Promise) answer.then(finish).catch(onFault);
    else finish(answer);
  } catch (error) {
    onFault(error);
  }
}

/** The response for an error; undefined if the connection is closed without a response. */
function whenFaulty({ onFault, finish }: ServerOptions, error: unknown): HttpResponse | undefined {
  if (error instanceof DroppedConnection) return undefined;
  onFault(error);
  return httpResponse(refused(internalError()), finish);
}

function lineOf({ method, path, query }: RawRequest): Omit<AnsweredRequest, 'status'> {
  const account = query.get('account');
  return { method, path, ...(account !== null && { account }) };
}

function deliver(
  { newRequestId, clock, onRequest, onEnd }: ServerOptions,
  request: RawRequest,
  leaves: HttpResponse | undefined,
  outgoing: ServerResponse,
): void {
  onEnd({ ...lineOf(request), status: leaves?.status ?? 0 });
  if (leaves === undefined) {
    outgoing.destroy();
    return;
  }
  const { status, headers, text, isCut } = leaves;
  onRequest({ ...lineOf(request), status });
  outgoing.setHeader('Date', clock().toUTCString());
  outgoing.setHeader('X-Request-Id', newRequestId());
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (!isCut) {
    outgoing.writeHead(status).end(text);
    return;
  }
  const bytes = Buffer.from(text);
  outgoing.setHeader('Content-Length', bytes.length);
  // The written bytes must be flushed before the connection is closed, otherwise the client receives none of them.
  outgoing
    .writeHead(status)
    .write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}
