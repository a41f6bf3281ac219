// A server that stands between a command and an account: it answers badly where it is told to, and passes on the rest.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { request } from 'undici';
import type { BadServer } from './row.ts';

/** A bad server that runs. */
export interface Between {
  readonly url: string;
  /** Requests that came after the first bad answer and were no GET. */
  readonly writesAfter: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts a server that answers as `bad` says, or as the account at `behind`. */
export async function startBetween(bad: BadServer, behind: string): Promise<Between> {
  const writesAfter: string[] = [];
  let number = 0;
  let isBroken = false;
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => response.destroy());
  });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    if (isBroken && method !== 'GET') writesAfter.push(`${method} ${url}`);
    number += 1;
    const said = await bad({ method, path: url, request: incoming, response, number });
    if (said === 'badly') isBroken = true;
    else await passOn(incoming, response, behind);
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writesAfter,
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

async function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  behind: string,
): Promise<void> {
  const sent = await buffer(incoming);
  const { authorization, 'content-type': type } = incoming.headers;
  const { statusCode, body } = await request(`${behind}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: {
      ...(authorization && { authorization }),
      ...(type && { 'content-type': type }),
    },
    ...(sent.length > 0 && { body: sent }),
  });
  response.writeHead(statusCode, { 'content-type': 'application/json' });
  response.end(Buffer.from(await body.arrayBuffer()));
}
