// A server before an emulator that shows it under a disguise, and that can be told to refuse in hostile words.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { request as send } from 'undici';
import { isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { serve } from '../api/loopback.ts';
import type { TestAccount } from '../support/account.ts';
import { type Disguise, dressed, undressed } from './disguise.ts';

/** How a request is refused: in the API's own form, in words, by a page, by a redirect, or by an answer cut short. */
export const REFUSALS = ['json', 'more', 'words', 'page', 'redirect', 'null'] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface DisguisedServer {
  readonly url: string;
  /** What it answered last at a path. */
  readonly last: (path: string) => Json | undefined;
  /** Refuses from now on what `which` says; nothing where it is null. */
  readonly refuse: (
    which: ((method: string, path: string) => Refusal | null) | null,
    words: string,
  ) => void;
}

/** Rows of logs that an emulator has only where somebody makes traffic. */
const LOGS: Readonly<Record<string, (hostile: (text: string) => string) => JsonObject>> = {
  '/api/events/network-traffic': hostile => ({
    flow_id: 'f1',
    reporter_id: 'r1',
    direction: hostile('way'),
    protocol: 6,
    source: { name: hostile('from'), address: '10.0.0.1', type: 'PEER' },
    destination: { name: hostile('to'), address: hostile('address'), type: 'PEER' },
    events: [{ timestamp: '2026-01-02T03:04:05Z', type: hostile('type') }],
  }),
  '/api/events/proxy': hostile => ({
    id: 'p1',
    timestamp: '2026-01-02T03:04:05Z',
    status_code: 200,
    method: hostile('GET'),
    host: hostile('host'),
    path: hostile('path'),
    source_ip: '10.0.0.1',
    user_agent: hostile('agent'),
    reason: hostile('why'),
  }),
};

/** Starts one for as long as the test runs. */
export async function startDisguised(
  account: TestAccount,
  disguise: Disguise,
): Promise<DisguisedServer> {
  const answers = new Map<string, Json>();
  let refused: Parameters<DisguisedServer['refuse']>[0] = null;
  let words = '';
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    const sent = await text(request);
    const refusal = refused?.(method, url) ?? null;
    if (refusal !== null) return refuse(response, refusal, words);
    const [path = '', query] = url.split('?');
    const log = LOGS[path];
    if (log) return answer(response, 200, pageOf(log(disguise.any)));
    const plain = path.split('/').map(part => encodeURIComponent(disguise.off(decoded(part))));
    const { statusCode, body } = await send(
      `${account.url}${plain.join('/')}${query === undefined ? '' : `?${query}`}`,
      {
        method: method as 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': 'application/json',
        },
        ...(sent !== '' && { body: JSON.stringify(undressed(JSON.parse(sent), disguise)) }),
      },
    );
    const got = await body.text();
    const value = parsed(got);
    answers.set(path, dressed(value ?? null, disguise));
    answer(response, statusCode, value === undefined ? got : dressed(value, disguise));
  };
  const port = await serve((request, response) => void listener(request, response));
  return {
    url: `http://127.0.0.1:${port}`,
    last: path => answers.get(path),
    refuse: (which, said) => {
      [refused, words] = [which, said];
    },
  };
}

// Nothing where it is no JSON, such as the word that answers an unknown path.
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const pageOf = (row: JsonObject): JsonObject => ({
  data: [row],
  page: 1,
  page_size: 50,
  total_records: 1,
  total_pages: 1,
});

function answer(response: ServerResponse, status: number, value: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

// A header holds no control characters but those beyond ASCII.
const asHeader = (words: string): string =>
  `\u009b1m${words.replaceAll(/[^ -~\u0080-\u00ff]/g, '\u0085')}`;

function refuse(response: ServerResponse, refusal: Refusal, words: string): void {
  const id = { 'x-request-id': asHeader(words) };
  const message = { message: words, code: 422 };
  switch (refusal) {
    case 'json':
      return void response.writeHead(422, id).end(JSON.stringify(message));
    case 'more':
      return void response
        .writeHead(409, id)
        .end(JSON.stringify({ ...message, [words]: { why: [words] } }));
    case 'words':
      return void response.writeHead(500, id).end(words);
    case 'page':
      return void response.writeHead(404, id).end(`<html>${words}</html>`);
    case 'redirect':
      return void response
        .writeHead(302, { ...id, location: `https://x/${asHeader(words)}` })
        .end();
    case 'null':
      return void response.writeHead(200, id).end(words);
  }
}

/** The part of an answer called `data`, or the answer itself. */
export const rowsOf = (value: Json | undefined): Json => {
  const page = value ?? null;
  return isObject(page) && page.data !== undefined ? page.data : page;
};
