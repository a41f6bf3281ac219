// The server of a studio: listens on loopback only, for the page that it sends itself.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonLine } from '../../model/text/jsonText.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import type { Board } from './board.ts';
import { admitted, type Refused, type StudioPath } from './requestGuard.ts';

/** The functions with which a studio answers requests. */
export interface Studio {
  readonly page: { readonly text: string; readonly policy: string };
  readonly board: Board;
  /** The answer to a question of the page, as markup; null if the request is not a question. */
  readonly ask: (body: string) => string | null;
  /** Reads the account again; returns false if it is too early, or if the studio reads no account. */
  readonly refresh: () => boolean;
}

/** A running server. */
export interface StudioServer {
  /** The address with the token in its fragment. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** The maximum length of a question, in bytes. */
const LONGEST = 4096;

/** The maximum number of connections. Each page keeps one connection open. */
const CONNECTIONS = 64;

/** Starts the server; port 0 means any free port. Throws a `Stop` if the port cannot be used. */
export async function startStudio(studio: Studio, port: number): Promise<StudioServer> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer({ maxHeaderSize: 8192 });
  server.maxConnections = CONNECTIONS;
  const own = await listening(server, port);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of headersOf(studio)) response.setHeader(name, value);
    const path = admitted(request, { port: own, token });
    if (typeof path === 'object') refuse(path, response);
    else void answer(path, { request, response }, studio);
  });
  return {
    address: `http://127.0.0.1:${own}/#${token}`,
    close: () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function listening(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await promise.catch((error: Error) => {
    const message = `the studio cannot listen on port ${port}: ${error.message}`;
    throw new Stop(
      EXIT.failed,
      message,
      'choose another port with --port, or none for any free port',
    );
  });
  return (server.address() as AddressInfo).port;
}

// The headers contain no CORS header, so no other origin may read a response.
const headersOf = ({ page: { policy } }: Studio): readonly (readonly [string, string])[] => [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', policy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

function refuse({ status, why, allow }: Refused, response: ServerResponse): void {
  if (allow !== undefined) response.setHeader('Allow', allow);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  // Closes the connection, because the rest of the request is not read.
  response.setHeader('Connection', 'close');
  send(response, { status, type: 'text/plain', text: `${why}\n` });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(path: StudioPath, { request, response }: Exchange, studio: Studio) {
  switch (path) {
    case '/':
      return send(response, { status: 200, type: 'text/html', text: studio.page.text });
    case '/updates':
      return follow(response, studio.board);
    case '/refresh': {
      const isBegun = studio.refresh();
      const text = isBegun ? 'reading\n' : 'it was read a moment ago\n';
      // A request that is too early gets no error status, because a browser would report an error.
      return send(response, { status: isBegun ? 202 : 200, type: 'text/plain', text });
    }
    case '/ask': {
      const body = await bodyOf(request);
      const tooLong = {
        status: 413,
        type: 'text/plain',
        text: 'the question is too long\n',
      } as const;
      if (body === null) return send(response.setHeader('Connection', 'close'), tooLong);
      const text = studio.ask(body);
      if (text !== null) return send(response, { status: 200, type: 'text/html', text });
      return send(response, { status: 400, type: 'text/plain', text: 'this is not a question\n' });
    }
  }
}

interface Sent {
  readonly status: number;
  readonly type: 'text/plain' | 'text/html';
  readonly text: string;
}

function send(response: ServerResponse, { status, type, text }: Sent): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` });
  response.end(text);
}

function follow(response: ServerResponse, board: Board): void {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  const leave = board.follow(update => response.write(jsonLine(update)));
  response.on('close', leave);
}

// The body of a request; null if it is too long, or if the sender has closed the connection.
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    // A request that is too large gets a response before the connection is closed.
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      length += part.length;
      if (length > LONGEST) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  return Buffer.concat(parts).toString('utf8');
}
