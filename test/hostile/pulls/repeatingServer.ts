// A server in front of an account that refuses every write, and repeats in its error what it was sent: nothing is changed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RepeatingServer {
  readonly url: string;
  /** How many writes it has refused. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
}

/** Starts one at a free port; `target` is the address of the account. */
export async function startRepeating(target: string): Promise<RepeatingServer> {
  let refused = 0;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { authorization = '' } = headers;
    const body = await text(request);
    if (method !== 'GET') {
      refused += 1;
      const message = `did you mean ${authorization}, ${body}`;
      response.sendDate = false;
      response.writeHead(422).end(JSON.stringify({ message, code: 422 }));
      return;
    }
    const answer = await fetch(`${target}${url}`, { headers: { authorization } });
    const { headers: answered } = answer;
    // The account has a clock of its own.
    const date = answered.get('date') ?? '';
    response.writeHead(answer.status, { 'content-type': 'application/json', date });
    response.end(await answer.text());
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused: () => refused,
    close: () => {
      server.closeAllConnections();
      return new Promise(done => server.close(() => done()));
    },
  };
}
