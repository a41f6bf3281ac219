// A server for kinds that no API has: it keeps what it is given.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../../src/model/value.ts';

/** A server that keeps what it is given, for every collection alike. */
export async function startStorageServer() {
  const collections = new Map<string, Map<string, JsonObject>>();
  let count = 0;
  const answer = (request: IncomingMessage, body: string): JsonObject | JsonObject[] | null => {
    const [, path = '', id] = request.url?.match(/^(\/api\/(?:dns\/)?[a-z-]+)(?:\/(.+))?$/) ?? [];
    const items = collections.get(path) ?? new Map<string, JsonObject>();
    collections.set(path, items);
    if (request.method === 'GET')
      return id === undefined ? [...items.values()] : (items.get(id) ?? null);
    if (request.method === 'DELETE') return items.delete(id ?? '') ? {} : null;
    const own = id ?? `id${++count}`;
    items.set(own, { ...JSON.parse(body), id: own });
    return items.get(own) ?? null;
  };
  const server = createServer(async (request, response) => {
    const body = answer(request, await text(request));
    response
      .writeHead(body === null ? 404 : 200)
      .end(JSON.stringify(body ?? { message: 'not found', code: 404 }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
