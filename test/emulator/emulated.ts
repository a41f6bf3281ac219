// An emulator for one test, hostile in the order of its lists, with a client that holds every answer against the contract in its
// dialect.
import type { Dispatcher } from 'undici';
import { expect, onTestFinished } from 'vitest';
import type { Dialect } from '../../src/contract/dialects.ts';
import { type Edition, loadContract } from '../../src/contract/index.ts';
import { type EmulatorOptions, seededRandom } from '../../src/emulator/index.ts';
import { type DirectEmulator, startDirectly } from '../support/servers/direct.ts';
import { operationOf, undocumented } from './documented.ts';

interface Reply {
  readonly status: number;
  /** The JSON of the answer; undefined where it is not JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

export interface Emulated {
  readonly url: string;
  readonly token: string;
  readonly controlsToken: string;
  /** Sends anything. A text is sent as it is, any other body as JSON. */
  call(method: string, path: string, body?: unknown, authorization?: string): Promise<Reply>;
  /** The body of a GET that succeeds. */
  get(path: string): Promise<unknown>;
  /** The body of a PUT that succeeds. */
  put(path: string, body: unknown): Promise<unknown>;
  /** The body of a POST that succeeds. */
  post(path: string, body: unknown): Promise<unknown>;
  /** The id of what a POST that succeeds makes. */
  make(path: string, body: unknown): Promise<string>;
  /** A DELETE that succeeds. */
  remove(path: string): Promise<void>;
  /** The body of a control that succeeds. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The id of a peer that enrols. */
  enrol(name: string, more?: object): Promise<string>;
  /** The refusal of a call: its status and message. */
  refusal(method: string, path: string, body?: unknown): Promise<readonly [number, string]>;
}

/** Starts an emulator that ends with the test. The test fails where the emulator itself does. */
export async function emulated(options: EmulatorOptions = {}): Promise<Emulated> {
  const { api, end } = await standing(options);
  onTestFinished(end);
  return api;
}

/** The same, called over its port: for tests of what happens to connections and headers. */
export async function emulatedOverHttp(options: EmulatorOptions = {}): Promise<Emulated> {
  const { api, end } = await standing(options, sentOverHttp);
  onTestFinished(end);
  return api;
}

/** Starts an emulator that serves several tests. Ending it fails where the emulator itself did. */
export async function standing(
  options: EmulatorOptions = {},
  send: Send = sentDirectly,
): Promise<{ readonly api: Emulated; readonly end: () => Promise<void> }> {
  const faults: unknown[] = [];
  const emulator = await startDirectly({
    controls: true,
    shuffle: true,
    random: seededRandom(20),
    onFault: fault => faults.push(fault),
    ...options,
  });
  const end = async () => {
    await emulator.close();
    expect(faults).toEqual([]);
  };
  return { api: clientOf(emulator, options, send), end };
}

/** A client of an emulator. */
function clientOf(
  emulator: DirectEmulator,
  { dialect = 'spec', edition = 'cloud' }: EmulatorOptions,
  send: Send,
): Emulated {
  const { url, token, controlsToken, dispatcher } = emulator;
  const call = async (method: string, path: string, body?: unknown, authorization?: string) => {
    const reply = await send(dispatcher, `${url}${path}`, {
      method,
      body,
      authorization: authorization ?? `Token ${token}`,
    });
    holdAgainstContract(`${method} ${path}`, reply, { dialect, edition });
    return reply;
  };
  const success = async (method: string, path: string, body?: unknown, authorization?: string) => {
    const reply = await call(method, path, body, authorization);
    expect(reply, `${method} ${path}: ${reply.text}`).toMatchObject({ status: 200 });
    return reply.body;
  };
  return {
    url,
    token,
    controlsToken,
    call,
    get: path => success('GET', path),
    put: (path, body) => success('PUT', path, body),
    post: (path, body) => success('POST', path, body),
    make: async (path, body) => idOf(await success('POST', path, body)),
    remove: async path => expect(await success('DELETE', path)).toEqual({}),
    control: (method, path, body) => success(method, path, body, `Token ${controlsToken}`),
    enrol: async (name, more = {}) => {
      const body = { name, ...more };
      return idOf((await call('POST', '/emulator/peers', body, `Token ${controlsToken}`)).body);
    },
    refusal: async (method, path, body) => {
      const reply = await call(method, path, body);
      const { message, code } = Object(reply.body);
      expect({ message, code }).toEqual({ message: expect.any(String), code: reply.status });
      return [reply.status, String(message)] as const;
    },
  };
}

/** The id of an object. */
export function idOf(body: unknown): string {
  const { id } = Object(body);
  expect(String(id ?? ''), JSON.stringify(body)).toMatch(/./);
  return String(id);
}

/** A refusal with this status, whatever it says. */
export function refused(status: number): readonly unknown[] {
  return [status, expect.any(String)];
}

/** A list without its order, for comparing. */
export function asSet(list: unknown): unknown {
  return Array.isArray(list) ? list.map(member => JSON.stringify(member)).toSorted() : list;
}

interface Sent {
  readonly method: string;
  readonly body: unknown;
  readonly authorization: string;
}

type Send = (dispatcher: Dispatcher, url: string, request: Sent) => Promise<Reply>;

const textOf = (body: unknown): string | undefined =>
  typeof body === 'string' ? body : JSON.stringify(body);

const sentDirectly: Send = async (dispatcher, url, { method, body, authorization }) => {
  const content = textOf(body);
  const { origin, pathname, search } = new URL(url);
  const answer = await dispatcher.request({
    origin,
    path: `${pathname}${search}`,
    method: method as Dispatcher.HttpMethod,
    headers: {
      ...(authorization === '' ? {} : { authorization }),
      ...(content === undefined ? {} : { 'content-type': 'text/plain;charset=UTF-8' }),
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return replyOf(answer.statusCode, new Headers(headers), await answer.body.text());
};

const sentOverHttp: Send = async (_, url, { method, body, authorization }) => {
  const content = textOf(body);
  const answer = await fetch(url, {
    method,
    headers: authorization === '' ? {} : { authorization },
    ...(content === undefined ? {} : { body: content }),
  });
  return replyOf(answer.status, answer.headers, await answer.text());
};

function replyOf(status: number, headers: Headers, text: string): Reply {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function holdAgainstContract(
  line: string,
  { status, body, text }: Reply,
  { dialect, edition }: { readonly dialect: Dialect; readonly edition: Edition },
): void {
  const operation = operationOf(line, dialect);
  if (operation === undefined || !operation.editions.includes(edition)) return;
  const label = `${line} answers ${status} ${text}`;
  // What is not there is refused in text.
  if (body === undefined && status >= 400) return;
  const violations = loadContract().checkResponse(operation, status, body, dialect);
  expect(violations, label).toEqual([]);
  expect(undocumented(operation, status, body, dialect), label).toEqual([]);
}
