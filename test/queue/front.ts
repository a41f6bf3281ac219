// A server in front of an emulator, which notes whose each request was, and when it began and ended.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestMsp } from '../support/servers/msp.ts';

/** A request as the front saw it; times in milliseconds. */
interface SeenRequest {
  readonly token: string;
  readonly tenant: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly begun: number;
  readonly ended: number;
}

/** A front. */
export interface Front {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Tells of each write in a tenant when it begins, with its token. */
  onWrite: (tenant: string, token: string) => void;
  readonly close: () => void;
}

/** Starts a front, whose answers are late by so many milliseconds. */
export async function startFront(msp: TestMsp, late: number): Promise<Front> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const begun = performance.now();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = 'GET', url: path = '/', headers } = request;
    const { searchParams, pathname } = new URL(path, 'http://front');
    const tenant = searchParams.get('account') ?? '';
    const token = headers.authorization?.replace('Token ', '') ?? '';
    if (method !== 'GET' && tenant !== '') front.onWrite(tenant, token);
    await pause(late);
    const answer = await msp.dispatcher.request({
      origin: msp.url,
      path,
      method: method as 'GET',
      headers: { authorization: headers.authorization ?? '' },
      ...(parts.length > 0 && { body: Buffer.concat(parts).toString() }),
    });
    const text = await answer.body.text();
    const { statusCode: status } = answer;
    const ended = performance.now();
    requests.push({ token, tenant, method, path: pathname, status, begun, ended });
    const { 'content-type': type = 'application/json' } = answer.headers;
    response.writeHead(status, { 'content-type': String(type) }).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const front: Front = {
    url: `http://127.0.0.1:${port}`,
    requests,
    onWrite: () => {},
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}
