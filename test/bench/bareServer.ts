// A process: a bare `node:http` server that answers from memory. Reads are the bytes of a recording; `--empty` begins with an
// account in which one can create what the bench creates.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { made } from './madeObjects.ts';

const [recording = ''] = process.argv.slice(2);
const recorded = new Map<string, string>(
  Object.entries(JSON.parse(readFileSync(recording, 'utf8')) as Record<string, string>),
);
// A short text goes out with its headers in one write; a long one is not encoded again for each answer.
const bytes = new Map(
  [...recorded].map(([path, body]) => [path, body.length < 65_536 ? body : Buffer.from(body)]),
);

/** By path, what was created there. */
const created = new Map<string, string[]>();
const items = new Map<string, string>();
const writes: { readonly path: string; readonly body: string }[] = [];
const reads: string[] = [];
let requests = 0;

const server = createServer((request, response) => {
  const { method = '', url = '' } = request;
  if (method === 'GET' && !url.startsWith('/bench/')) read(url, response);
  else void other(method, url, request, response);
});

function read(path: string, response: ServerResponse): void {
  requests += 1;
  reads.push(path);
  const more = created.get(path);
  const body = more ? listed(path, more) : (bytes.get(path) ?? items.get(path));
  // A list that nothing was put in, or a path that nobody has.
  const isList = /\/(resources|routers)$|^\/api\/[a-z-]+(\?.*)?$/.test(path);
  if (body !== undefined) send(response, 200, body);
  else if (isList) send(response, 200, '[]');
  else send(response, 404, '{"message":"not found","code":404}');
}

function listed(path: string, more: readonly string[]): string {
  const before = recorded.get(path)?.slice(1, -1) ?? '';
  return `[${[...(before === '' ? [] : [before]), ...more].join(',')}]`;
}

async function other(
  method: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/bench/requests') {
    send(response, 200, JSON.stringify({ requests, reads, writes }));
    return;
  }
  if (path === '/bench/reset') {
    created.clear();
    items.clear();
    writes.length = 0;
    reads.length = 0;
    requests = 0;
    send(response, 200, '{}');
    return;
  }
  requests += 1;
  if (method !== 'POST') {
    send(response, 405, '{"message":"not here","code":405}');
    return;
  }
  const body = await text(request);
  writes.push({ path, body });
  const { id, answer } = made(path, body);
  items.set(`${path}/${id}`, answer);
  for (const list of listsOf(path)) created.set(list, [...(created.get(list) ?? []), answer]);
  send(response, 200, answer);
}

// What nests in a network is in the list of the account too.
function listsOf(path: string): readonly string[] {
  const nested = /\/(resources|routers)$/.exec(path)?.[1];
  return nested === undefined ? [path] : [path, `/api/networks/${nested}`];
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

// Longer than any pause of a client.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}` })}\n`);
});
