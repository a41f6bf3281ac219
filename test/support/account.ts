// A live account for a test: an emulator that answers in shuffled order and remembers what it was asked.
import { type TransportOptions, writeTransport } from '../../src/api/transport/transport.ts';
import type { Edition } from '../../src/contract/index.ts';
import type { RateLimit } from '../../src/emulator/access/rate-limit.ts';
import type { Schedule } from '../../src/emulator/environment.ts';
import { type AnsweredRequest, seededRandom } from '../../src/emulator/index.ts';
import type { Json, JsonObject } from '../../src/model/value.ts';
import { startDirectly } from './servers/direct.ts';
import type { Server } from './servers/servers.ts';

export interface TestAccount {
  /** What the server is. */
  readonly server: Server;
  readonly url: string;
  readonly token: string;
  /** What the server was asked so far, in order. */
  readonly requests: readonly AnsweredRequest[];
  /** Tells a listener of each answer to come, so that somebody else can act in the middle of a run. */
  readonly onAnswer: (listener: (request: AnsweredRequest) => void) => void;
  readonly transport: TransportOptions;
  /** A plain call, as somebody else would make it. */
  readonly call: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: Json,
  ) => Promise<Json>;
  /** Enrols a peer, with `more` of what a machine says of itself, and returns its record. */
  readonly enrol: (
    name: string,
    groups?: readonly string[],
    more?: JsonObject,
  ) => Promise<JsonObject>;
  /** Makes the requests to come that a method and a path match go wrong. */
  readonly fault: (what: JsonObject) => Promise<Json>;
  /** A control of the emulator, such as the one that loads objects with chosen ids. */
  readonly control: (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) => Promise<Json>;
  readonly close: () => Promise<void>;
}

/** Starts an account like a new one. Equal seeds give equal ids and equal orders. */
export async function startAccount({
  dialect = 'spec',
  seed = 1,
  signIn = 'embedded',
  edition = 'cloud',
  bearerTokens = false,
  ...limited
}: {
  bearerTokens?: boolean;
  dialect?: 'spec' | 'netbird';
  edition?: Edition;
  seed?: number;
  /** Who lets people sign in. */
  signIn?: 'embedded' | 'external';
  /** How often a token may call. */
  rateLimit?: RateLimit;
  clock?: () => Date;
  /** Who wakes the server, and how late its audit log is, in milliseconds. */
  schedule?: Schedule;
  eventDelay?: number;
} = {}): Promise<TestAccount> {
  const requests: AnsweredRequest[] = [];
  const listeners: ((request: AnsweredRequest) => void)[] = [];
  const emulator = await startDirectly({
    dialect,
    edition,
    bearerTokens,
    signIn,
    controls: true,
    shuffle: true,
    random: seededRandom(seed),
    clock: () => new Date('2026-01-02T03:04:05Z'),
    ...limited,
    onRequest: request => {
      requests.push(request);
      for (const listener of listeners) listener(request);
    },
    onFault: error => {
      throw error;
    },
  });
  const transport: TransportOptions = {
    url: emulator.url,
    token: emulator.token,
    dispatcher: emulator.dispatcher,
    now: () => 0,
    random: () => 0.5,
    // A pause before a repeated request is over at once.
    sleep: () => Promise.resolve(),
  };
  const own = writeTransport(transport);
  const controls = writeTransport({ ...transport, token: emulator.controlsToken });
  return {
    server: { dialect, edition },
    url: emulator.url,
    token: emulator.token,
    requests,
    onAnswer: listener => listeners.push(listener),
    transport,
    call: (method, path, body) =>
      method === 'GET' ? own.get(path) : own.write(method, path, body),
    enrol: async (name, groups = [], more = {}) =>
      (await controls.write('POST', '/emulator/peers', { ...more, name, groups })) as JsonObject,
    control: (method, path, body) => controls.write(method, path, body),
    fault: what => controls.write('POST', '/emulator/faults', what),
    close: emulator.close,
  };
}
