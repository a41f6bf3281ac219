// A server before an account that repeats whatever it has seen in its errors, as a careless one would.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { request as send } from 'undici';
import { isObject, type Json } from '../../../src/model/value.ts';
import { serve } from '../../api/loopback.ts';
import type { TestAccount } from '../account.ts';

/** What becomes of a request: it passes, or it is answered with an error that repeats everything seen. */
export type Fate = 'pass' | { readonly status: number; readonly as: 'json' | 'text' };

export interface LeakingServer {
  readonly url: string;
  /** Everything that was answered in errors so far. */
  readonly said: readonly string[];
  /** Has it repeat only what it sees from now on: what it saw before, no later command can know. */
  readonly begin: () => void;
}

/** The fields in which servers show secrets once. */
const SHOWN = ['key', 'plain_token', 'auth_token', 'invite_token', 'password'];

/** Starts one for as long as the test runs. `words` are repeated from the start. */
export async function startLeakingServer(
  account: TestAccount,
  words: readonly string[],
  fateOf: (method: string, path: string) => Fate,
): Promise<LeakingServer> {
  const said: string[] = [];
  let seen = [...words];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const heard = [String(headers.authorization), body];
    seen.push(...heard, ...heard.flatMap(disguised));
    const fate = fateOf(method, url);
    if (fate !== 'pass') {
      const message = `did you mean ${seen.join(', ')}`;
      said.push(message);
      const answered =
        fate.as === 'json' ? JSON.stringify({ message, code: fate.status }) : message;
      response.writeHead(fate.status).end(answered);
      return;
    }
    const { statusCode, body: stream } = await send(`${account.url}${url}`, {
      method: method as 'GET',
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    });
    const passed = await stream.text();
    if (method === 'POST') seen.push(...shownIn(passed));
    response.writeHead(statusCode).end(passed);
  };
  const port = await serve((request, response) => void answer(request, response));
  const begin = () => {
    seen = [...words];
  };
  return { url: `http://127.0.0.1:${port}`, said, begin };
}

// Proxies and gateways repeat what they saw in forms of their own.
const disguised = (text: string): string[] => [
  Buffer.from(text).toString('base64'),
  Buffer.from(text).toString('base64url'),
  encodeURIComponent(text.toWellFormed()),
  new URLSearchParams({ text }).toString(),
  [...text].map(letter => `&#${letter.codePointAt(0)};`).join(''),
  Array.from({ length: text.length }, (_, i) => escapedUnit(text.charCodeAt(i))).join(''),
  [...text]
    .map(letter => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join(''),
];

const escapedUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

function shownIn(answer: string): string[] {
  const value = JSON.parse(answer === '' ? 'null' : answer) as Json;
  return isObject(value) ? SHOWN.flatMap(name => (value[name] ? String(value[name]) : [])) : [];
}
