// The logs of an account as the specification has them, on loopback: what they show is the test's to say.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/model/value.ts';
import { serve } from '../../api/loopback.ts';

/** How one request is answered: with what it asked for, not at all, or in part. */
export type Fate = 'answered' | 'reset' | 'cut' | number;

export interface LogServer {
  readonly env: Readonly<Record<string, string>>;
  /** Path and query of every request. */
  readonly asked: URL[];
}

/** Serves for as long as the test runs. `rows` are of one log, newest first; `fate` decides before each answer. */
export async function serveLog(
  path: string,
  rows: (url: URL) => readonly JsonObject[],
  fate: (url: URL) => Fate = () => 'answered',
): Promise<LogServer> {
  const asked: URL[] = [];
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push(url);
    const outcome = fate(url);
    if (url.pathname !== path) response.writeHead(404).end();
    else if (typeof outcome === 'number') refuse(response, outcome);
    else if (outcome === 'reset') request.socket.destroy();
    else answer(request, response, bodyOf(url, rows(url)), outcome === 'cut');
  };
  const port = await serve(listener);
  const env = { MESHFORM_URL: `http://127.0.0.1:${port}`, MESHFORM_TOKEN: 'test' };
  return { env, asked };
}

function refuse(response: ServerResponse, status: number): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ message: 'refused', code: status }));
}

// A body that ends before it is whole: the connection breaks in the middle.
function answer(
  { socket }: IncomingMessage,
  response: ServerResponse,
  text: string,
  isCut: boolean,
): void {
  response.setHeader('content-type', 'application/json');
  if (!isCut) return void response.end(text);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.write(text.slice(0, text.length / 2), () => socket.destroy());
}

function bodyOf({ pathname, searchParams }: URL, rows: readonly JsonObject[]): string {
  if (pathname.endsWith('/audit')) return JSON.stringify(rows.slice(0, 10_000));
  const since = searchParams.get('start_date');
  const until = searchParams.get('end_date');
  const kept = rows.filter(({ timestamp, window_end: end }) => {
    const time = Date.parse(String(timestamp ?? end));
    return (!since || time >= Date.parse(since)) && (!until || time <= Date.parse(until));
  });
  const page = Number(searchParams.get('page') ?? 1);
  const size = Number(searchParams.get('page_size') ?? 50);
  return JSON.stringify({
    data: kept.slice((page - 1) * size, page * size),
    page,
    page_size: size,
    total_records: kept.length,
    total_pages: Math.ceil(kept.length / size),
  });
}
